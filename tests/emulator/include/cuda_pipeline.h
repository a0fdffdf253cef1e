/* The asynchronous copies of CUDA C++ by their other names: hardware.cuh has both. */
#ifndef KOL_EMULATOR_CUDA_PIPELINE_H
#define KOL_EMULATOR_CUDA_PIPELINE_H

#include "hardware.cuh"

#define __pipeline_memcpy_async(to, from, bytes) emulator_copy((to), (from), (bytes))
#define __pipeline_commit()                      emulator_copies_commit()
#define __pipeline_wait_prior(groups)            emulator_copies_wait(groups)

#endif
