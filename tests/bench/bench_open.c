/* Opens and closes what kolmo-bench measures: a run without files, of one grid. The other parts of the
 * program see its domain, its flow and its step. */
#include <stdlib.h>
#include <string.h>
#include "bench.h"

#include "kernels/laplace.h"
#include "solver/poisson/preconditioner_choice.h"
#include "solver/run_parts.h"

/* Makes the input of a grid. Cubes are uniform and periodic. Other grids are channels with walls at both
 * ends of z, where the cells are fine. */
static void input_of(const int n[3], const int ranks[3], int stretched, char *text, size_t size)
{
    const double cell = 6.283185307179586 / n[X];
    const double cube[3] = {cell * n[X], cell * n[Y], cell * n[Z]},
                 channel[3] = {12.566370614359172, 6.283185307179586, 2};
    const double *length = stretched ? channel : cube;
    snprintf(text, size,
             "&run steps_max=1000000 /\n&grid n=%d,%d,%d, length=%.17g,%.17g,%.17g, ranks=%d,%d,%d %s\n"
             "&fluid reynolds=%s /\n",
             n[X], n[Y], n[Z], length[X], length[Y], length[Z], ranks[X], ranks[Y], ranks[Z],
             stretched ? ", stretching='uniform','uniform','tanh', stretching_factor=0,0,2 /\n"
                         "&boundary z_low='wall', z_high='wall' /\n&forcing type='bulk-velocity', value=1 /\n"
                         "&initial type='channel' /"
                       : "/",
             stretched ? "2800" : "1600");
}

kol_status bench_open_text(struct bench *b, const char *text, int walls, int profile)
{
    TRY(run_new(&b->run));
    const struct run_parts run = run_parts(b->run);
    b->in = run.in;
    b->domain = run.domain;
    b->flow = run.flow;
    b->step = run.step;
    TRY(comm_create(&run.domain->comm));
    TRY(input_read("kolmo-bench", text, strlen(text),
                   &(struct input_settings){b->options->sets, b->options->set, NULL}, run.domain->comm.size,
                   run.in, run.source));
    if (walls) run.in->boundary.face[FACE_Z_LOW] = run.in->boundary.face[FACE_Z_HIGH] = BOUNDARY_WALL;
    TRY(profile_create(&run.domain->comm, profile, &run.domain->profile));
    TRY(run_create(b->run));
    TRY(preconditioner_choice_create(&run.step->poisson));
    TRY(cg_create(&b->cg));
    TRY(mem_kernel_alloc((size_t)laplace_update_scratch(run.domain->grid.box) * sizeof(real),
                         (void **)&b->planes));
    snprintf(b->device, sizeof b->device, "%s", run.domain->device);
    snprintf(b->tuning, sizeof b->tuning, "%s", run.domain->tuning);
    snprintf(b->transport, sizeof b->transport, "%s",
             b->comm.size > 1 ? halo_transport(run.domain->halo) : "none");
    return KOL_OK;
}

kol_status bench_open(struct bench *b, const int n[3], const int ranks[3])
{
    char text[1024];
    const int stretched = b->options->mode == BENCH_ALL && (n[X] != n[Y] || n[Y] != n[Z]);
    input_of(n, ranks, stretched, text, sizeof text);
    return bench_open_text(b, text, 0, 0);
}

void bench_close(struct bench *b)
{
    mem_kernel_free(b->planes);
    mem_kernel_free(b->columns);
    mem_kernel_free(b->packed);
    mem_kernel_free(b->sums);
    cg_destroy(&b->cg);
    memset(b->a, 0, sizeof b->a);
    pool_destroy(&b->spare);
    b->tuning[0] = '\0';
    run_destroy(b->run);
    comm_destroy(&b->domain->comm);
    run_free(&b->run);
    b->planes = NULL;
    b->columns = NULL;
    b->packed = NULL;
    b->sums = NULL;
    b->in = NULL;
    b->domain = NULL;
    b->flow = NULL;
    b->step = NULL;
}
