#!/usr/bin/env bash
# The measurements behind docs/performance/ on one GPU and two, in one go of about four minutes on two.
# usage: tests/gpu/figures.sh [OUT]
# Builds both backends, then side by side, each on a GPU of its own where there are two:
#   bench.txt    kolmo-bench, all kernels and grids
#   poisson.txt, warm.txt   multigrid and direct, from zero and in a run
#   NAME.txt     whole runs with --profile: steps, share of statistics, one sum an iteration against several
# then with all GPUs free, on two of them:
#   bench2.txt   exchanges, iterations and steps of two ranks
#   nccl.txt     NCCL's face
#   weak-N.txt, strong-N.txt, direct-N.txt   scaling of 512^3
#   overlap.txt  exchanges hidden, by marks and by a timeline
#   lines-weak.txt, lines-strong.txt         what runs in which queue
# OUT: folder of what is printed and of h200.json and the like (build/figures unless given). What takes too
# long is stopped and said. Without a GPU: skipped, code 0. Prints the times of steps; code 1 if anything
# failed.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${1:-build/figures}
python=${PYTHON:-python3}
mkdir -p "$out/cache" || exit 1
if ! nvidia-smi -L >/dev/null 2>&1; then
    echo "no GPU here: no figures"
    exit 0
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none
XDG_CACHE_HOME=$(cd "$out/cache" && pwd) # launch shapes of this machine alone
export XDG_CACHE_HOME
kolmo=build/cuda/kolmo bench=build/cuda/kolmo-bench
gpus=$(nvidia-smi -L | wc -l)
gpu= # the one that commands see; empty: all
vortex=taylor-green-re1600 channel=channel-retau180
direct="--set pressure.preconditioner=direct"
wide="--set grid.n=512,256,256 --set grid.stretching_factor=0,0,2 --set time.cfl=0.8"

printed() { # name, seconds, command...: what it prints goes to NAME.txt
    local name=$1 limit=$2 start=$SECONDS code
    shift 2
    env ${gpu:+"CUDA_VISIBLE_DEVICES=$gpu"} timeout -k 5 "$limit" "$@" >"$out/$name.txt" 2>&1
    code=$?
    echo "== $name: exit code $code, $((SECONDS - start)) s"
    ((code == 0)) || { tail -3 "$out/$name.txt" && touch "$out/failed"; }
}
profiled() { # name, case, settings...: a run, and the table of its steps
    local name=$1 case=$2
    shift 2
    # shellcheck disable=SC2086
    printed "$name" 60 $kolmo "inputs/cases/$case.nml" --profile --set checkpoint.at_end=.false. \
        --set output.directory="$out/run-$name" "$@"
    sed -n '/^profile of/,/exchange/p' "$out/$name.txt" | grep -v exchange
    rm -rf "$out/run-$name"
}
kernels() {
    printed bench 170 $bench --quick --sizes 128,256,512,512x256x256 --json "$out/h200.json"
    printed poisson 100 $bench poisson --sizes 128,256,512 --only "multigrid|direct" \
        --json "$out/poisson.json"
    printed warm 130 $bench poisson --warm --quick --sizes 256 --steps 8 \
        --only "multigrid, previous, tol|multigrid, lli, tol" \
        --json "$out/warm.json"
}
# shellcheck disable=SC2086
runs() {
    local cells sums
    profiled vortex512 $vortex --set grid.n=512,512,512 --set run.steps_max=41
    profiled vortex512-direct $vortex --set grid.n=512,512,512 --set run.steps_max=41 $direct
    profiled vortex256 $vortex --set grid.n=256,256,256 --set run.steps_max=41
    profiled channel512-direct $channel $wide --set run.steps_max=21 $direct
    profiled channel512-multigrid $channel $wide --set run.steps_max=21 \
        --set pressure.preconditioner=multigrid
    profiled statistics-box $vortex --set grid.n=256,256,256 --set run.steps_max=501 \
        --set statistics.start=0 $direct
    profiled statistics-channel $channel --set run.steps_max=201 --set statistics.start=0 $direct
    profiled statistics-duct square-duct --set grid.n=256,256,256 --set run.steps_max=1001 \
        --set statistics.start=0 $direct
    profiled statistics-open backward-step-re800 --set run.steps_max=201 --set statistics.start=0 $direct
    for cells in 128 256 512; do
        for sums in one several; do
            profiled $sums-$cells $vortex --set grid.n=$cells,$cells,$cells \
                --set run.steps_max=$((cells < 512 ? 25600 / cells : 21)) \
                --set pressure.iterations=2 --set pressure.sums=$sums
        done
    done
}
# shellcheck disable=SC2086
pairs() {
    local mode ranks
    printed overlap 90 "$python" tests/gpu/overlap.py --kolmo $kolmo
    printed bench2 60 mpirun -n 2 $bench --quick --only "halo|sums|PPCG|step w" --sizes 512 \
        --append --json "$out/h200.json"
    printed nccl 60 bash tests/gpu/run.sh "$out" nccl
    for ranks in 1 2; do
        for mode in weak strong; do
            printed $mode-$ranks 60 mpirun -n $ranks $bench --quick --scaling $mode --cells 512 \
                --json "$out/scaling.json"
        done
        printed direct-$ranks 60 mpirun -n $ranks $bench --quick --scaling strong --cells 512 $direct \
            --json "$out/scaling.json"
    done
    printed lines-weak 60 "$python" tests/gpu/timeline.py --out "$out/lines/weak" \
        --within direction_kernel -- \
        mpirun -n 2 $bench --quick --scaling weak --cells 512 --json "$out/lines/weak.json"
    printed lines-strong 60 "$python" tests/gpu/timeline.py --out "$out/lines/strong" --within momentum -- \
        mpirun -n 2 $kolmo inputs/cases/$vortex.nml --set grid.n=512,512,512 --set run.steps_max=11 \
        --set checkpoint.at_end=.false. --set output.directory="$out/run-lines"
    rm -rf "$out/run-lines"
}

nvidia-smi -L
rm -f "$out/failed"
mkdir -p "$out/lines"
for backend in cuda cpu; do
    make -j"$(nproc)" BACKEND=$backend all bench-programs >"$out/build-$backend.log" 2>&1 ||
        { tail -5 "$out/build-$backend.log" && exit 1; }
done
if ((gpus > 1)); then
    gpu=0 kernels >"$out/kernels.txt" 2>&1 &
    gpu=1 runs
    wait
    cat "$out/kernels.txt"
    pairs
else
    kernels
    runs
fi
grep -hE '^\| (PPCG|step|laplacian)' "$out"/bench.txt "$out"/bench2.txt "$out"/weak-?.txt \
    "$out"/strong-?.txt "$out"/direct-?.txt 2>/dev/null
echo "in all: $SECONDS s on $gpus GPU(s)"
[ ! -e "$out/failed" ]
