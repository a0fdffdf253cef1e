/* Shells over the modulus of the wavenumber, the same for all spectra.
 *
 * Shells are `width` wide [1/L]. Shell n begins at (n - 1/2) width, and shell 0 at 0. Waves can lie on that
 * edge, for example if the sides of the box are as 3 to 2. These belong to shell n, whatever rounding makes
 * of them. */
#ifndef KOL_MATH_WAVENUMBER_SHELLS_H
#define KOL_MATH_WAVENUMBER_SHELLS_H

/* wavenumber_shell_edge: returns the square of the lower edge of a shell, to be compared with squares of
 * wavenumbers [1/L^2]. It is 0 for shell 0. */
double wavenumber_shell_edge(int shell, double width);
/* wavenumber_shell: returns the shell of wavenumber k [1/L]. */
int wavenumber_shell(double k, double width);

#endif
