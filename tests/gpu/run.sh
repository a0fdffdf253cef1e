#!/usr/bin/env bash
# Everything that wants a GPU, in one go: builds both backends, runs the unit tests and the comparison with the independent
# solver on the CUDA build, compares it with the CPU build, measures. usage: tests/gpu/run.sh [OUT]
# GPU_RANKS: rank counts of the comparison (1 2 unless given); GPU_NO_BENCH: no measurements.
# OUT: folder for the tables (build/gpu unless given). Ends with 'N passed, N failed'; without a GPU: skipped, exit code 0.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${1:-build/gpu}
python=${PYTHON:-python3}
mkdir -p "$out"
if ! nvidia-smi -L >/dev/null 2>&1; then
    echo "no GPU here: the GPU tests are skipped"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
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
    if [ $rc -ne 0 ]; then tail -40 "$log"; fi
}
cpus=$(nproc)
part build-cuda make -j"$cpus" BACKEND=cuda all
part build-cpu make -j"$cpus" BACKEND=cpu all
part build-tests make -j"$cpus" -k BACKEND=cuda unit-programs bench-programs
part unit make BACKEND=cuda check-unit
for ranks in ${GPU_RANKS:-1 2}; do
    part "reference-$ranks" "$python" tests/verify/compare_reference.py --kolmo build/cuda/kolmo --ranks "$ranks"
done
part gpu-against-cpu "$python" tests/gpu/compare_builds.py --one build/cpu/kolmo --other build/cuda/kolmo
if [ -z "${GPU_NO_BENCH:-}" ]; then
    part bench "$python" tests/bench/run.py --build build/cuda --ranks 1 --csv "$out/bench.csv"
    cat "$out/bench.log"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
