/* Sets the inputs that a program decides itself when it works on stored flows. */
#include "stored_flows.h"

#include <stdio.h>

int input_write_to(struct input *in, const char *folder)
{
    const size_t size = sizeof in->output.directory;
    return snprintf(in->output.directory, size, "%s", folder) < (int)size;
}

void input_take_spectra(struct input *in, int taken)
{
    in->statistics.spectra_interval = taken ? 1 : 0;
}
