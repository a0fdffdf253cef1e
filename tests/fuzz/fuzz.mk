# Fuzzing: tests/fuzz/README.md. Included by tests.mk. FUZZER: libfuzzer, or afl for AFL++.
FUZZ_SECONDS ?= 60
FUZZER       ?= libfuzzer
FUZZ_CC      ?= $(or $(shell command -v clang-14 2>/dev/null),clang)
FUZZ         := build/fuzz
FUZZ_PROGRAM := $(FUZZ)/$(FUZZER)
FUZZ_RUN     := tests/fuzz/fuzz.py --fuzzer $(FUZZER) --work $(FUZZ)
FUZZ_FLAGS   := -std=c11 -D_GNU_SOURCE -O1 -g -fno-omit-frame-pointer -I. $(WARN) $(WERROR) \
                -fsanitize=fuzzer$(comma)address$(comma)undefined -fno-sanitize-recover=undefined
# what the readers take from kernels/base
FUZZ_BASE    := $(addprefix kernels/base/,status.c plain_text.c regular_file.c turns.c)
FUZZ_BUILD    = OMPI_CC=$(if $(filter afl,$(FUZZER)),afl-clang-fast,$(FUZZ_CC)) $(MPICC) $(FUZZ_FLAGS)

$(FUZZ_PROGRAM)-namelist: tests/fuzz/fuzz_namelist.c $(wildcard inputs/*.c) $(FUZZ_BASE)
$(FUZZ_PROGRAM)-checkpoint: tests/fuzz/fuzz_checkpoint.c tests/fuzz/h5recipe.c $(wildcard io/*.c) \
  $(FUZZ_BASE)
$(FUZZ_PROGRAM)-namelist $(FUZZ_PROGRAM)-checkpoint: \
  $(wildcard inputs/*.h io/*.h kernels/base/*.h tests/fuzz/*.h) Makefile
	@mkdir -p $(@D)
	@echo "fuzz  $@"
	@$(FUZZ_BUILD) $(HDF5_CFLAGS) $(NETCDF_CFLAGS) $(filter %.c,$^) -o $@ $(LDFLAGS) $(NETCDF_LIBS) \
	  $(HDF5_LIBS) -lm
$(FUZZ)/namelist.dict: tests/fuzz/dictionary.sh inputs/table.c
	@mkdir -p $(@D)
	@bash tests/fuzz/dictionary.sh inputs/table.c > $@
$(FUZZ)/differential: tests/fuzz/differential.c $(wildcard inputs/*.c inputs/*.h) $(FUZZ_BASE)
	@mkdir -p $(@D)
	@$(CC) -std=c11 -D_GNU_SOURCE -O1 -g -I. $(WARN) $(WERROR) $(filter %.c,$^) -o $@ -lm

fuzz-programs: $(FUZZ_PROGRAM)-namelist $(FUZZ_PROGRAM)-checkpoint $(FUZZ)/namelist.dict $(FUZZ)/differential

# fuzz: each target for FUZZ_SECONDS. check-fuzz: what a change must pass.
fuzz: fuzz-programs
	@$(ONE_HOST) $(RUN_TESTS) --timeout $$(($(FUZZ_SECONDS) + 300)) \
	  "$(FUZZ_RUN) --seconds $(FUZZ_SECONDS) namelist" "$(FUZZ_RUN) --seconds $(FUZZ_SECONDS) checkpoint"
check-fuzz: fuzz-programs
	@$(ONE_HOST) $(RUN_TESTS) "$(FUZZ_RUN) --seconds 25 namelist" "$(FUZZ_RUN) --seconds 25 checkpoint" \
	  "tests/fuzz/differential.py --reader $(FUZZ)/differential"
.PHONY: fuzz fuzz-programs check-fuzz
