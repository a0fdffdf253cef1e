# shellcheck shell=bash
# Sourced by the checks that hand files to another program: NUL-separated paths of the checkout, tracked or
# new.
root=${1:-$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)}
cd -- "$root" || exit 1
list_files() { # list_files PATTERN...: git's patterns, such as '*.c'
  local pattern names=()
  if [[ -e .git ]] && git ls-files -co --exclude-standard >/dev/null 2>&1; then
    git ls-files -z -co --exclude-standard -- "$@" | while IFS= read -r -d '' pattern; do
      if [[ -f $pattern ]]; then printf '%s\0' "$pattern"; fi # not the deleted ones
    done
    return
  fi
  for pattern in "$@"; do names+=(-o -path "./$pattern"); done
  find . \( -name .git -o -path ./build -o -path ./runs \) -prune -o -type f \( "${names[@]:1}" \) -print0
}
