# Tests and benchmarks; included by the Makefile. Every unit test program says in its first line on how many
# ranks it runs: "/* ranks: 1 2 4 */".

SUPPORT_C  := $(wildcard tests/support/*.c tests/reference/*.c)
UNIT_C     := $(wildcard tests/unit/*/test_*.c)
BENCH_C    := $(wildcard tests/bench/bench_*.c)
BENCH      := $(BUILD)/kolmo-bench
TEST_OBJ   := $(SUPPORT_C:%.c=$(BUILD)/%.o)
# A test program takes from these what it needs: with all objects of the code a link takes six times as long,
# and there are a hundred of them in each build.
LIBRARY    := $(BUILD)/libkolmo.a
TEST_LIB   := $(BUILD)/libtests.a
# which other builds preload, or do without
ifneq ($(SANITIZE),)
  TEST_ALL := $(BUILD)/tests/support/preload/yield.o $(BUILD)/tests/support/preload/leak_callers.o
  # All else is compiled at the -O1 of DEBUG=1, in half of the time. These files have code for sanitizers, and
  # at -O3, which `make SANITIZE=1` takes, gcc warns of more.
  $(BUILD)/kernels/base/turns.o $(BUILD)/solver/state/pool.o: OPT += -O3
endif
UNIT       := $(UNIT_C:%.c=$(BUILD)/%)
ranks_of    = $(shell sed -n '1s|.*ranks:\([ 0-9]*\).*|\1|p' $(1) | xargs | tr ' ' ',')
UNIT_RUNS  := $(foreach t,$(UNIT_C),$(BUILD)/$(t:.c=)$(if $(call ranks_of,$(t)),:$(call ranks_of,$(t))))
# without the ranks
programs_of = $(foreach t,$(1),$(firstword $(subst :, ,$t)))
# ranks that share a GPU take turns: 8 of them would only wait
UNIT_FEWER := $(subst $(comma)8,,$(UNIT_RUNS))
# sanitized ranks are slow: more of them than cores find no more
UNIT_PAIRS := $(subst $(comma)4,,$(UNIT_FEWER))
# what single precision changes does not depend on the ranks; whole runs are sanitized on one
UNIT_TWO   := $(subst :1$(comma)2,:2,$(UNIT_PAIRS))
# without a `real` in what they test
NO_REAL    := $(BUILD)/tests/unit/inputs/% $(foreach t,io/test_log io/test_rate_file io/test_run_lock \
                statistics/test_batch_errors statistics/test_batch_means,$(BUILD)/tests/unit/$t)
UNIT_REAL  := $(filter-out $(NO_REAL) $(NO_REAL:=:%),$(UNIT_TWO))
# Under sanitizers all but those that take half a minute and more there for many cases of code that the others
# run, too.
UNIT_LONG      := $(foreach t,bodies/test_body_geometry kernels/test_cells poisson/test_bodies \
                    poisson/test_ppcg_iteration poisson/test_multigrid \
                    kernels/test_sums control/test_launch_tuning statistics/test_batch_errors,\
                    $(BUILD)/tests/unit/$t)
UNIT_SANITIZED := $(filter-out $(UNIT_LONG) $(UNIT_LONG:=:%),$(UNIT_TWO))
# damage to files is found by each rank alone
UNIT_SANITIZED := $(UNIT_SANITIZED:%/test_io_damage:2=%/test_io_damage:1)
# The longest first, so that none of them is left over when the others have ended.
LONGEST    := $(foreach t,report_damage report stopping paths phases faults installed restart cell_averages \
                moving_bodies walls background,tests/verify/$t.py)
