/* ranks: 1 */
/* Tests sequences of launches that are recorded and repeated. They leave in memory what the launches
 * themselves would leave, also if values change, for several keys, and for more keys than there is room for.
 * A launch that fails is reported, and the next ones work. Catches a recording that is not carried out, one
 * of another key, and one that still has the arguments of the first time. */
#include "kernels/base/device.h"
#include "kernels/base/mem.h"
#include "kernels/base/replay.h"
#include "kernels/stream_copy.h"
#include "tests/support/mpi_main.h"

enum { N = 4096, KEYS = REPLAY_MOST + 6, TURNS = 4 };

/* sequence: c = a + s b, twice: a = a + s c; so each turn goes on from the last one. */
struct sequence {
    real *a, *b, *c, s;
    int calls, fails;
};

static kol_status launch(void *context)
{
    struct sequence *q = context;
    ++q->calls;
    TRY(stream_triad(N, q->s, q->a, q->b, q->c));
    if (q->fails) RAISE(KOL_ERR_NUMERICAL, "asked to fail");
    return stream_triad(N, q->s, q->a, q->c, q->a);
}

static real *filled(real value)
{
    real *a = NULL;
    CHECK_ALL(mem_kernel_alloc(N * sizeof *a, (void **)&a) == KOL_OK);
    CHECK_ALL(mem_fill_real(a, N, value) == KOL_OK);
    return a;
}

static int all_are(const real *kernel, real value)
{
    static real host[N];
    int same = 1;
    CHECK_ALL(mem_to_host(host, kernel, sizeof host) == KOL_OK);
    for (int n = 0; n < N; ++n) same = same && host[n] == value;
    return same;
}

static int repeats(void)
{
    struct replay *r = NULL;
    struct sequence q = {.a = filled(1), .b = filled(2), .c = filled(3), .s = (real)0.5};
    const struct replay_key key = {{q.a}};
    CHECK_ALL(replay_create(&r) == KOL_OK);
    for (int n = 0; n < 3; ++n) CHECK_ALL(replay_do(r, &key, launch, &q) == KOL_OK);
    const int any = replay_repeated(r) > 0;
    CHECK_ALL(any ? q.calls == 2 : q.calls == 3);
    replay_destroy(&r);
    mem_kernel_free(q.a);
    mem_kernel_free(q.b);
    mem_kernel_free(q.c);
    return any;
}

static void test_same_values(void **state)
{
    (void)state;
    struct replay *r = NULL;
    struct sequence q = {.a = filled(1), .b = filled(2), .c = filled(3), .s = (real)0.5};
    const struct replay_key key = {{q.a, q.b, q.c}};
    real a = 1;
    CHECK_ALL(replay_create(&r) == KOL_OK);
    for (int turn = 0; turn < TURNS; ++turn) {
        const real b = (real)turn - (real)1.5, c = a + (real)0.5 * b;
        CHECK_ALL(mem_fill_real(q.b, N, b) == KOL_OK); /* between, by itself */
        CHECK_ALL(replay_do(r, &key, launch, &q) == KOL_OK);
        a += (real)0.5 * c;
        CHECK_ALL(all_are(q.a, a) && all_are(q.c, c));
    }
    CHECK_ALL(replay_repeated(r) == (repeats() ? TURNS - 2 : 0));
    replay_destroy(&r);
    CHECK_ALL(r == NULL);
    replay_destroy(&r);
    mem_kernel_free(q.a);
    mem_kernel_free(q.b);
    mem_kernel_free(q.c);
}

/* each key has a factor of its own; those without room are launched */
static void test_many_keys(void **state)
{
    (void)state;
    static const char place[KEYS];
    struct replay *r = NULL;
    struct sequence q = {.a = filled(0), .b = filled(8), .c = filled(0)};
    const int any = repeats();
    CHECK_ALL(replay_create(&r) == KOL_OK);
    for (int turn = 0; turn < TURNS; ++turn) {
        for (int k = 0; k < KEYS; ++k) {
            const struct replay_key key = {{q.a, &place[k]}};
            q.s = (real)k;
            CHECK_ALL(mem_fill_real(q.a, N, 1) == KOL_OK);
            CHECK_ALL(replay_do(r, &key, launch, &q) == KOL_OK);
            CHECK_ALL(all_are(q.a, 1 + (real)k * (1 + (real)k * 8)));
        }
    }
    CHECK_ALL(replay_repeated(r) == (any ? (long long)REPLAY_MOST * (TURNS - 2) : 0));
    replay_destroy(&r);
    mem_kernel_free(q.a);
    mem_kernel_free(q.b);
    mem_kernel_free(q.c);
}

/* within the recording and outside it */
static void test_a_launch_fails(void **state)
{
    (void)state;
    struct replay *r = NULL;
    struct sequence q = {.a = filled(1), .b = filled(2), .c = filled(3), .s = 1};
    const struct replay_key key = {{q.a}};
    CHECK_ALL(replay_create(&r) == KOL_OK);
    for (int turn = 0; turn < 3; ++turn) {
        q.fails = 1;
        CHECK_ALL(replay_do(r, &key, launch, &q) == KOL_ERR_NUMERICAL);
        status_clear();
    }
    CHECK_ALL(all_are(q.a, 1) && device_wait() == KOL_OK);
    q.fails = 0;
    for (int turn = 0; turn < TURNS; ++turn) {
        CHECK_ALL(mem_fill_real(q.a, N, 1) == KOL_OK);
        CHECK_ALL(replay_do(r, &key, launch, &q) == KOL_OK);
        CHECK_ALL(all_are(q.a, 4));
    }
    replay_destroy(&r);
    mem_kernel_free(q.a);
    mem_kernel_free(q.b);
    mem_kernel_free(q.c);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_values), cmocka_unit_test(test_many_keys),
                                       cmocka_unit_test(test_a_launch_fails)};
    return MPI_MAIN(argc, argv, "replay", tests);
}
