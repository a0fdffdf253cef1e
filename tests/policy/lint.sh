#!/usr/bin/env bash
# All policy checks, as `make lint` runs them; exit code 1 if any finds something. PYTHON: interpreter
# (python3).
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
failed=()
for check in selftest.py include_arrows.py call_circles.py lone_functions.py docs.py machine_paths.py \
  size.py columns.py first_sentence.py; do
  PYTHONDONTWRITEBYTECODE=1 "${PYTHON:-python3}" "$here/$check" "$@" || failed+=("${check%.*}")
done
for check in format.sh shell.sh; do
  bash "$here/$check" "$@" || failed+=("${check%.*}")
done
if ((${#failed[@]})); then
  echo "lint: failed: ${failed[*]}"
  exit 1
fi
echo "lint: passed"
