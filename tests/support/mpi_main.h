/* Runs cmocka under MPI. It leaves a test at its first failed assertion, on that rank alone; the others would
 * then wait in the next collective call for ever. So these checks first gather the result of all ranks, and
 * then pass or fail on all of them. Use cmocka's own assertions only for what is the same on all ranks. */
#ifndef KOL_TESTS_MPI_MAIN_H
#define KOL_TESTS_MPI_MAIN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <mpi.h>
#include <cmocka.h>

enum { MPI_MAIN_SECONDS = 300 };

/* mpi_main: starts MPI, runs the tests on all ranks and ends MPI. Only rank 0 prints results. Returns the
 * exit code for main: 0 if no test failed on any rank. After MPI_MAIN_SECONDS the program is ended. */
int mpi_main(int *argc, char ***argv, const char *group, const struct CMUnitTest *test, size_t tests);
#define MPI_MAIN(argc, argv, group, tests)                                                                   \
    mpi_main(&(argc), &(argv), (group), (tests), sizeof(tests) / sizeof(tests)[0])

/* CHECK_ALL: asserts that the condition holds on every rank of MPI_COMM_WORLD.
 *
 * CHECK_ALL_BELOW: asserts value <= bound on every rank; a NaN fails. If it fails, the largest value is
 * printed.
 *
 * Both are collective over MPI_COMM_WORLD. */
#define CHECK_ALL(condition) check_all(!!(condition), #condition, __FILE__, __LINE__)
#define CHECK_ALL_BELOW(value, bound)                                                                        \
    check_all_below((value), (bound), #value " <= " #bound, __FILE__, __LINE__)
void check_all(int holds, const char *text, const char *file, int line);
void check_all_below(double value, double bound, const char *text, const char *file, int line);

#endif
