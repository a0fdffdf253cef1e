/* Comparisons of double numbers. cmocka 1.1.5 compares floating-point numbers in single precision, and its
 * assertions print no numbers. If ranks may differ, use CHECK_ALL of mpi_main.h instead. */
#ifndef KOL_TESTS_CHECK_H
#define KOL_TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* CHECK_NEAR: asserts |a - b| <= tolerance. CHECK_RELATIVE: asserts |a - b| <= tolerance * |b|.
 * CHECK_BELOW: asserts a <= bound. CHECK_SAME: asserts the same bits. A NaN fails all but CHECK_SAME. */
#define CHECK_NEAR(a, b, tolerance) check_near((a), (b), (tolerance), #a " near " #b, __FILE__, __LINE__)
#define CHECK_RELATIVE(a, b, tolerance)                                                                      \
    check_near((a), (b), (tolerance)*fabs(b), #a " near " #b, __FILE__, __LINE__)
#define CHECK_BELOW(a, bound) check_below((a), (bound), #a " <= " #bound, __FILE__, __LINE__)
#define CHECK_SAME(a, b)      check_same((a), (b), #a " same as " #b, __FILE__, __LINE__)

static inline void check_near(double a, double b, double tolerance, const char *text, const char *file,
                              int line)
{
    if (fabs(a - b) <= tolerance) return;
    print_error("%s:%d: %s: %.17g and %.17g differ by %.3g, allowed is %.3g\n", file, line, text, a, b,
                fabs(a - b), tolerance);
    _fail(file, line);
}

static inline void check_below(double a, double bound, const char *text, const char *file, int line)
{
    if (a <= bound) return;
    print_error("%s:%d: %s: %.17g against %.17g\n", file, line, text, a, bound);
    _fail(file, line);
}

static inline void check_same(double a, double b, const char *text, const char *file, int line)
{
    if (memcmp(&a, &b, sizeof a) == 0) return;
    print_error("%s:%d: %s: %.17g and %.17g\n", file, line, text, a, b);
    _fail(file, line);
}

/* check_l2, check_max: return the root mean square and the largest magnitude of a - b over n values. If b
 * is NULL, they are those of a. */
static inline double check_l2(const double *a, const double *b, ptrdiff_t n)
{
    double sum = 0;
    for (ptrdiff_t i = 0; i < n; ++i) {
        const double d = b ? a[i] - b[i] : a[i];
        sum += d * d;
    }
    return sqrt(sum / (double)n);
}

static inline double check_max(const double *a, const double *b, ptrdiff_t n)
{
    double most = 0;
    for (ptrdiff_t i = 0; i < n; ++i) {
        const double d = fabs(b ? a[i] - b[i] : a[i]);
        if (!(d <= most)) most = d; /* a NaN stays */
        if (isnan(d)) return d;
    }
    return most;
}

#endif
