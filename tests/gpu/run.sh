#!/usr/bin/env bash
# Everything that wants a GPU, in one go. usage: tests/gpu/run.sh [OUT [PART ...]]
# Builds both backends, then the parts, all of them unless named:
#   unit       unit tests on the CUDA build            builds     CUDA against CPU after 100 steps, restarts across builds
#   reference  the independent solver, ranks GPU_RANKS gpus       transports, layouts, memory, sharing, profile
#   verify     layouts and restarts on shared GPUs     sanitizer  compute-sanitizer memcheck and racecheck
#   poisson    the pressure solvers against each other
#   physics    the Taylor-Green vortex                 bench      kolmo-bench        scaling  over GPU_SCALING ranks
# OUT: folder for logs and tables (build/gpu unless given). Ends with 'N passed, N failed'; without a GPU: skipped, code 0.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${1:-build/gpu}
shift
parts=${*:-unit reference builds gpus verify physics sanitizer bench poisson}
python=${PYTHON:-python3}
mkdir -p "$out"
if ! nvidia-smi -L >/dev/null 2>&1; then
    echo "no GPU here: the GPU tests are skipped"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
mkdir -p "$out/cache"
XDG_CACHE_HOME=$(cd "$out/cache" && pwd) # tuned launch shapes are not the user's
export XDG_CACHE_HOME
nvidia-smi -L
passed=0
failed=0
part() { # name, command...: runs it and adds its counts; no counts: one test
    local name=$1 log="$out/$1.log" line start=$SECONDS rc
    shift
    "$@" >"$log" 2>&1
    rc=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
    if [ -n "$line" ]; then
        passed=$((passed + $(echo "$line" | cut -d' ' -f1)))
        failed=$((failed + $(echo "$line" | cut -d' ' -f3)))
    elif [ $rc -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
    echo "== $name: ${line:-exit code $rc} ($((SECONDS - start)) s)"
    if [ $rc -ne 0 ]; then grep -E 'FAIL|rror' "$log" | head -n "${GPU_LINES:-25}"; tail -3 "$log"; fi
}
sanitize() { # tool, program...: the tool's own findings fail
    compute-sanitizer --tool "$1" --error-exitcode 9 --print-limit 5 "${@:2}"
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
    mpicc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -isystem "$cuda/include" tests/gpu/nccl_face.c -o "$out/nccl_face" \
        $libs || return 1
    NCCL_NVLS_ENABLE=0 timeout 120 mpirun -n 2 "$out/nccl_face" # multicast plays no part in it, and not every machine has it
}
cpus=$(nproc)
part build make -j"$cpus" BACKEND=cuda all unit-programs bench-programs
part build-cpu make -j"$cpus" BACKEND=cpu all
kolmo=build/cuda/kolmo
for name in $parts; do
    case $name in
    unit) part unit make BACKEND=cuda check-unit ;;
    reference)
        for ranks in ${GPU_RANKS:-1 2}; do
            part "reference-$ranks" "$python" tests/verify/compare_reference.py --kolmo $kolmo --ranks "$ranks"
        done ;;
    builds) part builds "$python" tests/gpu/compare_builds.py --one build/cpu/kolmo --other $kolmo ;;
    gpus) part gpus "$python" tests/gpu/gpus.py --kolmo $kolmo ;;
    verify)
        for test in smoke layouts restart conservation order_time walls; do
            part "verify-$test" "$python" tests/verify/$test.py --kolmo $kolmo
        done ;;
    physics) part physics "$python" tests/physics/taylor_green.py --kolmo $kolmo ;;
    sanitizer)
        for test in test_iteration test_momentum test_project test_sums test_halo test_around test_level test_level_ends \
            test_level_transfer test_dot test_curl; do
            part "memcheck-$test" sanitize memcheck build/cuda/tests/unit/$test
        done
        cat >"$out/small.nml" <<'END'
&run steps_max=2 /
&grid n=20,18,24 stretching='sine','uniform','tanh' stretching_factor=0.3,0,1.2 /
&fluid nu=0.02 /
&initial type='isotropic' k_peak=2 /
&checkpoint at_end=.false. /
&device tuning=.false. /
END
        for given in time.scheme=rk3-half time.scheme=rk3-wray time.diffusion=implicit pressure.preconditioner=jacobi \
            pressure.preconditioner=polynomial pressure.preconditioner=direct pressure.method=exact; do
            for tool in memcheck racecheck; do
                part "$tool-${given#*=}" sanitize $tool $kolmo "$out/small.nml" --set $given --set output.directory="$out/small"
            done
        done ;;
    poisson)
        part poisson build/cuda/kolmo-bench poisson --json "$out/poisson.json"
        cat "$out/poisson.log"
        part warm build/cuda/kolmo-bench poisson --warm --sizes 256 --json "$out/warm.json"
        cat "$out/warm.log" ;;
    bench)
        part bench build/cuda/kolmo-bench --json "$out/bench.json"
        cat "$out/bench.log"
        if [ "$(nvidia-smi -L | wc -l)" -gt 1 ]; then # exchanges between GPUs, by each transport
            part bench-halo mpirun -n 2 build/cuda/kolmo-bench --only halo --sizes 512 --append --json "$out/bench.json"
            cat "$out/bench-halo.log"
            part nccl-face nccl_face
            cat "$out/nccl-face.log"
        fi ;;
    scaling)
        for mode in strong weak; do
            for ranks in ${GPU_SCALING:-1 2}; do
                part "$mode-$ranks" mpirun -n "$ranks" build/cuda/kolmo-bench --scaling $mode --cells 512 \
                    --json "$out/scaling.json"
                cat "$out/$mode-$ranks.log"
            done
        done ;;
    *) echo "unknown part $name"; failed=$((failed + 1)) ;;
    esac
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
