/* Compares the memory that was counted for a run with what is free. */
#include "memory_check.h"

#include <stddef.h>
#include <stdio.h>
#include "inputs/scalars.h"
#include "inputs/statistics_wanted.h"
#include "kernels/base/constants.h"
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "parallel/node_memory.h"

/* Fields that a scalar takes: its own, and those of a stage. */
static const int FIELDS_EACH = 3;

/* What is wanted, in words: "8 scalars and the flow on 64 x 64 x 64 cells", with the places of both. */
static void name_wanted(const struct domain *domain, char *text, size_t size)
{
    const struct input *in = domain->in;
    const int scalars = scalar_count(in), *n = in->grid.n;
    const struct input_place cells = input_place(domain->source, offsetof(struct input, grid.n), 0),
                             names = input_place(domain->source, offsetof(struct input, scalars.name), 0);
    if (scalars == 0) snprintf(text, size, "%s: error: grid.n = %d, %d, %d", cells.at, n[X], n[Y], n[Z]);
    else
        snprintf(text, size, "%s: error: %d scalar%s (scalars.name) and the flow on grid.n = %d, %d, %d (%s)",
                 names.at, scalars, scalars > 1 ? "s" : "", n[X], n[Y], n[Z], cells.at);
}

/* What takes kernel memory beside fields and message buffers, after the number of fields: the averages, whose
 * batches in every cell may take many times what the fields take; and a remedy. */
static void name_averages(const struct input *in, double fields, char *text, char *fewer, size_t size)
{
    text[0] = fewer[0] = '\0';
    if (!statistics_wanted(in)) return;
    snprintf(text, size, " of %.3f GiB in all, averages", fields / GIB);
    snprintf(fewer, size, ", or fewer averages of &statistics%s",
             cells_wanted(in) && cells_batches(in) > 0 ? " (batches)" : "");
}

kol_status memory_lack(const struct domain *domain, double kernel, double host, int arrays, char *text)
{
    const int gpu = device_count() > 0, scalars = scalar_count(domain->in);
    const double each = (double)domain->grid.box.size * (double)sizeof(real);
    double share = 0;
    size_t free_host = 0;
    char wanted[768], fewer[128] = "", averages[64], batches[64];
    text[0] = '\0';
    TRY(node_memory_available(&domain->comm, domain->sharers, &share));
    TRY(mem_host_available(&free_host));
    name_wanted(domain, wanted, sizeof wanted);
    name_averages(domain->in, arrays * each, averages, batches, sizeof averages);
    if (scalars > 0)
        snprintf(fewer, sizeof fewer, ", or fewer scalars: each takes %.3f GiB or more",
                 FIELDS_EACH * each / GIB);
    if (kernel > share)
        snprintf(text, MEMORY_LACK_TEXT,
                 "%s: %d fields%s and message buffers need %.3f GiB %sa rank, but a rank's share of the free "
                 "memory is %.3f GiB; use more %s or a smaller grid.n%s%s",
                 wanted, arrays, averages, kernel / GIB, gpu ? "of GPU memory " : "", share / GIB,
                 gpu ? "GPUs" : "nodes", fewer, batches);
    else if (host + (gpu ? 0 : kernel) > (double)free_host)
        snprintf(text, MEMORY_LACK_TEXT,
                 "%s: messages and averages need %.3f GiB of host memory on this rank%s, but %.3f GiB are "
                 "free; use more nodes, a smaller grid.n or fewer averages of &statistics",
                 wanted, host / GIB, gpu ? "" : " beside its fields", (double)free_host / GIB);
    return KOL_OK;
}

kol_status memory_check(const struct domain *domain, const struct memory *plan, int arrays)
{
    char text[MEMORY_LACK_TEXT];
    TRY(memory_lack(domain, (double)plan->kernel, (double)plan->host, arrays, text));
    if (text[0] != '\0') RAISE(KOL_ERR_INPUT, "%s", text);
    return KOL_OK;
}