UNIT_FIRST := $(filter %/test_batch_errors:1,$(UNIT_RUNS))
VERIFY_PY  := $(LONGEST) $(filter-out $(LONGEST),$(wildcard tests/verify/*.py))
PHYSICS_PY := $(wildcard tests/physics/*.py)
# What in a script watches the clock, and mostly sleeps, runs after all others.
WATCHES    := $(shell grep -l '^@kc.watches_clock' $(VERIFY_PY))
verify      = "$(1) --kolmo $(BUILD)/kolmo$(if $(filter $(1),$(WATCHES)), --clock not)"
watching    = "alone:$(1) --kolmo $(BUILD)/kolmo --clock only"
# Scripts that leave something out for its time: `make check-long` gives them --long. Of thin_cells.py it runs
# one test.
LONGER      = $(filter-out %/thin_cells.py,$(shell grep -l 'options\.long' $(VERIFY_PY)))
VERIFY_LONG = $(foreach t,$(LONGER),"$t --kolmo $(BUILD)/kolmo --long") \
              "tests/verify/thin_cells.py --kolmo $(BUILD)/kolmo --only sweep --long" \
              $(foreach n,1 2,"tests/verify/compare_reference.py --kolmo $(BUILD)/kolmo --ranks $n --long") \
              "tests/physics/walls.py --kolmo $(BUILD)/kolmo --long --only re1000" \
              "tests/physics/error_bars.py --kolmo $(BUILD)/kolmo --long" \
              "tests/physics/sphere_drag.py --kolmo $(BUILD)/kolmo --long" \
              "tests/physics/backward_step.py --kolmo $(BUILD)/kolmo --long" \
              "tests/physics/orr_sommerfeld.py --kolmo $(BUILD)/kolmo --long"
VERIFY_RUNS = $(foreach t,$(VERIFY_PY),$(call verify,$t)) $(foreach t,$(WATCHES),$(call watching,$t))
# Programs at a time: two more than cores, for ranks wait for each other, and some tests for the clock. On a
# GPU they would share it.
TEST_JOBS  ?= $(if $(filter cuda,$(BACKEND)),1,$(shell echo $$(($$(nproc 2>/dev/null || echo 1) + 2))))
# Open MPI looks for 0.2 s at each start for networks that ranks of one host do not need. CUDA-aware builds
# may need what it finds. Nor does it look at the machine's caches and cards, for no rank is bound to a core:
# a tenth of the time of a short run. A rank that waits gives its core away: two programs of two ranks on two
# cores took twice the processor time without. With yield.so it sleeps meanwhile, and takes no time from those
# it waits for: runs of eight ranks beside other work then took a third of the time. The sanitizers' library
# must be the first, so they go without. So does a folder with a blank or a colon in its path, which
# LD_PRELOAD can't name.
YIELD_C    := tests/support/preload/yield.c
NO_YIELD   := $(filter cuda,$(BACKEND))$(SANITIZE)$(word 2,$(CURDIR))$(findstring :,$(CURDIR))
YIELD      := $(if $(NO_YIELD),,$(BUILD)/$(YIELD_C:.c=.so))
ONE_HOST   := $(if $(filter cuda,$(BACKEND)),,OMPI_MCA_pml=$${OMPI_MCA_pml-ob1} \
              OMPI_MCA_mpi_yield_when_idle=$${OMPI_MCA_mpi_yield_when_idle-1} \
              HWLOC_SYNTHETIC="$${HWLOC_SYNTHETIC-core:$$(nproc 2>/dev/null || echo 2) pu:1}" \
              HWLOC_PLUGINS_PATH=$${HWLOC_PLUGINS_PATH-/nonexistent})
NAPS       := $(if $(YIELD),LD_PRELOAD="$(CURDIR)/$(YIELD)$${LD_PRELOAD:+:$$LD_PRELOAD}")
RUN_TESTS  := $(PYTHON) tests/run.py --mpirun "$(MPIRUN) --oversubscribe" --jobs $(TEST_JOBS)
# of a target that is named below with what it preloads; others take $(ONE_HOST) $(RUN_TESTS)
RUNNER     := $(ONE_HOST) $(NAPS) $(RUN_TESTS)

$(LIBRARY): $(OBJ_LIB)
$(TEST_LIB): $(TEST_OBJ)
$(LIBRARY) $(TEST_LIB):
	@rm -f $@
	@$(AR) crs $@ $^
$(UNIT): $(BUILD)/%: $(BUILD)/%.o $(TEST_ALL) $(TEST_LIB) $(LIBRARY)
	@echo "link  $@"
	@$(MPICC) $(CFLAGS_ALL) $^ -o $@ $(LDFLAGS) $(WRAP) $(LIBS) $(CMOCKA_LIBS)
# it looks at what is taken and given back
$(BUILD)/tests/unit/run/test_memory: WRAP := -Wl,--wrap=mem_kernel_alloc,--wrap=mem_kernel_free
# it counts the corrections that sum
$(BUILD)/tests/unit/step/test_flow_monitor: WRAP := \
  $(foreach kind,limits limits_packed limits_single,-Wl,--wrap=project_correct_$(kind))
$(BENCH): $(BENCH_C:%.c=$(BUILD)/%.o) $(BUILD)/tests/support/mask_case.o $(LIBRARY)
	@echo "link  $@"
	@$(MPICC) $(CFLAGS_ALL) $^ -o $@ $(LDFLAGS) $(LIBS)
$(BUILD)/tests/bench/bench_main.o: DEFS += -DBENCH_JSON='"$(BUILD)/bench.json"'
-include $(TEST_OBJ:.o=.d) $(TEST_ALL:.o=.d) $(UNIT:=.d) $(BENCH_C:%.c=$(BUILD)/%.d)
.SECONDARY: $(UNIT:=.o)

# what preloads it needs it: ld.so would complain at each start
check check-unit check-verify check-verify-long check-physics check-errors check-float-run: $(YIELD)
$(BUILD)/$(YIELD_C:.c=.so): $(YIELD_C) Makefile
	@mkdir -p $(@D)
	@echo "link  $@"
	@$(MPICC) $(CFLAGS_ALL) -fPIC -shared $< -o $@

unit-programs: $(UNIT)
bench-programs: $(BENCH)

# TEST_JOBS tests run at a time, whatever -j says.
check: $(BUILD)/kolmo $(TOOLS) $(UNIT) $(BENCH)
	@$(RUNNER) $(UNIT_FIRST) $(VERIFY_RUNS) $(foreach t,$(PHYSICS_PY),"$(t) --kolmo $(BUILD)/kolmo") \
	  $(filter-out $(UNIT_FIRST),$(UNIT_RUNS)) "tests/gpu/overlap.py --made-up"
check-unit: $(UNIT)
	@$(RUNNER) $(if $(filter cpu,$(BACKEND)),$(UNIT_RUNS),$(UNIT_FEWER))
check-verify: $(BUILD)/kolmo $(TOOLS) $(BENCH)
	@$(RUNNER) $(VERIFY_RUNS)

check-verify-long: $(BUILD)/kolmo $(TOOLS) $(BENCH)
	@$(RUNNER) --timeout 7200 $(VERIFY_LONG)

check-physics: $(BUILD)/kolmo
	@$(RUNNER) $(foreach t,$(PHYSICS_PY),"$(t) --kolmo $(BUILD)/kolmo")

# Claimed errors over the scatter of 60 runs of a small channel (docs/statistics.md, "Error bars"); a part of
# check-long. `check` has it with 18 runs.
check-errors: $(BUILD)/kolmo
	@$(RUNNER) "tests/physics/error_bars.py --kolmo $(BUILD)/kolmo --long"

# No serial HDF5 may be mapped beside the parallel one.
check-link: $(BUILD)/kolmo
	@if ldd $< | grep -q hdf5_serial; then echo "$< maps the serial HDF5"; exit 1; fi

# Leaks of Open MPI and its friends are not ours: tests/support/lsan.supp names their libraries. The leak
# checker itself crashes now and then while it stops MPI's threads, and a program that has run can't always be
# run again in its place: the unit tests look for leaks (run.py repeats one whose checker crashed), and
# leaks.py in whole runs; the other scripts do not. Unit tests have leak_callers.c, so that the fast way to
# find out who takes memory will do; leaks.py takes the slow one.
SAN_ENV := LSAN_OPTIONS=suppressions=$(CURDIR)/tests/support/lsan.supp:print_suppressions=0 \
           ASAN_OPTIONS=fast_unwind_on_malloc=1
check-sanitize:
	@$(MAKE) --no-print-directory BACKEND=cpu SANITIZE=1 DEBUG=1 REAL=$(REAL) check-sanitize-run
check-sanitize-run: $(BUILD)/kolmo $(TOOLS) $(call programs_of,$(UNIT_SANITIZED))
	@$(SAN_ENV) $(RUNNER) \
	  "tests/verify/smoke.py --kolmo $(BUILD)/kolmo --only schemes,pressure,files" \
	  "tests/support/leaks.py --kolmo $(BUILD)/kolmo" $(UNIT_SANITIZED)
# The same with what check-sanitize leaves out: every unit test, on one rank and on two, and all of smoke.py.
check-sanitize-long:
	@$(MAKE) --no-print-directory BACKEND=cpu SANITIZE=1 DEBUG=1 REAL=$(REAL) check-sanitize-long-run
check-sanitize-long-run: $(BUILD)/kolmo $(TOOLS) $(UNIT)
	@$(SAN_ENV) KOLMO_TEST_LONG=1 $(RUNNER) --timeout 7200 "tests/verify/smoke.py --kolmo $(BUILD)/kolmo" \
	  "tests/support/leaks.py --kolmo $(BUILD)/kolmo" $(UNIT_PAIRS)

# Every variant of docs/building.md, each in a folder of its own. VARIANTS: one of them.
check-builds:
	@$(PYTHON) tests/builds/variants.py $(if $(VARIANTS),--only "$(VARIANTS)")

# The longer checks, which CI leaves out: hours. Ends with 'N passed, N failed'. Variables by the environment.
check-long:
	@bash .ci/run long

check-float:
	@$(MAKE) --no-print-directory BACKEND=$(BACKEND) REAL=float check-float-run
check-float-run: $(BUILD)/kolmo $(call programs_of,$(UNIT_REAL))
	@$(RUNNER) "tests/verify/smoke.py --kolmo $(BUILD)/kolmo --real float" $(UNIT_REAL) \
	  "tests/verify/scalar_spectra.py --kolmo $(BUILD)/kolmo --real float \
	  --only densities,densities_at_heights" \
	  "tests/verify/scalar_faces.py --kolmo $(BUILD)/kolmo --real float --only reference,balance"

# BENCH_FLAGS: options of kolmo-bench. Cores share their memory's bandwidth: the CPU build is measured on two
# ranks, too.
AS_ROOT := $(if $(filter 0,$(shell id -u)),OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
bench: $(BENCH)
	@$(AS_ROOT) $(MPIRUN) -n 1 $(BENCH) $(BENCH_FLAGS)
	@$(if $(filter cpu,$(BACKEND)),$(AS_ROOT) $(MPIRUN) --oversubscribe -n 2 $(BENCH) $(BENCH_FLAGS) --append)

# FAULTS=quick: about a twelfth of the tries; FAULT_COUNT: tries of the first kind, the other counts go with
# it; FAULT_SEED repeats a run; FAULT_HANG: seconds after which a run counts as hanging, where others keep the
# cores busy. Only the full count renews the table of docs/reliability.md.
FAULT_VERIFIER := $(BUILD)/tests/faults/verifier
FAULT_TABLE    := $(if $(FAULT_COUNT)$(filter quick,$(FAULTS)),,--table docs/reliability.md)
$(FAULT_VERIFIER): $(BUILD)/tests/faults/verifier.o $(LIBRARY)
	@echo "link  $@"
	@$(MPICC) $(CFLAGS_ALL) $^ -o $@ $(LDFLAGS) $(LIBS)
-include $(FAULT_VERIFIER).d
faulttest: $(BUILD)/kolmo $(FAULT_VERIFIER)
	@$(ONE_HOST) FAULT_HANG=$(FAULT_HANG) $(PYTHON) tests/faults/faulttest.py --kolmo $(BUILD)/kolmo \
	  --verifier $(FAULT_VERIFIER) --mpirun "$(MPIRUN) --oversubscribe" \
	  $(FAULT_TABLE) $(if $(filter quick,$(FAULTS)),--quick) $(if $(FAULT_COUNT),--count $(FAULT_COUNT)) \
	  $(if $(FAULT_SEED),--seed $(FAULT_SEED))

gputest:
	@PYTHON=$(PYTHON) bash tests/gpu/run.sh

# Who calls whom is read from the objects of the CPU build, so they are built first.
lint: $(if $(shell command -v $(MPICC) 2>/dev/null),objects)
	@bash tests/policy/lint.sh
objects:
	@$(MAKE) --no-print-directory BACKEND=cpu DEBUG= SANITIZE= REAL=double LEVEL=float cpu-objects
cpu-objects: $(OBJ_MAIN) $(OBJ_LIB)
.PHONY: objects cpu-objects
# Of lint, what looks at objects.
check-calls: $(OBJ_MAIN) $(OBJ_LIB)
	@$(PYTHON) tests/policy/call_circles.py
	@$(PYTHON) tests/policy/lone_functions.py
format:
	@clang-format -i --style=file $$(git ls-files '*.c' '*.h' '*.cu' '*.cuh')

# The references of inputs and statistics are made from the code's own tables.
docs: $(BUILD)/kolmo
	@sed -n '1,/<!-- generated below -->/p' docs/inputs.md > $(BUILD)/inputs.md
	@./$(BUILD)/kolmo --help-input=markdown >> $(BUILD)/inputs.md
	@sed -n '1,/<!-- generated below -->/p' docs/statistics.md > $(BUILD)/statistics.md
	@./$(BUILD)/kolmo --help-statistics >> $(BUILD)/statistics.md
	@cmp -s $(BUILD)/statistics.md docs/statistics.md || \
	  { cp $(BUILD)/statistics.md docs/statistics.md; echo "docs/statistics.md renewed"; }
	@cmp -s $(BUILD)/inputs.md docs/inputs.md || \
	  { cp $(BUILD)/inputs.md docs/inputs.md; echo "docs/inputs.md renewed"; }

# One picture of each of some cases: twenty minutes on two cores that have other work, too.
gallery: $(BUILD)/kolmo
	@$(PYTHON) postproc/gallery.py --kolmo $(BUILD)/kolmo docs

# The CUDA kernels on an emulated GPU: tests/emulator/README.md.
check-emulated:
	@$(MAKE) --no-print-directory BACKEND=emulated check-emulated-run
.PHONY: check-errors \
        check-long check-builds check-sanitize-long check-sanitize-long-run check-verify-long check-calls \
        check-emulated faulttest check-sanitize-run check-float-run unit-programs bench-programs
include tests/fuzz/fuzz.mk
