/* What programs that work on stored flows decide about an input themselves. They call these right after
 * input_read(). Once a run has been created from an input, nothing changes it. */
#ifndef KOL_STORED_FLOWS_H
#define KOL_STORED_FLOWS_H

#include "input.h"

/* input_write_to: sets output.directory to this folder, so that files are written there. Returns 0 if the
 * name of the folder is too long. */
int input_write_to(struct input *in, const char *folder);
/* input_take_spectra: makes the statistics take spectra of every stored flow if `taken` is set, and of none
 * otherwise. */
void input_take_spectra(struct input *in, int taken);

#endif
