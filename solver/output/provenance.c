/* Gathers the texts that tell, in every output file, how it was made. */
#include "provenance.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "inputs/print.h"
#include "io/versions.h"
#include "kernels/base/device.h"
#include "kernels/fft.h"

#ifndef KOLMO_VERSION
#error "the Makefile sets KOLMO_VERSION, KOLMO_COMPILER and KOLMO_FLAGS"
#endif

struct provenance {
    char *input;
    char command[2048], processor[320], host[128], ranks[128], libraries[512], started[40];
    struct io_text text[PROVENANCE_TEXTS];
    int n;
};

const char *provenance_version(void)
{
    return KOLMO_VERSION;
}

static void libraries(char *text, size_t size)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING] = "", files[128], fft[64];
    int n = 0;
    MPI_Get_library_version(mpi, &n);
    mpi[strcspn(mpi, ",\n")] = '\0';
    io_versions(files, sizeof files);
    fft_library(fft, sizeof fft);
    snprintf(text, size, "%s, %s, %s", mpi, files, fft);
}

void provenance_print(FILE *out)
{
    char text[512];
    libraries(text, sizeof text);
    fprintf(out, "kolmo %s\nbackend %s, arithmetic %s\ncompiler %s\nflags %s\n%s\n", KOLMO_VERSION,
            device_backend(), KOL_REAL_NAME, KOLMO_COMPILER, KOLMO_FLAGS, text);
}

static void add(struct provenance *p, const char *name, const char *text)
{
    p->text[p->n++] = (struct io_text){name, text};
}

kol_status provenance_create(const struct domain *domain, int argc, char **argv, struct provenance **out)
{
    struct provenance *p = calloc(1, sizeof *p);
    if (p == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the provenance");
    *out = p;
    p->input = input_text(domain->in, domain->source);
    if (p->input == NULL) RAISE(KOL_ERR_MEMORY, "no memory for the input's text");
    size_t used = 0;
    for (int i = 0; i < argc && used < sizeof p->command - 1; ++i) {
        used +=
            (size_t)snprintf(p->command + used, sizeof p->command - used, "%s%s", i > 0 ? " " : "", argv[i]);
    }
    snprintf(p->processor, sizeof p->processor, "%s: %s", device_backend(), domain->device);
    if (gethostname(p->host, sizeof p->host - 1) != 0) strcpy(p->host, "unknown");
    const int *r = domain->decomp.ranks;
    snprintf(p->ranks, sizeof p->ranks, "%d = %d x %d x %d, transport %s", domain->comm.size, r[X], r[Y],
             r[Z], domain->halo != NULL ? halo_transport(domain->halo) : "none");
    libraries(p->libraries, sizeof p->libraries);
    const time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(p->started, sizeof p->started, "%Y-%m-%dT%H:%M:%SZ", &utc);
    add(p, "title", domain->in->run.title);
    add(p, "version", KOLMO_VERSION);
    add(p, "arithmetic", KOL_REAL_NAME);
    add(p, "compiler", KOLMO_COMPILER);
    add(p, "flags", KOLMO_FLAGS);
    add(p, "libraries", p->libraries);
    add(p, "processor", p->processor);
    add(p, "host", p->host);
    add(p, "ranks", p->ranks);
    add(p, "command", p->command);
    add(p, "started", p->started);
    add(p, "input", p->input);
    return KOL_OK;
}

void provenance_destroy(struct provenance **p)
{
    if (*p == NULL) return;
    free((*p)->input);
    free(*p);
    *p = NULL;
}

const struct io_text *provenance_texts(const struct provenance *p, int *n)
{
    *n = p->n;
    return p->text;
}
