/* Shells over the modulus of the wavenumber, of all spectra. */
#ifndef KOL_MATH_WAVENUMBER_SHELLS_H
#define KOL_MATH_WAVENUMBER_SHELLS_H

/* Shells of wavenumbers, `width` wide: shell n from (n - 1/2) width up. Waves on that edge, as where sides
 * are as 3 to 2, are of shell n whatever rounding makes of them. wavenumber_shell_edge: the square of the
 * lower edge, for squares of wavenumbers [1/L^2]; 0 of shell 0. wavenumber_shell: that of a wavenumber.
 */
double wavenumber_shell_edge(int shell, double width);
int wavenumber_shell(double k, double width);

#endif
