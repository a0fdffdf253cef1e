/* ranks: 1 2 */
/* Tests bodies of triangles: star-shaped surfaces at random places and angles, in text and binary, against
 * the solid angle of all triangles (inside) and against all triangles one by one (walls); a box of triangles
 * on grid faces against the shape 'box'; and files that are refused, with their place. Catches a line that
 * passes an edge or a corner and counts it twice or never, and a triangle that is missing in a bin. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "kernels/base/constants.h"
#include "solver/bodies/body_geometry.h"
#include "solver/bodies/stl.h"
#include "tests/support/body_case.h"
#include "tests/support/check.h"
#include "tests/support/mpi_main.h"
#include "tests/support/ranks.h"

enum { ROUND = 12, HIGH = 7, MOST = 2 * ROUND * HIGH, BYTES = 400 * MOST };
/* mesh: triangles by their corners. */
struct mesh {
    int count;
    double x[MOST][3][3];
};

static void add(struct mesh *m, const double *a, const double *b, const double *c)
{
    memcpy(m->x[m->count][0], a, sizeof m->x[0][0]);
    memcpy(m->x[m->count][1], b, sizeof m->x[0][0]);
    memcpy(m->x[m->count++][2], c, sizeof m->x[0][0]);
}

/* gcc 12 leaves out a conversion to float and back in a conditional expression. */
static double to_float(double x)
{
    volatile float y = (float)x;
    return y;
}

/* A star-shaped surface: rings of points at random distances from the middle. All numbers are floats. */
static void star(struct mesh *m, unsigned *seed)
{
    static double p[HIGH + 1][ROUND][3];
    m->count = 0;
    for (int j = 0; j <= HIGH; ++j)
        for (int i = 0; i < ROUND; ++i) {
            const double theta = PI * j / HIGH, phi = 2 * PI * i / ROUND;
            const double r = 0.2 + 0.2 * body_case_unit(seed);
            const int end = j == 0 || j == HIGH;
            p[j][i][0] = end ? 0 : to_float(r * sin(theta) * cos(phi));
            p[j][i][1] = end ? 0 : to_float(r * sin(theta) * sin(phi));
            p[j][i][2] = end ? (j == 0 ? 0.25 : -0.375) : to_float(r * cos(theta));
        }
    for (int j = 0; j < HIGH; ++j)
        for (int i = 0; i < ROUND; ++i) {
            const int n = (i + 1) % ROUND;
            if (j < HIGH - 1) add(m, p[j][i], p[j + 1][i], p[j + 1][n]);
            if (j > 0) add(m, p[j][i], p[j + 1][n], p[j][n]);
        }
}

static void cuboid(struct mesh *m, const double half[3])
{
    m->count = 0;
    for (int d = 0; d < 3; ++d)
        for (int s = -1; s <= 1; s += 2) {
            const int a = (d + 1) % 3, b = (d + 2) % 3;
            double c[4][3];
            for (int n = 0; n < 4; ++n) {
                c[n][d] = s * half[d];
                c[n][a] = (n == 1 || n == 2 ? 1 : -1) * half[a];
                c[n][b] = (n >= 2 ? 1 : -1) * half[b];
            }
            if (s > 0) {
                add(m, c[0], c[1], c[2]);
                add(m, c[0], c[2], c[3]);
            } else {
                add(m, c[0], c[2], c[1]);
                add(m, c[0], c[3], c[2]);
            }
        }
}

static size_t text_of(const struct mesh *m, char *to)
{
    size_t used = (size_t)sprintf(to, "solid thing\n");
    for (int n = 0; n < m->count; ++n) {
        used += (size_t)sprintf(to + used, "facet normal 0 0 0\n outer loop\n");
        for (int v = 0; v < 3; ++v)
            used += (size_t)sprintf(to + used, "  vertex %.17g %.17g %.17g\n", m->x[n][v][0], m->x[n][v][1],
                                    m->x[n][v][2]);
        used += (size_t)sprintf(to + used, " endloop\nendfacet\n");
    }
    return used + (size_t)sprintf(to + used, "endsolid thing\n");
}

static size_t binary_of(const struct mesh *m, char *to)
{
    const uint32_t count = (uint32_t)m->count;
    memset(to, ' ', 80);
    memcpy(to, "solid", 5);
    memcpy(to + 80, &count, 4);
    for (int n = 0; n < m->count; ++n)
        for (int v = 0; v < 3; ++v)
            for (int d = 0; d < 3; ++d) {
                const float x = (float)m->x[n][v][d];
                memcpy(to + 84 + 50 * n + 12 + 12 * v + 4 * d, &x, 4);
            }
    return 84 + 50 * (size_t)m->count;
}

static char file[64];

