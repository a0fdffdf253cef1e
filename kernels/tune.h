/* Launch shapes: how a kernel of the CUDA build is divided into thread blocks. Each kernel has a few shapes;
 * solver/control/launch_tuning.c measures them and chooses. No result depends on the choice, not by a bit
 * (test_launch_tuning.c). The CPU build has one shape for each kernel. */
#ifndef KOL_TUNE_H
#define KOL_TUNE_H

#include "base/status.h"

KOL_BEGIN_C

enum tune_kernel {
    TUNE_MOMENTUM,
    TUNE_STAGE,
    TUNE_DIVERGENCE,
    TUNE_CORRECT,
    TUNE_CORRECT_LIMITS,
    TUNE_MONITOR,
    TUNE_RESIDUAL,
    TUNE_CHECK, /* laplace_residual with r = NULL: nothing is stored */
    TUNE_START,
    TUNE_DIRECTION,
    TUNE_FIRST, /* laplace_direction with d = NULL: one array instead of two */
    TUNE_UPDATE,
    TUNE_UPDATE_APART, /* laplace_update without a polynomial: z is NULL, or r over the diagonal */
    TUNE_CHEBYSHEV,
    TUNE_STEPS,
    TUNE_ADVANCE,
    TUNE_COLUMN, /* column_solve */
    TUNE_KERNELS
};
enum { TUNE_TEXT = 32 }; /* bytes of a name, terminating zero included; a name has no blanks, commas or "=" */
/* tune_name: returns the name of the kernel, which is that of the function in the headers of this folder.
 * tune_shapes: returns the number of its shapes. tune_shape_name: writes the name of a shape to `text`, for
 * the user and the tuning file. tune_choose: selects the shape of later launches; at the start it is shape 0.
 * tune_chosen: returns the shape in use. */
const char *tune_name(enum tune_kernel k);
int tune_shapes(enum tune_kernel k);
void tune_shape_name(enum tune_kernel k, int shape, char text[TUNE_TEXT]);
void tune_choose(enum tune_kernel k, int shape);
int tune_chosen(enum tune_kernel k);

KOL_END_C

#endif
