/* ranks: 1 2 */
/* Tests the energy spectra of the isotropic initial flow. They must have the peak and the slopes of their
 * formulas; tables are read from files. Catches a peak at another wavenumber, an exponent that is not the
 * model's, a table that is interpolated in the values themselves or continued beyond its ends, and a faulty
 * line that is accepted or reported as another line. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "solver/initial/energy_spectrum.h"
#include "tests/support/mpi_main.h"

static const double PEAK = 4, FINE = 1e12; /* wavenumbers [1/L]; no grid cuts off below the second one */
static struct comm comm;
static struct input in;
static char path[64];

static int setup(void **state)
{
    (void)state;
    status_clear();
    memset(&in, 0, sizeof in);
    in.initial.k_peak = PEAK;
    const int made = comm_create(&comm) == KOL_OK;
    snprintf(path, sizeof path, "/tmp/kolmo-spectrum-%d", (int)getpid());
    return !made || MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
}

static int teardown(void **state)
{
    (void)state;
    if (comm.rank == 0) unlink(path);
    comm_destroy(&comm);
    status_clear();
    return 0;
}

static struct energy_spectrum *create(int kind, double k_grid)
{
    struct energy_spectrum *s = NULL;
    in.initial.spectrum = kind;
    CHECK_ALL(energy_spectrum_create(&comm, &in, NULL, k_grid, &s) == KOL_OK);
    return s;
}

static double slope(const struct energy_spectrum *s, double k)
{
    const double h = 1e-4;
    return (log(energy_spectrum_energy(s, k * exp(h))) - log(energy_spectrum_energy(s, k * exp(-h)))) /
           (2 * h);
}

static void test_gaussian(void **state)
{
    (void)state;
    struct energy_spectrum *s = create(SPECTRUM_GAUSSIAN, FINE);
    CHECK_ALL_BELOW(fabs(slope(s, PEAK)), 1e-6);
    CHECK_ALL_BELOW(fabs(slope(s, PEAK / 1000) - 4), 1e-4);
    CHECK_ALL_BELOW(fabs(slope(s, 2 * PEAK) + 12), 1e-4); /* 4 - 4 (k/k_peak)^2 */
    energy_spectrum_destroy(&s);
    CHECK_ALL(s == NULL);
}

static void test_von_karman(void **state)
{
    (void)state;
    struct energy_spectrum *s = create(SPECTRUM_VON_KARMAN, FINE);
    CHECK_ALL_BELOW(fabs(slope(s, PEAK)), 1e-6);
    CHECK_ALL_BELOW(fabs(slope(s, PEAK / 1000) - 4), 1e-4);
    CHECK_ALL_BELOW(fabs(slope(s, 1000 * PEAK) + 5.0 / 3), 1e-4); /* Kolmogorov's range */
    const double free = energy_spectrum_energy(s, 50);
    energy_spectrum_destroy(&s);
    s = create(SPECTRUM_VON_KARMAN, 100);
    CHECK_ALL_BELOW(fabs(energy_spectrum_energy(s, 50) / free - exp(-2)), 1e-10); /* at half the grid's */
    energy_spectrum_destroy(&s);
}

/* Saffman's large scales: the slope 2, and the same peak and small scales. */
static void test_large_scales(void **state)
{
    (void)state;
    for (int kind = SPECTRUM_GAUSSIAN; kind <= SPECTRUM_VON_KARMAN; ++kind) {
        in.initial.large_scales = LARGE_SCALES_SAFFMAN;
        struct energy_spectrum *s = create(kind, FINE);
        CHECK_ALL_BELOW(fabs(slope(s, PEAK)), 1e-6);
        CHECK_ALL_BELOW(fabs(slope(s, PEAK / 1000) - 2), 1e-4);
        if (kind == SPECTRUM_VON_KARMAN) CHECK_ALL_BELOW(fabs(slope(s, 1000 * PEAK) + 5.0 / 3), 1e-4);
        if (kind == SPECTRUM_GAUSSIAN) CHECK_ALL_BELOW(fabs(slope(s, 2 * PEAK) + 6), 1e-4); /* 2 - 2 x^2 */
        energy_spectrum_destroy(&s);
    }
}

/* Creates the spectrum of a file with this text, on all ranks. */
static kol_status from_file(const char *text, struct energy_spectrum **s)
{
    if (comm.rank == 0) {
        FILE *f = fopen(path, "w");
        if (f != NULL) {
            fputs(text, f);
            fclose(f);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    in.initial.spectrum = SPECTRUM_FILE;
    snprintf(in.initial.spectrum_file, sizeof in.initial.spectrum_file, "%s", path);
    const kol_status st = energy_spectrum_create(&comm, &in, NULL, FINE, s);
    MPI_Barrier(MPI_COMM_WORLD);
    return st;
}

static void test_table(void **state)
{
    (void)state;
    struct energy_spectrum *s = NULL;
    /* k^2 up to k = 4, then k^-2 */
    CHECK_ALL(from_file("# k E\n1 1\n\n  4 16 # the peak\n64 0.0625\n", &s) == KOL_OK);
    for (double k = 1; k <= 64; k *= 1.37) {
        const double wanted = k < 4 ? k * k : 256 / (k * k);
        CHECK_ALL_BELOW(fabs(energy_spectrum_energy(s, k) / wanted - 1), 1e-12);
    }
    CHECK_ALL_BELOW(fabs(energy_spectrum_energy(s, 64) / 0.0625 - 1), 1e-12);
    CHECK_ALL(energy_spectrum_energy(s, 0.99) == 0 && energy_spectrum_energy(s, 64.1) == 0);
    energy_spectrum_destroy(&s);
}

/* The message names the line, on every rank. */
static void refused(const char *text, int line, const char *words)
{
    char at[96];
    struct energy_spectrum *s = NULL;
    if (line > 0) snprintf(at, sizeof at, "%s:%d: error", path, line);
    else snprintf(at, sizeof at, "%s: error", path);
    CHECK_ALL(from_file(text, &s) == KOL_ERR_INPUT);
    CHECK_ALL(strstr(status_message(), at) != NULL && strstr(status_message(), words) != NULL);
    energy_spectrum_destroy(&s);
    status_clear();
}

static void test_faulty_tables(void **state)
{
    (void)state;
    refused("1 1\n# two\n2\n", 3, "does not hold two positive numbers");
    refused("1 1\n2 -3\n", 2, "does not hold two positive numbers");
    refused("1 1\n2 1 5\n", 2, "does not hold two positive numbers");
    refused("1 1\n2 nan\n", 2, "does not hold two positive numbers");
    refused("1 1\n3 1\n2 1\n", 3, "wavenumbers must increase");
    refused("1 1\n", 0, "two points");
    refused("", 0, "two points");
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(test_gaussian), CASE(test_von_karman), CASE(test_large_scales),
                                       CASE(test_table), CASE(test_faulty_tables)};
    return MPI_MAIN(argc, argv, "energy spectrum", tests);
}
