#!/usr/bin/env bash
# Shell scripts pass shellcheck.
set -uo pipefail
# shellcheck source=tests/policy/files.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/files.sh"

if ! command -v shellcheck >/dev/null; then
  echo "shell: SKIPPED, no shellcheck here"
  exit 0
fi
mapfile -d '' -t scripts < <(list_files 'bootstrap' '.ci/run' '*.sh' '*.sbatch' '*.pbs')
if ((${#scripts[@]} == 0)); then
  echo "shell: found no file to look at"
  exit 1
fi
shellcheck -x -f gcc "${scripts[@]}" || exit 1
echo "shell: ${#scripts[@]} files, 0 findings"
