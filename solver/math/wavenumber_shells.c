/* Finds the shell of wavenumbers that a wave belongs to. */
#include "wavenumber_shells.h"

#include <math.h>

/* Relative rounding of squares of wavenumbers. */
static const double ROUNDING = 1e-12;

double wavenumber_shell_edge(int shell, double width)
{
    return shell == 0 ? 0 : pow((shell - 0.5) * width, 2) * (1 - ROUNDING);
}

int wavenumber_shell(double k, double width)
{
    return (int)floor(k / width * (1 + ROUNDING / 2) + 0.5);
}
