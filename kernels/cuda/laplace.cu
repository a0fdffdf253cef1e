/* Says what all CUDA kernels of the 7-point operator have in common. */
#include "../laplace.h"

int laplace_around(void)
{
    return 1;
}
