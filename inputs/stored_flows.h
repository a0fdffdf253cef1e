/* What programs that work on stored flows decide about an input themselves. They call these right after
 * input_read(). Once a run has been created from an input, nothing changes it. */
#ifndef KOL_STORED_FLOWS_H
#define KOL_STORED_FLOWS_H

#include "input.h"

/* input_write_to: files go to this folder. Returns 0 if its name is too long for output.directory. */
int input_write_to(struct input *in, const char *folder);
/* input_take_spectra: take spectra of every stored flow if `taken` is set, else of none. */
void input_take_spectra(struct input *in, int taken);

#endif
