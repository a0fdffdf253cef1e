#!/usr/bin/env bash
# Everything that wants a GPU, in one go. usage: tests/gpu/run.sh [OUT [PART ...]]
# Builds both backends, then the parts, all but the last four unless named. First, one after the other, what
# measures or fills a GPU:
#   bench      kolmo-bench, exchanges, NCCL's face
#   large      1024^3 cells on one GPU
#   profile    exchanges hidden
#   memory     that of many kinds of runs, against --check
#   overlap    the exchanges of two GPUs by a timeline, too
# then the others, several at a time, spread over the GPUs:
#   unit       unit tests on the CUDA build
#   builds     CUDA against CPU after 100 steps, restarts across builds
#   reference  the independent solver, 10 steps and 100
#   gpus       transports, layouts of up to 8 ranks, restarts, sharing
#   verify     layouts, restarts, walls, orders, ...
#   physics    the Taylor-Green vortex
#   sanitizer  compute-sanitizer memcheck and racecheck
#   poisson    the pressure solvers against each other
#   scaling    over GPU_SCALING ranks
#   files      how long steps wait for their files: GPU_FILES_CELLS^3 cells on this disk
#   nccl       what NCCL takes for the face that 'bench' exchanges
# OUT: folder for logs and tables (build/gpu unless given). What is not done after GPU_SECONDS (3600) is
# stopped, and failed. GPU_JOBS: a pattern; of the jobs that run beside others only those run whose names
# match it (verify-bodies, memcheck-scalar, ...). Ends with 'N passed, N failed'; without a GPU: skipped,
# code 0.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${1:-build/gpu}
shift
parts=${*:-bench large memory profile overlap unit physics verify builds gpus sanitizer reference}
python=${PYTHON:-python3}
mkdir -p "$out/cache"
# as gpu_list.py finds them, without a name that ends the list, such as '-1'
read -r -a devices < <(cd tests/support && "$python" -c 'import gpu_list; print(*gpu_list.visible())')
gpus=${#devices[@]}
if [ "$gpus" -eq 0 ]; then
    echo "no GPU here: the GPU tests are skipped"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export WERROR=${WERROR--Werror}                # of both builds
export OMPI_MCA_hwloc_base_binding_policy=none # no two programs on one core while another idles
XDG_CACHE_HOME=$(cd "$out/cache" && pwd)       # tuned launch shapes are not the user's
export XDG_CACHE_HOME
cpus=$(nproc)
# A process takes 1.5 s to get at an H200; eight at a time 0.42 s each, sixteen no less, whatever the number
# of GPUs: the driver lets one in after the other. And processes that share a GPU take turns.
lanes=$((cpus / 2 < 8 ? cpus / 2 : 8))
lanes=$((lanes > 1 ? lanes : 1))
end=${GPU_SECONDS:-3600}
kolmo=build/cuda/kolmo
verify="walls couette,poiseuille,half_channel
walls shear_wave,symmetry,bulk,budget,layouts,restart
open uniform,poiseuille,duct,mass,turbulence,step,budget,layouts,restart,methods
layouts half_explicit,wray_implicit,preconditioners
exact_step divergence,like_reference,restart
implicit_walls poiseuille,couette,bulk,budget,layouts,rest
implicit_z poiseuille,couette,bulk,budget,layouts,restart
restart schemes_and_guesses,walls,other_ranks
rotation inertial,lid,spanwise,budget,same_bits
statistics integrals,budgets,layouts,restart,spectra,quadrants
box_statistics
section_statistics integrals,open_faces,laminar,layouts,restart
stored_statistics duct,exact,through
places values,probes,layouts
implicit_open layouts
inflow_planes linear,as_a_table
conservation
order_time stretched
regrid other_grids
scalars between_faces,conservation,open_box,layouts_and_restart,limiter
scalar_statistics against_numpy,nusselt,repeats,merged
scalar_sections
scalar_faces uniform,reference,in_time,inflows,kept
scalar_spectra
scalar_bodies reference,like_walls,balance,given_fluxes,layouts_and_restart
buoyancy still,order_in_time,turned,layouts_and_restart,free_fall
box_forcing powers,wave_powers,held,order,same_bits,stationary,other_flows,decay
formula_force
face_formulas
own_flows formulas_test,same_grid_test,projection_test,scalars_of_file_test
box_history against_statistics,against_numpy,ensembles,ranks_and_restart
cell_averages test_numpy,test_layouts,test_directions,test_turning,test_restart,test_stored,test_merge
cell_budgets reference,walls,layouts
bodies reference,balance,layouts,restart,added,vanishing,walls,fields
surface_data forces,layouts,averages,geometry,shear
moving_bodies
compression
certificate
members
twin
stage_reduction reduced_stages
record_interval
pressure_work
smoke schemes,initial_flows,pressure,files,forced"
passed=0
failed=0
queue=()
turn=0
nvidia-smi -L
finish() { # name, exit code, seconds: adds the counts of its log; no counts: one test
    local log="$out/$1.log" line
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
    [ "$2" -eq 124 ] && line=""
    if [ -n "$line" ]; then
        passed=$((passed + $(echo "$line" | cut -d' ' -f1)))
        failed=$((failed + $(echo "$line" | cut -d' ' -f3)))
    elif [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
    echo "== $1: ${line:-exit code $2} ($3 s)"
    if [ "$2" -ne 0 ]; then
        grep -E 'FAIL|rror|azard' "$log" | head -n "${GPU_LINES:-25}"
        tail -3 "$log"
    fi
}
limited() { # command...: until the end at most
    if declare -F "$1" >/dev/null; then
        "$@"
    else
        timeout -k 5 $((end > SECONDS ? end - SECONDS : 1)) "$@"
    fi
}
alone() { # name, command...
    local name=$1 start=$SECONDS
    shift
    limited "$@" >"$out/$name.log" 2>&1
    finish "$name" $? $((SECONDS - start))
}
later() { # name, command...: beside others
    if [[ ! $1 =~ ${GPU_JOBS:-.} ]]; then return; fi
    queue+=("$(printf '%q ' "$@")")
}
later_one() { # the same, on one of the GPUs
    local name=$1
    shift
    later "$name" env CUDA_VISIBLE_DEVICES="${devices[turn % gpus]}" "$@"
    turn=$((turn + 1))
}
job() { # name, command...
    local name=$1 start=$SECONDS
    shift
    limited "$@" >"$out/$name.log" 2>&1
    echo "$? $((SECONDS - start))" >"$out/$name.code"
}
nccl_face() { # what NCCL takes for a face between two GPUs, where it is installed
    local cuda=${CUDA_HOME:-/usr/local/cuda} libs
    libs="-L$cuda/lib64 -L$cuda/lib -Wl,-rpath,$cuda/lib64:$cuda/lib -lnccl -lcudart"
    if ! printf '#include <nccl.h>\n' | mpicc -isystem "$cuda/include" -E -x c - >/dev/null 2>&1; then
        echo "left out: no nccl.h"
        echo "0 passed, 0 failed"
        return 0
    fi
    # shellcheck disable=SC2086
    mpicc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -isystem "$cuda/include" tests/gpu/nccl_face.c \
        -o "$out/nccl_face" \
        $libs || return 1
    # multicast plays no part in it, and not every machine has it
    NCCL_NVLS_ENABLE=0 timeout 60 mpirun -n 2 "$out/nccl_face"
}
beside_nccl() {
    alone nccl-face nccl_face
    cat "$out/nccl-face.log"
}
# whole runs under both tools: every kernel that they launch; unit tests of kernels that runs seldom reach
sanitized() {
    local test tool given box=periodic
    for test in kernels/column_diffusion kernels/tridiag poisson/direct poisson/multigrid parallel/gather \
        parallel/halo parallel/halo_around boundary/walls kernels/volume_dot boundary/open_faces \
        kernels/plane_average kernels/plane_scalar poisson/ppcg_walls kernels/inflow_waves kernels/moments \
        kernels/scalar kernels/scalar_wall kernels/box_forcing kernels/body kernels/laplace_bodies \
        kernels/cell_average \
        kernels/packed kernels/scalar_moments poisson/bodies \
        kernels/point_sample kernels/line_average kernels/line_scalar kernels/line_budget \
        statistics/box_spectra kernels/laplace_steps kernels/formula_force kernels/level_cg \
        kernels/correct_limits; do
        later_one "memcheck-${test#*/}" compute-sanitizer --tool memcheck --error-exitcode 9 --print-limit 5 \
            "build/cuda/tests/unit/${test%/*}/test_${test#*/}"
    done
    for test in kernels/column_diffusion kernels/tridiag kernels/volume_dot kernels/moments \
        kernels/point_sample kernels/scalar kernels/scalar_wall kernels/body kernels/laplace_bodies \
        kernels/cell_average \
        kernels/packed kernels/level_bodies kernels/level_cg kernels/body_travel kernels/scalar_moments \
        kernels/line_scalar kernels/correct_limits; do
        later_one "racecheck-${test#*/}" compute-sanitizer --tool racecheck --error-exitcode 9 \
            --print-limit 5 "build/cuda/tests/unit/${test%/*}/test_${test#*/}"
    done
    for given in time.scheme=rk3-half time.scheme=rk3-wray time.diffusion=implicit \
        pressure.preconditioner=jacobi pressure.preconditioner=polynomial pressure.preconditioner=direct \
        pressure.method=exact walls \
        time.scheme=rk3-half time.diffusion=implicit time.diffusion=implicit-z \
        pressure.preconditioner=direct statistics.start=0 open \
        time.scheme=rk3-half pressure.preconditioner=direct; do
        case $given in
        walls) box=channel && continue ;;
        open) box=open && continue ;;
        esac
        for tool in memcheck racecheck; do
            later_one "$tool-$box-${given#*=}" compute-sanitizer --tool $tool --error-exitcode 9 \
                --print-limit 5 $kolmo \
                tests/gpu/small-$box.nml --set $given --set output.directory="$out/run-$tool-$box-${given#*=}"
        done
    done
    sanitized_pairs
}
# runs of two ranks: exchanges, sums over GPUs, and what the solvers send, by each transport
sanitized_pairs() {
    local box given transport name transports=host
    if [ "$gpus" -gt 1 ]; then
        transports="peer host"
    else
        echo "one GPU: no runs of two ranks by peer under compute-sanitizer"
    fi
    for transport in $transports; do
        for box in periodic channel; do
            for given in direct polynomial multigrid; do
                name=memcheck-2-$box-$transport-$given
                later "$name" timeout -k 5 300 mpirun -n 2 compute-sanitizer --tool memcheck \
                    --error-exitcode 9 --print-limit 5 $kolmo tests/gpu/small-$box.nml --set run.steps_max=1 \
                    --set "pressure.preconditioner=$given" \
                    --set "device.transport=$transport" --set output.directory="$out/run-$name"
            done
        done
    done
}
alone build make -j"$cpus" BACKEND=cuda all unit-programs bench-programs
alone build-cpu make -j"$cpus" BACKEND=cpu all
for name in $parts; do
    case $name in
    bench)
        alone bench build/cuda/kolmo-bench --quick --sizes 256,512 --json "$out/bench.json"
        cat "$out/bench.log"
        if [ "$gpus" -gt 1 ]; then # exchanges between GPUs, by each transport
            alone bench-halo mpirun -n 2 build/cuda/kolmo-bench --quick --only halo --sizes 512 \
                --append --json "$out/bench.json"
            cat "$out/bench-halo.log"
            beside_nccl
        fi ;;
    nccl) if [ "$gpus" -gt 1 ]; then beside_nccl; fi ;;
    large | memory | profile) alone "$name" "$python" tests/gpu/gpus.py --kolmo $kolmo --only "$name" ;;
    overlap)
        alone overlap "$python" tests/gpu/overlap.py --kolmo $kolmo
        cat "$out/overlap.log" ;;
    unit) later unit make BACKEND=cuda TEST_JOBS=$((lanes / 2 > 1 ? lanes / 2 : 1)) check-unit ;;
    reference)
        for ranks in ${GPU_RANKS:-1 2}; do
            later "reference-$ranks" "$python" tests/verify/compare_reference.py --kolmo $kolmo \
                --ranks "$ranks"
            later "reference-long-$ranks" "$python" tests/verify/compare_reference.py --kolmo $kolmo \
                --ranks "$ranks" --long
        done ;;
    builds) later_one builds "$python" tests/gpu/compare_builds.py --one build/cpu/kolmo --other $kolmo ;;
    gpus)
        for test in transports cuda_aware implicit restart refused shared; do
            later "gpus-$test" "$python" tests/gpu/gpus.py --kolmo $kolmo --only $test
        done ;;
    verify) # no tests of what the host does alone
        while read -r test only; do
            later "verify-$test${only:+-${only%%,*}}" "$python" "tests/verify/$test.py" --kolmo $kolmo \
                --only "$only"
        done <<<"$verify" ;;
    physics)
        later_one physics "$python" tests/physics/taylor_green.py --kolmo $kolmo
        later_one physics-walls "$python" tests/physics/walls.py --kolmo $kolmo \
            --only stokes,ducts,oscillating ;;
    sanitizer) sanitized ;;
    poisson)
        alone poisson build/cuda/kolmo-bench poisson --json "$out/poisson.json"
        cat "$out/poisson.log"
        alone warm build/cuda/kolmo-bench poisson --warm --sizes 256 --json "$out/warm.json"
        cat "$out/warm.log" ;;
    files)
        alone files "$python" tests/gpu/files.py --kolmo $kolmo --cells "${GPU_FILES_CELLS:-512}" \
            --folder "$out"
        cat "$out/files.log" ;;
    scaling)
        for mode in strong weak; do
            for ranks in ${GPU_SCALING:-1 2}; do
                alone "$mode-$ranks" mpirun -n "$ranks" build/cuda/kolmo-bench --scaling $mode --cells 512 \
                    --json "$out/scaling.json"
                cat "$out/$mode-$ranks.log"
            done
        done ;;
    *) echo "unknown part $name"; failed=$((failed + 1)) ;;
    esac
done
for item in "${queue[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$lanes" ]; do wait -n; done
    eval "job $item" &
done
wait
for item in "${queue[@]}"; do
    read -r code seconds <"$out/${item%% *}.code"
    finish "${item%% *}" "$code" "$seconds"
done
echo "in all: $SECONDS s on $gpus GPU(s), $cpus cores, $lanes lanes"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
