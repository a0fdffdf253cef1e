# Kolmo. make [BACKEND=cpu|cuda|emulated] [DEBUG=1] [REAL=float|double]; docs/building.md lists targets and
# variables.
BACKEND  ?= cpu
REAL     ?= double
DEBUG    ?=
SANITIZE ?=
LEVEL    ?= float
ARCH     ?= native
# A warning is an error where something is checked, not where a user builds: the next compiler will have new
# ones. `make check` after `make` compiles anew only the files with warnings: what a compiler said of an
# object is kept beside it.
WERROR   ?= $(if $(filter check% faulttest bench bench-programs unit-programs,$(MAKECMDGOALS)),-Werror)
# the first that has what the tests read files with
ifeq ($(origin PYTHON),undefined)
  PYTHON := $(shell for p in python3 /usr/bin/python3; do \
              $$p -c 'import h5py, numpy' 2>/dev/null && echo $$p && exit; done; echo python3)
endif
MPICC    ?= mpicc
MPIRUN   ?= mpirun
CUDA     ?= $(or $(CUDA_HOME),/usr/local/cuda)
NVCC     ?= $(or $(shell command -v nvcc 2>/dev/null),$(CUDA)/bin/nvcc)
CUDA_ARCH ?= $(shell $(CUDA_ARCH_FOUND))
CUDA_ARCH_FOUND = nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .

ifeq ($(filter $(BACKEND),cpu cuda emulated),)
  $(error BACKEND=$(BACKEND): cpu, cuda or emulated)
endif
ifeq ($(filter $(REAL),float double),)
  $(error REAL=$(REAL): float or double)
endif

ifeq ($(filter $(LEVEL),float double),)
  $(error LEVEL=$(LEVEL): float or double)
endif

# DEBUG=0 and SANITIZE=0 mean off
override DEBUG    := $(filter-out 0,$(DEBUG))
override SANITIZE := $(filter-out 0,$(SANITIZE))
ifeq ($(BACKEND)-$(SANITIZE),cuda-1)
  $(error SANITIZE=1 works with BACKEND=cpu and BACKEND=emulated; `make gputest` runs compute-sanitizer)
endif

# One folder for each kind of build: build/cpu, build/cuda-debug, build/cpu-float, ...
KIND  := $(BACKEND)$(if $(DEBUG),-debug)$(if $(SANITIZE),-sanitize)
KIND  := $(KIND)$(if $(filter float,$(REAL)),-float)$(if $(filter double,$(LEVEL)),-level-double)
BUILD := build/$(KIND)

# Libraries: parallel HDF5 and parallel NetCDF. pkg-config's include path of netcdf-mpi is wrong in Debian, so
# it is given here; linking serial HDF5 beside the parallel one is refused by `make check-link`.
NETCDF_PREFIX := $(shell pkg-config --variable=prefix netcdf-mpi 2>/dev/null)
NETCDF_LIBDIR := $(shell pkg-config --variable=libdir netcdf-mpi 2>/dev/null)
HDF5_CFLAGS   ?= $(shell pkg-config --cflags hdf5-openmpi 2>/dev/null)
HDF5_LIBS     ?= $(shell pkg-config --libs hdf5-openmpi 2>/dev/null)
ifeq ($(strip $(HDF5_CFLAGS)$(HDF5_LIBS)),)
$(warning pkg-config is missing or knows no hdf5-openmpi: install both, or give HDF5_CFLAGS and HDF5_LIBS)
endif
NETCDF_CFLAGS ?= $(if $(NETCDF_PREFIX),-I$(NETCDF_PREFIX)/include)
NETCDF_LIBS   ?= $(if $(NETCDF_LIBDIR),-L$(NETCDF_LIBDIR)) -lnetcdf_mpi
FFTW_CFLAGS   ?= $(shell pkg-config --cflags fftw3 2>/dev/null)
FFTW_LIBS     ?= $(or $(shell pkg-config --libs fftw3 2>/dev/null),-lfftw3)
LAPACK_LIBS   ?= $(or $(shell pkg-config --libs lapack blas 2>/dev/null),-llapack -lblas)
CMOCKA_CFLAGS ?= $(shell pkg-config --cflags cmocka 2>/dev/null)
CMOCKA_LIBS   ?= $(or $(shell pkg-config --libs cmocka 2>/dev/null),-lcmocka)

