/* What the fuzz targets share: a fuzzer calls them with bytes, again and again, in one process. */
#ifndef KOL_TEST_FUZZ_H
#define KOL_TEST_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "kernels/base/status.h"

/* libFuzzer and AFL++ know these names. Initialize may be missing. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* REQUIRE: tests a promise of the code under test. If the promise is broken, the fuzzer keeps the bytes. */
#define REQUIRE(condition)                                                                                   \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            fprintf(stderr, "%s:%d: broken: %s\nmessage: %s\n", __FILE__, __LINE__, #condition,              \
                    status_message());                                                                       \
            abort();                                                                                         \
        }                                                                                                    \
    } while (0)

#endif
