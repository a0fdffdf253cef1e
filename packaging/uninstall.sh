#!/bin/sh
# Removes what install.sh has installed. usage: uninstall.sh PREFIX [DESTDIR]
set -eu
prefix=$1 root=${2:-}
list=$root$prefix/share/kolmo/manifest.txt
[ -r "$list" ] || { echo "uninstall: $list is missing: nothing is installed there" >&2; exit 2; }
while IFS= read -r file; do
  rm -f "$root$file"
  case $file in
    *.py) rm -rf "$(dirname "$root$file")/__pycache__" ;; # Python's own copies of these files
  esac
  rmdir -p "$(dirname "$root$file")" 2>/dev/null || true # folders that have become empty
done <"$list"
rm -f "$list"
rmdir -p "$(dirname "$list")" 2>/dev/null || true
echo "removed from $root$prefix"
