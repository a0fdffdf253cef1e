# BACKEND=emulated: the CUDA kernels as C++ (translate.py), on an emulated GPU; included by the Makefile.

CXX_FLAGS := -std=c++17 -D_GNU_SOURCE $(if $(DEBUG),-O1 -g -DKOLMO_DEBUG,-O2 -g) $(TUNE) -ffp-contract=off -fno-strict-aliasing \
             -Wall -Wextra -Wmissing-declarations -Wno-unknown-pragmas $(WERROR) $(SAN) $(DEFS)
CXX_INCLUDE := -Itests/emulator/include -Ikernels/cuda -I.
# hardware.cuh is the one header that the emulator has of its own
TRANSLATED := $(patsubst %,$(BUILD)/%,$(filter-out %/hardware.cuh,$(wildcard kernels/cuda/*.cuh)) $(SRC_CU))
LIBS += -lstdc++

.PRECIOUS: $(TRANSLATED)
$(TRANSLATED): $(BUILD)/%: % tests/emulator/translate.py
	@$(PYTHON) tests/emulator/translate.py $< $@

$(BUILD)/%.cu.o: $(BUILD)/%.cu $(TRANSLATED) tests/emulator/emulator.mk
	@echo "c++   $<"
	@$(CXX) $(CXX_FLAGS) -D__CUDACC__ -include cuda_runtime.h $(CXX_INCLUDE) -MMD -MP -MF $(@:.o=.d) -x c++ -c $< -o $@

$(BUILD)/%.o: %.cpp tests/emulator/emulator.mk
	@mkdir -p $(@D)
	@echo "c++   $<"
	@$(CXX) $(CXX_FLAGS) $(CXX_INCLUDE) -MMD -MP -c $< -o $@