# -ffp-contract=off: a vector loop and its remainder, and every optimisation level, give the same bits.
WARN   := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wstrict-prototypes -Wmissing-declarations
OPT    := $(if $(DEBUG),-O1 -g -DKOLMO_DEBUG,-O3 -g)
comma  := ,
# Local variables stay on the stack. The sanitizer can keep them elsewhere, to find uses after a return, and
# gcc 13 does so by default. There they lack the alignment to 64 bytes that AVX-512 asks for, and programs end
# by SIGSEGV where the stack is guarded, as Ubuntu's gcc does by default (gcc bug 110027). This is a flag of
# the compiler, not in ASAN_OPTIONS, so that it holds whoever runs the program. gcc and clang (from 13 on)
# have different names for it; $(1) is the compiler.
STACK_KEPT = $(shell for flag in --param=asan-use-after-return=0 -fsanitize-address-use-after-return=never; \
  do $(1) -Werror -fsanitize=address $$flag -x c -c /dev/null -o /dev/null 2>/dev/null && echo $$flag && \
  exit; done)
SANITIZER = $(if $(SANITIZE),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined \
  -fno-omit-frame-pointer $(call STACK_KEPT,$(1)))
SAN    := $(call SANITIZER,$(MPICC))
TUNE   := $(if $(ARCH),-march=$(ARCH))
DEFS   := $(if $(filter float,$(REAL)),-DKOLMO_FLOAT) $(if $(filter double,$(LEVEL)),-DKOLMO_LEVEL_DOUBLE)
CFLAGS_CODE = -std=c11 -D_GNU_SOURCE $(OPT) $(TUNE) -ffp-contract=off -fopenmp-simd $(WARN) $(SAN) $(DEFS) \
  $(CFLAGS)
CFLAGS_ALL = $(CFLAGS_CODE) $(WERROR)
# after a compiler's command
KEEP_WARNINGS = $(if $(WERROR),&& rm -f $@.warnings,2>$@.warnings; code=$$?; cat $@.warnings >&2; \
  test -s $@.warnings || rm -f $@.warnings; exit $$code)
LIBS = $(NETCDF_LIBS) $(HDF5_LIBS) $(if $(filter-out cuda,$(BACKEND)),$(FFTW_LIBS) $(LAPACK_LIBS)) \
  -lm -pthread

SRC_KERNELS_C := $(if $(filter cpu,$(BACKEND)),$(wildcard kernels/cpu/*.c)) $(wildcard kernels/base/*.c)
SRC_CU        := $(if $(filter cuda emulated,$(BACKEND)),$(wildcard kernels/cuda/*.cu))
SRC_EMULATOR  := $(if $(filter emulated,$(BACKEND)),$(wildcard tests/emulator/*.cpp))
SRC_LIB       := $(wildcard inputs/*.c io/*.c) \
                 $(filter-out solver/main.c,$(wildcard solver/*.c solver/*/*.c)) $(SRC_KERNELS_C)
