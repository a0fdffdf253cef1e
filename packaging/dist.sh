#!/bin/sh
# Makes build/kolmo-VERSION.tar.gz of the files of the last commit, with the file VERSION: what `make dist`
# runs. usage: dist.sh VERSION
set -eu
version=$1
name=kolmo-$version
git rev-parse --git-dir >/dev/null 2>&1 || { echo "dist: this is no checkout of git" >&2; exit 2; }
case $version in *-dirty) echo "dist: warning: changes that are not committed are left out" >&2 ;; esac
mkdir -p build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf '%s\n' "$version" >"$folder/VERSION"
git archive --format=tar.gz --prefix="$name/" --add-file="$folder/VERSION" -o "build/$name.tar.gz" HEAD
echo "build/$name.tar.gz"
