/* Records sequences of launches as CUDA graphs and repeats them. */
#include "../base/replay.h"
#include "check.cuh"
#include "queue.cuh"

#include <stdlib.h>
#include <string.h>

#ifdef KOLMO_DEBUG
enum { RECORDS = 0 }; /* a wait after each launch can't be recorded */
#else
enum { RECORDS = 1 };
#endif

/* sequence: graph is NULL if its key has come only once. That launch has loaded the libraries and kernels
 * that it needs. */
struct sequence {
    struct replay_key key;
    cudaGraphExec_t graph;
};

struct replay {
    struct sequence sequence[REPLAY_MOST];
    int n;
    long long repeated;
};

kol_status replay_create(struct replay **out)
{
    *out = (struct replay *)calloc(1, sizeof **out);
    if (*out == NULL) RAISE(KOL_ERR_MEMORY, "no memory for sequences of work");
    return KOL_OK;
}

void replay_destroy(struct replay **r)
{
    if (*r == NULL) return;
    for (int n = 0; n < (*r)->n; ++n)
        if ((*r)->sequence[n].graph != NULL) (void)cudaGraphExecDestroy((*r)->sequence[n].graph);
    free(*r);
    *r = NULL;
}

static struct sequence *find(struct replay *r, const struct replay_key *key)
{
    for (int n = 0; n < r->n; ++n)
        if (memcmp(&r->sequence[n].key, key, sizeof *key) == 0) return &r->sequence[n];
    return NULL;
}

/* Records the launches in *graph, without sending them to the GPU. A recording that has begun must end, even
 * after a fault. */
static kol_status record(kol_status (*launch)(void *context), void *context, cudaGraph_t *graph)
{
    CUDA_TRY(cudaStreamBeginCapture(queue_stream(), cudaStreamCaptureModeThreadLocal));
    const kol_status st = launch(context);
    const cudaError_t ended = cudaStreamEndCapture(queue_stream(), graph);
    if (st != KOL_OK) {
        (void)cudaGetLastError();
        return st;
    }
    CUDA_TRY_OF("cudaStreamEndCapture", ended);
    return KOL_OK;
}

static kol_status make(struct sequence *s, kol_status (*launch)(void *context), void *context)
{
    cudaGraph_t graph = NULL;
    const kol_status st = record(launch, context, &graph);
    if (st == KOL_OK) {
        const cudaError_t made = cudaGraphInstantiate(&s->graph, graph, 0);
        (void)cudaGraphDestroy(graph);
        CUDA_TRY_OF("cudaGraphInstantiate", made);
    } else if (graph != NULL) {
        (void)cudaGraphDestroy(graph);
    }
    return st;
}

kol_status replay_do(struct replay *r, const struct replay_key *key, kol_status (*launch)(void *context),
                     void *context)
{
    struct sequence *s = RECORDS ? find(r, key) : NULL;
    if (s == NULL) {
        if (r->n < REPLAY_MOST) r->sequence[r->n++].key = *key;
        return launch(context);
    }
    if (s->graph == NULL) TRY(make(s, launch, context));
    else ++r->repeated;
    CUDA_TRY(cudaGraphLaunch(s->graph, queue_stream()));
    return KOL_OK;
}

long long replay_repeated(const struct replay *r)
{
    return r->repeated;
}
