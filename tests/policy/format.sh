#!/usr/bin/env bash
# C and CUDA sources are as .clang-format makes them. Versions of clang-format differ in details: only version
# 14 (Debian 12; clang-format-14 on Ubuntu 24.04) is asked.
set -uo pipefail
# shellcheck source=tests/policy/files.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/files.sh"

tool=
for candidate in clang-format-14 clang-format; do
  if [[ $("$candidate" --version 2>/dev/null) =~ version\ 14\. ]]; then
    tool=$candidate
    break
  fi
done
if [[ -z $tool ]]; then
  echo "format: SKIPPED, no clang-format of version 14 here (package clang-format-14)"
  exit 0
fi
mapfile -d '' -t sources < <(list_files '*.c' '*.h' '*.cu' '*.cuh')
if ((${#sources[@]} == 0)); then
  echo "format: found no file to look at"
  exit 1
fi
if ! "$tool" --dry-run -Werror -ferror-limit=1 --style=file "${sources[@]}"; then
  echo "format: differs from .clang-format (above); \`make format\` corrects it"
  exit 1
fi
echo "format: ${#sources[@]} files, 0 findings"
