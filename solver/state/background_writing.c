/* Decides from input and build whether files are written while the steps go on. */
#include "background_writing.h"

#include "inputs/statistics_wanted.h"
#include "kernels/base/device.h"
#include "kernels/base/turns.h"

int background_wanted(const struct input *in)
{
    if (cells_wanted(in)) return 0;
    if (turns_count() > 1) return 0;
    return in->checkpoint.background < 0 ? device_is_gpu() : in->checkpoint.background;
}
