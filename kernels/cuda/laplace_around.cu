/* Says that the CUDA kernels of the 7-point operator support cells.around. */
#include "../laplace.h"

int laplace_around(void)
{
    return 1;
}