OBJ_LIB       := $(SRC_LIB:%.c=$(BUILD)/%.o) $(SRC_CU:%.cu=$(BUILD)/%.cu.o) $(SRC_EMULATOR:%.cpp=$(BUILD)/%.o)
OBJ_MAIN      := $(BUILD)/solver/main.o
# programs that work on files: postproc/kolmo_<name>.c makes kolmo-<name>
SRC_TOOLS     := $(filter-out postproc/kolmo_%,$(wildcard postproc/*.c))
OBJ_TOOLS     := $(SRC_TOOLS:%.c=$(BUILD)/%.o)
TOOLS         := $(patsubst postproc/kolmo_%.c,$(BUILD)/kolmo-%,$(wildcard postproc/kolmo_*.c))

ifeq ($(BACKEND),cuda)
  # without a GPU to ask: code for the common data-centre chips, and PTX for what comes later
  GENCODE := $(if $(CUDA_ARCH),-arch=sm_$(CUDA_ARCH),-gencode arch=compute_80$(comma)code=sm_80 \
             -gencode arch=compute_90$(comma)code=sm_90 -gencode arch=compute_90$(comma)code=compute_90)
  NVFLAGS := -std=c++17 $(if $(DEBUG),-O1 -g -lineinfo -DKOLMO_DEBUG,-O3 -lineinfo) $(GENCODE) $(DEFS) \
             -Xcompiler -Wall$(comma)-Wextra$(comma)-Wmissing-declarations
  LIBS += -L$(CUDA)/lib64 -lcufft -lcublas -lcusolver -lcudart -lstdc++
endif

.PHONY: all install uninstall dist version
.PHONY: check check-unit check-verify check-physics check-link check-sanitize check-float gputest bench \
        lint format docs gallery clean
.DELETE_ON_ERROR:
all: $(BUILD)/kolmo $(TOOLS)

$(BUILD)/kolmo: $(OBJ_MAIN) $(OBJ_LIB)
	@echo "link  $@"
	@$(MPICC) $(CFLAGS_ALL) $^ -o $@ $(LDFLAGS) $(LIBS)
$(TOOLS): $(BUILD)/kolmo-%: $(BUILD)/postproc/kolmo_%.o $(OBJ_TOOLS) $(OBJ_LIB)
	@echo "link  $@"
	@$(MPICC) $(CFLAGS_ALL) $^ -o $@ $(LDFLAGS) $(LIBS)
.SECONDARY: $(TOOLS:$(BUILD)/kolmo-%=$(BUILD)/postproc/kolmo_%.o)

# Version, compiler and flags go into output/provenance.c alone; the stamp changes only when they do.
# An archive of `make dist` has its version in the file VERSION.
VERSION := $(shell cat VERSION 2>/dev/null || git describe --always --dirty --tags 2>/dev/null || \
                   sh tests/support/head.sh)
STAMP   := $(BUILD)/version.txt
# the C compiler; of a CUDA build nvcc, too, and what it makes code for
COMPILER_NVCC = nvcc $(shell $(NVCC) --version 2>/dev/null | sed -n 's/.*, V//p') for \
  $(patsubst code=%,%,$(filter code=%,$(subst $(comma), ,$(GENCODE)))) \
  $(patsubst -arch=%,%,$(filter -arch=%,$(GENCODE)))
COMPILERS = $(shell $(MPICC) --version 2>/dev/null | head -1)$(COMPILER_CUDA)
COMPILER_CUDA = $(if $(filter cuda,$(BACKEND)),; $(strip $(COMPILER_NVCC)))
STAMP_TEXT = $(VERSION) | $(COMPILERS) | $(CFLAGS_CODE) $(NVFLAGS)
$(STAMP): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(STAMP_TEXT)' | cmp -s - $@ || printf '%s\n' '$(STAMP_TEXT)' > $@
FORCE:
# Objects are made anew where compiler or flags change, so that what provenance.c tells is true of all.
FLAGS      := $(BUILD)/flags.txt
FLAGS_TEXT := $(COMPILERS) | $(CFLAGS_CODE) $(NVFLAGS) | $(HDF5_CFLAGS) $(NETCDF_CFLAGS) $(FFTW_CFLAGS)
$(FLAGS): FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(FLAGS_TEXT)' | cmp -s - $@ || printf '%s\n' '$(FLAGS_TEXT)' > $@
$(BUILD)/solver/output/provenance.o: $(STAMP)
$(BUILD)/solver/output/provenance.o: DEFS += -DKOLMO_VERSION='"$(VERSION)"' \
  -DKOLMO_COMPILER='"$(COMPILERS)"' -DKOLMO_FLAGS='"$(strip $(OPT) $(TUNE) $(SAN))"'

# clang -O1 (DEBUG=1) leaves loops unvectorised that ask for it; that is no fault. gcc does not know the
# option.
$(BUILD)/kernels/cpu/%.o: OPT += -Wno-pass-failed

# A square root that may set errno does not vectorise.
$(BUILD)/kernels/cpu/point_sample.o: OPT += -fno-math-errno

$(if $(WERROR),$(patsubst %.warnings,%,$(shell find $(BUILD) -name '*.o.warnings' 2>/dev/null))): FORCE
$(BUILD)/%.o: %.c Makefile $(FLAGS)
	@mkdir -p $(@D)
	@echo "cc    $<"
	@$(MPICC) $(CFLAGS_ALL) -I. -Isolver $(HDF5_CFLAGS) $(NETCDF_CFLAGS) $(FFTW_CFLAGS) $(CMOCKA_CFLAGS) \
	  -MMD -MP -c $< -o $@ $(KEEP_WARNINGS)

# The sweeps of levels, and a thread's columns of a sweep, give the same bits wherever a cell lies in a tile,
# a face's flux the same alone and beside other sums, and the limits of a step alone and in the monitor, which
# the compiler's choice of contractions would spoil.
$(BUILD)/kernels/cuda/level%.o $(BUILD)/kernels/cuda/laplace_direction.cu.o \
  $(BUILD)/kernels/cuda/laplace_energy.cu.o $(BUILD)/kernels/cuda/laplace_advance.cu.o \
  $(BUILD)/kernels/cuda/laplace_residual.cu.o $(BUILD)/kernels/cuda/laplace_steps.cu.o \
  $(BUILD)/kernels/cuda/open_face.cu.o $(BUILD)/kernels/cuda/section_sample.cu.o \
  $(BUILD)/kernels/cuda/line_average.cu.o $(BUILD)/kernels/cuda/line_scalar.cu.o \
  $(BUILD)/kernels/cuda/line_budget.cu.o \
  $(BUILD)/kernels/cuda/inflow_waves.cu.o \
  $(BUILD)/kernels/cuda/correct.cu.o $(BUILD)/kernels/cuda/correct_limits.cu.o \
  $(BUILD)/kernels/cuda/box_motion.cu.o \
  $(BUILD)/kernels/cuda/monitor.cu.o $(BUILD)/kernels/cuda/cell_average.cu.o \
  $(BUILD)/kernels/cuda/cell_budget.cu.o: NVFLAGS += -fmad=false

ifeq ($(BACKEND),cuda)
$(BUILD)/%.cu.o: %.cu Makefile $(FLAGS)
	@mkdir -p $(@D)
	@echo "nvcc  $<"
	@$(NVCC) $(NVFLAGS) $(if $(WERROR),-Werror all-warnings) -I. -MMD -MP -MF $(@:.o=.d) -c $< -o $@ \
	  $(KEEP_WARNINGS)
endif

-include $(OBJ_LIB:.o=.d) $(OBJ_MAIN:.o=.d) $(OBJ_TOOLS:.o=.d) \
  $(TOOLS:$(BUILD)/kolmo-%=$(BUILD)/postproc/kolmo_%.d)
include tests/tests.mk
ifeq ($(BACKEND),emulated)
  include tests/emulator/emulator.mk
endif

# docs/installing.md. DESTDIR: a folder in the place of /, for packages.
PREFIX ?= /usr/local
install: all
	@PYTHON=$(PYTHON) sh packaging/install.sh $(BUILD) "$(PREFIX)" "$(DESTDIR)"
uninstall:
	@sh packaging/uninstall.sh "$(PREFIX)" "$(DESTDIR)"
dist:
	@sh packaging/dist.sh $(VERSION)
version:
	@echo $(VERSION)

clean:
	rm -rf build
