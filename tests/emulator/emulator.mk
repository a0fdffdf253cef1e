# BACKEND=emulated: the CUDA kernels as C++ (translate.py), on an emulated GPU; included by the Makefile.

CXX_FLAGS := -std=c++17 -D_GNU_SOURCE $(if $(DEBUG),-O1 -g -DKOLMO_DEBUG,-O2 -g) $(TUNE) -ffp-contract=off \
             -fno-strict-aliasing -Wall -Wextra -Wmissing-declarations -Wno-unknown-pragmas $(WERROR) \
             $(call SANITIZER,$(CXX)) $(DEFS) $(CXXFLAGS)
CXX_INCLUDE := -Itests/emulator/include -Itests/emulator -Ikernels/cuda -I. -Isolver
# hardware.cuh is the one header that the emulator has of its own
TRANSLATED := $(filter-out %/hardware.cuh,$(wildcard kernels/cuda/*.cuh)) $(SRC_CU) tests/emulator/faults.cu
TRANSLATED := $(TRANSLATED:%=$(BUILD)/%)
OBJ_EMULATOR := $(SRC_EMULATOR:%.cpp=$(BUILD)/%.o)
FAULTS := $(BUILD)/emulator-faults
LIBS += -lstdc++

.PRECIOUS: $(TRANSLATED)
$(TRANSLATED): $(BUILD)/%: % tests/emulator/translate.py
	@$(PYTHON) tests/emulator/translate.py $< $@

$(BUILD)/%.cu.o: $(BUILD)/%.cu $(TRANSLATED) tests/emulator/emulator.mk $(FLAGS)
	@echo "c++   $<"
	@$(CXX) $(CXX_FLAGS) -D__CUDACC__ -include cuda_runtime.h $(CXX_INCLUDE) -MMD -MP -MF $(@:.o=.d) -x c++ \
	  -c $< -o $@

$(BUILD)/%.o: %.cpp tests/emulator/emulator.mk $(FLAGS)
	@mkdir -p $(@D)
	@echo "c++   $<"
	@$(CXX) $(CXX_FLAGS) $(CXX_INCLUDE) -MMD -MP -c $< -o $@

$(FAULTS): $(BUILD)/tests/emulator/faults.cu.o $(OBJ_EMULATOR)
	@echo "link  $@"
	@$(MPICC) $(CFLAGS_ALL) $^ -o $@ $(LDFLAGS) $(LIBS)
-include $(BUILD)/tests/emulator/faults.cu.d

# The unit tests whose kernels an emulator gets through in seconds; the others are left to a GPU:
# poisson/test_multigrid takes two minutes, and its cycles are in runs.py.
EMULATED_NAMES := boundary/open_faces boundary/walls \
  kernels/body kernels/body_energy kernels/body_travel kernels/box_forcing kernels/column_diffusion \
  kernels/correct_limits \
  kernels/formula_force \
  kernels/inflow_waves kernels/laplace kernels/laplace_steps kernels/level kernels/level_cg \
  kernels/level_ends kernels/level_transfer kernels/line_average kernels/line_budget \
  kernels/line_scalar kernels/moments kernels/momentum \
  kernels/packed kernels/plane_average kernels/plane_scalar kernels/point_sample kernels/projection \
  kernels/replay kernels/scalar kernels/scalar_moments kernels/scalar_wall \
  kernels/tridiag kernels/update kernels/volume_dot \
  parallel/gather parallel/halo parallel/halo_around parallel/reduction parallel/remap_host \
  parallel/transport poisson/direct poisson/direct_single poisson/ppcg_iteration poisson/preconditioner \
  state/pool statistics/box_spectra statistics/section_fields
$(foreach t,$(EMULATED_NAMES),$(if $(wildcard tests/unit/$(dir $t)test_$(notdir $t).c),,\
  $(error tests/emulator/emulator.mk: there is no test of $t)))
emulated_path   = $(BUILD)/tests/unit/$(dir $(1))test_$(notdir $(1))
EMULATED_PATHS := $(foreach t,$(EMULATED_NAMES),$(call emulated_path,$t))
# on two ranks, not on one, too: whole runs on one GPU are in runs.py
EMULATED_UNIT  := $(filter $(EMULATED_PATHS) $(EMULATED_PATHS:=:%),$(UNIT_TWO))
EMULATED_TWICE := $(foreach t,momentum projection,\
  "env EMULATOR_ORDER=random:3 $(call emulated_path,kernels/$t)")
EMULATED_ENV   := XDG_CACHE_HOME=$(CURDIR)/$(BUILD)/cache
check-emulated-run: $(BUILD)/kolmo $(call programs_of,$(EMULATED_UNIT)) $(FAULTS) $(YIELD)
	@mkdir -p $(BUILD)/cache
	@$(EMULATED_ENV) $(RUNNER) \
	  $(foreach k,1 2 3,"tests/emulator/runs.py --kolmo $(BUILD)/kolmo --part $k/3") \
	  $(EMULATED_UNIT) $(EMULATED_TWICE) \
	  "tests/emulator/faults.py --program $(FAULTS)"
.PHONY: check-emulated-run