static void write_file(const char *bytes, size_t length)
{
    snprintf(file, sizeof file, "/tmp/test_stl_%d_%d.stl", (int)getpid(), comm.rank);
    FILE *out = fopen(file, "wb");
    if (out == NULL || fwrite(bytes, 1, length, out) != length) abort();
    fclose(out);
}

/* The corners in the domain: scaled, turned about x, y and z one after another, shifted. */
static void move(const struct input *in, const struct mesh *m, struct mesh *out)
{
    out->count = m->count;
    for (int n = 0; n < 3 * m->count; ++n) {
        double r[3];
        for (int d = 0; d < 3; ++d) r[d] = in->bodies.size[0][0] * m->x[n / 3][n % 3][d];
        for (int d = 0; d < 3; ++d) {
            const double c = cos(in->bodies.angles[0][d] * PI / 180),
                         s = sin(in->bodies.angles[0][d] * PI / 180);
            const int a = (d + 1) % 3, b = (d + 2) % 3;
            const double ra = r[a];
            r[a] = c * ra - s * r[b];
            r[b] = s * ra + c * r[b];
        }
        for (int d = 0; d < 3; ++d) out->x[n / 3][n % 3][d] = r[d] + in->bodies.centre[0][d];
    }
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void times(const double *a, const double *b, double *out)
{
    for (int d = 0; d < 3; ++d) out[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

/* The solid angle of all triangles over 4 pi: 1 inside, 0 outside. */
static double winding(const struct mesh *m, const double x[3])
{
    double sum = 0;
    for (int n = 0; n < m->count; ++n) {
        double r[3][3], size[3], bc[3];
        for (int v = 0; v < 3; ++v) {
            for (int d = 0; d < 3; ++d) r[v][d] = m->x[n][v][d] - x[d];
            size[v] = sqrt(dot(r[v], r[v]));
        }
        times(r[1], r[2], bc);
        sum += 2 * atan2(dot(r[0], bc), size[0] * size[1] * size[2] + dot(r[0], r[1]) * size[2] +
                                            dot(r[1], r[2]) * size[0] + dot(r[2], r[0]) * size[1]);
    }
    return sum / (4 * PI);
}

static int periods(const struct input *in, int d)
{
    return in->boundary.face[2 * d] == BOUNDARY_PERIODIC;
}

/* How often all images wind round x. */
static double winding_of_images(const struct input *in, const struct mesh *m, const double x[3])
{
    double most = 0;
    for (int n = 0; n < 27; ++n) {
        const int shift[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        double y[3];
        int used = 1;
        for (int d = 0; d < 3; ++d) {
            y[d] = x[d] + shift[d] * in->grid.length[d];
            used &= shift[d] == 0 || periods(in, d);
        }
        if (used) most = fmax(most, winding(m, y));
    }
    return most;
}

/* The distance along a line to the first triangle of any image, over the length; 2: none. */
static double first_triangle(const struct input *in, const struct mesh *m, const double x[3], int d,
                             double length)
{
    double first = 2;
    for (int n = 0; n < 27 * m->count; ++n) {
        const int image = n / m->count, shift[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
        const double(*t)[3] = m->x[n % m->count];
        double u[3], v[3], r[3], normal[3], uv[3], p[3];
        int used = 1;
        for (int e = 0; e < 3; ++e) {
            u[e] = t[1][e] - t[0][e];
            v[e] = t[2][e] - t[0][e];
            r[e] = x[e] + shift[e] * in->grid.length[e] - t[0][e];
            used &= shift[e] == 0 || periods(in, e);
        }
        times(u, v, normal);
        if (!used || normal[d] == 0) continue;
        const double at_t = -dot(r, normal) / (normal[d] * length);
        if (!(at_t > 0 && at_t < first && at_t <= 1)) continue;
        r[d] += at_t * length;
        times(r, v, p);
        const double a = dot(p, normal) / dot(normal, normal);
        times(u, r, uv);
        const double b = dot(uv, normal) / dot(normal, normal);
        if (a > -1e-9 && b > -1e-9 && a + b < 1 + 1e-9) first = at_t;
    }
    return first;
}

static const int cells[3] = {12, 8, 16};

/* Counts wrong faces and walls of the whole grid on one rank. */
static int wrong(const struct input *in, const struct mesh *m, const struct domain *dom,
                 const struct body_geometry *g)
{
    const struct grid *gr = &dom->grid;
    int count = 0, p[3];
    for (int c = 0; c < 3; ++c) {
        for (p[2] = 0; p[2] < cells[2]; ++p[2])
            for (p[1] = 0; p[1] < cells[1]; ++p[1])
                for (p[0] = 0; p[0] < cells[0]; ++p[0]) {
                    double x[3];
                    for (int d = 0; d < 3; ++d) x[d] = c == d ? gr->face[d][p[d]] : gr->centre[d][p[d]];
                    const int open = g->open[at(gr->box, p[0], p[1], p[2])] >> (2 * c) & 1;
                    count += open != (winding_of_images(in, m, x) < 0.5);
                }
        for (int n = 0; n < g->walls[c]; ++n) {
            const struct body_wall_face *w = &g->wall[c][n];
            double x[3];
            for (int d = 0; d < 3; ++d) x[d] = c == d ? gr->face[d][w->cell[d]] : gr->centre[d][w->cell[d]];
            for (int side = 0; side < 6; ++side) {
                if (w->body[side] < 0) continue;
                const int d = side / 2, i = w->cell[d] + side % 2;
                const double link = c == d ? grid_width(gr, d, i - 1) : grid_centre_distance(gr, d, i);
                const double xi = first_triangle(in, m, x, d, side % 2 ? link : -link);
                count += fabs(w->xi[side] - fmax(xi, BODY_XI_LEAST)) > 1e-9;
            }
        }
    }
    return count;
}

static void set_body(struct input *in, unsigned *seed, double scale)
{
    double centre[3];
    const double size[3] = {scale, 0, 0};
    for (int d = 0; d < 3; ++d) centre[d] = in->grid.origin[d] + in->grid.length[d] * body_case_unit(seed);
    body_case_add(in, SHAPE_STL, centre, size);
    for (int d = 0; d < 3; ++d) in->bodies.angles[0][d] = 360 * body_case_unit(seed) - 180;
    snprintf(in->bodies.file[0], sizeof in->bodies.file[0], "%s", file);
}

static void test_random_surfaces(void **state)
{
    (void)state;
    static const int boundaries[3][3] = {{1, 1, 1}, {1, 0, 1}, {0, 0, 0}};
    static struct mesh m, moved;
    static char bytes[BYTES];
    int bad = 0, faces = 0;
    for (int n = comm.rank; n < 12; n += comm.size) {
        struct input in;
        struct domain dom;
        struct body_geometry *g = NULL;
        unsigned seed = 40u + (unsigned)n;
        star(&m, &seed);
        write_file(bytes, n % 2 ? text_of(&m, bytes) : binary_of(&m, bytes));
        body_case_input(&in, cells, boundaries[n % 3], n / 3 % 2);
        set_body(&in, &seed, 0.8 + 0.4 * body_case_unit(&seed));
        move(&in, &m, &moved);
        bad += body_case_domain(&in, &self, whole, &dom) != KOL_OK;
        if (body_geometry_create(&dom, &g) != KOL_OK) ++bad;
        else {
            bad += wrong(&in, &moved, &dom, g);
            faces += g->walls[0];
        }
        body_geometry_destroy(&g);
        body_case_close(&dom);
        remove(file);
    }
    CHECK_ALL(bad == 0);
    CHECK_ALL(faces > 50);
}

/* Every corner, edge and face of the box lies on the grid: each line through it is a tie. */
static void test_box_on_grid_faces_is_the_box(void **state)
{
    (void)state;
    static const int periodic[3] = {1, 1, 1};
    static struct mesh m;
    static char bytes[BYTES];
    for (int cut = 0; cut < 2; ++cut) {
        struct input in[2];
        struct domain dom[2];
        struct body_geometry *g[2] = {NULL, NULL};
        int bad = 0;
        for (int n = 0; n < 2; ++n) {
            body_case_input(&in[n], cells, periodic, 0);
            const double *l = in[n].grid.length, *o = in[n].grid.origin;
            const double centre[3] = {o[0], o[1] + l[1] / 2, o[2] + l[2] / 4};
            const double all[3] = {l[0] * 8 / 12, l[1] * 6 / 8, l[2] * 12 / 16};
            const double size[3] = {l[0] * 4 / 12, l[1] * 4 / 8, l[2] * 4 / 16}, one[3] = {1, 0, 0};
            const double half[3] = {size[0] / 2, size[1] / 2, size[2] / 2};
            if (cut) body_case_add(&in[n], SHAPE_BOX, centre, all);
            const int b = body_case_add(&in[n], n ? SHAPE_STL : SHAPE_BOX, centre, n ? one : size);
            if (cut) in[n].bodies.operation[b] = OPERATION_CUT;
            cuboid(&m, half);
            if (n) write_file(bytes, text_of(&m, bytes));
            if (n) snprintf(in[n].bodies.file[b], sizeof in[n].bodies.file[b], "%s", file);
            bad += body_case_domain(&in[n], &self, whole, &dom[n]) != KOL_OK;
            bad += body_geometry_create(&dom[n], &g[n]) != KOL_OK;
        }
        for (ptrdiff_t q = 0; q < dom[0].grid.box.size; ++q) bad += g[0]->open[q] != g[1]->open[q];
        for (int c = 0; c < 3; ++c) {
            bad += g[0]->walls[c] != g[1]->walls[c] || g[0]->closeds[c] != g[1]->closeds[c];
            for (int n = 0; n < g[0]->walls[c] && n < g[1]->walls[c]; ++n)
                for (int side = 0; side < 6; ++side)
                    bad += fabs(g[0]->wall[c][n].xi[side] - g[1]->wall[c][n].xi[side]) > 1e-9;
        }
        CHECK_ALL(bad == 0);
        CHECK_ALL(g[0]->walls[0] > 20);
        for (int n = 0; n < 2; ++n) {
            body_geometry_destroy(&g[n]);
            body_case_close(&dom[n]);
        }
        remove(file);
    }
}

/* refuse: gives bytes to stl_create() and looks for words in its message. */
static int refused(const char *bytes, size_t length, const char *words)
{
    static const double none[3] = {0, 0, 0}, one[3] = {1, 0, 0};
    const struct stl_frame frame = {.shape = shape_make(SHAPE_STL, none, one, 2, none),
                                    .scale = 1,
                                    .longest = 1,
                                    .margin = 0.1,
                                    .by = "(input)"};
    struct stl *s = NULL;
    const kol_status st = stl_create("a.stl", bytes, length, &frame, &s);
    const int right = st == KOL_ERR_INPUT && strstr(status_message(), words) != NULL;
    if (!right) print_error("wanted '%s', got '%s'\n", words, st == KOL_OK ? "no fault" : status_message());
    status_clear();
    stl_destroy(&s);
    return right;
}

static void test_bad_files_are_refused(void **state)
{
    (void)state;
    static struct mesh m, two;
    static char bytes[BYTES];
    unsigned seed = 7;
    int good = 1;
    double t[3];
    good &= refused("", 0, "no triangles");
    good &= refused("solid x\nendsolid\n", strlen("solid x\nendsolid\n"), "no triangles");
    good &= refused("hello", strlen("hello"), "is no STL file");
    good &= refused("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n",
                    strlen("solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n"),
                    "a.stl:4: error: a finite");
    good &=
        refused("solid x\nfacet normal 0 0 1\nouter lop\n",
                strlen("solid x\nfacet normal 0 0 1\nouter lop\n"), "a.stl:3: error: 'loop' must stand here");
    star(&m, &seed);
    size_t length = binary_of(&m, bytes);
    good &= refused(bytes, length - 1, "is no STL file");
    const float bad = NAN;
    memcpy(bytes + 84 + 50 * 3 + 12 + 4, &bad, 4);
    good &= refused(bytes, length, "a.stl: error: triangle 4, corner 1");
    two = m; /* open: one triangle is missing */
    two.x[5][0][0] = two.x[--two.count][0][0];
    memcpy(two.x[5], m.x[two.count], sizeof m.x[5]);
    good &= refused(bytes, binary_of(&two, bytes), "belongs to 1 triangle instead of two");
    two = m; /* one triangle turns the other way */
    memcpy(t, two.x[9][0], sizeof t);
    memcpy(two.x[9][0], two.x[9][1], sizeof t);
    memcpy(two.x[9][1], t, sizeof t);
    good &= refused(bytes, binary_of(&two, bytes), "opposite senses");
    for (int n = 0; n < two.count; ++n) { /* all of them */
        memcpy(two.x[n][0], m.x[n][1], sizeof t);
        memcpy(two.x[n][1], m.x[n][0], sizeof t);
        memcpy(two.x[n][2], m.x[n][2], sizeof t);
    }
    good &= refused(bytes, binary_of(&two, bytes), "inside out");
    const double half[3] = {0.3, 0.4, 0.5};
    cuboid(&m, half);
    two = m;
    for (int n = 0; n < m.count; ++n, ++two.count)
        for (int v = 0; v < 3; ++v)
            for (int d = 0; d < 3; ++d) two.x[two.count][v][d] = m.x[n][v][d] + 0.11 + 0.07 * d;
    length = text_of(&two, bytes);
    good &= refused(bytes, length, "cut each other");
    for (int v = 0; v < 3; ++v) m.x[3][v][1] *= 1.5; /* a corner moves away from its neighbours */
    good &= refused(bytes, text_of(&m, bytes), "a.stl:");
    CHECK_ALL(good);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_surfaces, setup, teardown),
        cmocka_unit_test_setup_teardown(test_box_on_grid_faces_is_the_box, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_files_are_refused, setup, teardown),
    };
    return MPI_MAIN(argc, argv, "stl", tests);
}
