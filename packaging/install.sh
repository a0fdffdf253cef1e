#!/bin/sh
# Copies a build to PREFIX: what `make install` runs. usage: install.sh BUILD PREFIX [DESTDIR]
# Everything that it writes is listed in PREFIX/share/kolmo/manifest.txt; `make uninstall`
# removes these files. Files of an earlier version that this one lacks are removed.
set -eu
build=$1 prefix=$2 root=${3:-}
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
case $prefix in /*) ;; *) echo "install: PREFIX=$prefix: an absolute path is needed" >&2; exit 2 ;; esac
[ -x "$build/kolmo" ] || { echo "install: $build/kolmo is missing; run make first" >&2; exit 2; }
share=$prefix/share/kolmo
list=$(mktemp)
trap 'rm -f "$list"' EXIT

made=
clear_for() { # clear_for TARGET: its folder is there, and no file of that name
  if [ "$made" != "${1%/*}" ]; then
    made=${1%/*}
    mkdir -p "$root$made"
  fi
  if [ -e "$root$1" ] || [ -h "$root$1" ]; then rm -f "$root$1"; fi
}
put() { # put MODE FILE TARGET
  clear_for "$3"
  cp "$2" "$root$3"
  chmod "$1" "$root$3"
  echo "$3" >>"$list"
}
text() { # text MODE TARGET < TEXT
  clear_for "$2"
  cat >"$root$2"
  chmod "$1" "$root$2"
  echo "$2" >>"$list"
}

for name in kolmo kolmo-stats kolmo-merge; do put 755 "$build/$name" "$prefix/bin/$name"; done
scripts='kolmo-report kolmo-watch kolmo-converge kolmo-decay kolmo-export kolmo-movie'
for name in $scripts; do
  printf '#!/bin/sh\nexec "%s/postproc/%s" "$@"\n' "$share" "$name" | text 755 "$prefix/bin/$name"
done

man=$prefix/share/man/man1
KOLMO_VERSION=$("$build/kolmo" --version | head -n 1)
export KOLMO_VERSION
sh "$here/packaging/manpage.sh" kolmo 'direct numerical simulation of incompressible turbulence' \
  "$build/kolmo" | text 644 "$man/kolmo.1"
sh "$here/packaging/manpage.sh" kolmo-stats 'statistics from stored flows of Kolmo' "$build/kolmo-stats" |
  text 644 "$man/kolmo-stats.1"
sh "$here/packaging/manpage.sh" kolmo-merge 'merges averages of runs of Kolmo' "$build/kolmo-merge" |
  text 644 "$man/kolmo-merge.1"
sh "$here/packaging/manpage.sh" kolmo-report 'one page with the figures and verdicts of a run of Kolmo' \
  "$here/postproc/kolmo-report" | text 644 "$man/kolmo-report.1"
sh "$here/packaging/manpage.sh" kolmo-watch 'a live view of a run of Kolmo' "$here/postproc/kolmo-watch" |
  text 644 "$man/kolmo-watch.1"
sh "$here/packaging/manpage.sh" kolmo-converge 'grid convergence of a case of Kolmo' \
  "$here/postproc/kolmo-converge" | text 644 "$man/kolmo-converge.1"
sh "$here/packaging/manpage.sh" kolmo-decay 'the exponent of decaying turbulence in boxes of Kolmo' \
  "$here/postproc/kolmo-decay" | text 644 "$man/kolmo-decay.1"
sh "$here/packaging/manpage.sh" kolmo-export 'fields of Kolmo in formats of other programs' \
  "$here/postproc/kolmo-export" | text 644 "$man/kolmo-export.1"
sh "$here/packaging/manpage.sh" kolmo-movie 'animations of slices and isosurfaces of a run of Kolmo' \
  "$here/postproc/kolmo-movie" | text 644 "$man/kolmo-movie.1"
put_completion() { # put_completion NAME PROGRAM [INPUTS]
  LISTED=$("$2" --list-options 2>/dev/null) || LISTED=$("$2" --help)
  export LISTED
  sh "$here/packaging/completion.sh" bash "$@" | text 644 "$prefix/share/bash-completion/completions/$1"
  sh "$here/packaging/completion.sh" zsh "$@" | text 644 "$prefix/share/zsh/site-functions/_$1"
}
put_completion kolmo "$build/kolmo" "$build/kolmo"
put_completion kolmo-stats "$build/kolmo-stats" "$build/kolmo"
put_completion kolmo-merge "$build/kolmo-merge"
for name in $scripts; do
  case $name in
    kolmo-converge) put_completion "$name" "$here/postproc/$name" "$build/kolmo" ;;
    *) put_completion "$name" "$here/postproc/$name" ;;
  esac
done

# the reports read tables beside them, at the places of the checkout
cd "$here"
for file in README.md CHANGELOG.md inputs/cases/* inputs/slurm/* inputs/pbs/* postproc/kolmo-report \
  postproc/kolmo-watch postproc/kolmo-converge postproc/kolmo-decay postproc/kolmo-export \
  postproc/kolmo-movie \
  postproc/*.py postproc/plot/*.py \
  postproc/python/pyproject.toml postproc/python/README.md postproc/python/kolmo/*.py \
  postproc/python/kolmo/py.typed postproc/python/kolmo/*.html postproc/python/notebooks/*.ipynb \
  tests/data/*.csv docs/validation/*.csv; do
  mode=644
  if [ -x "$file" ]; then mode=755; fi
  put "$mode" "$file" "$share/$file"
done

if version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])' 2>/dev/null); then
  for file in postproc/python/kolmo/*.py postproc/python/kolmo/py.typed postproc/python/kolmo/*.html; do
    put 644 "$file" "$prefix/lib/$version/site-packages/kolmo/${file##*/}"
  done
fi
inserted=$(printf '%s' "$prefix" | sed 's/[&|\\]/\\&/g') # as a text that sed inserts
sed "s|@PREFIX@|$inserted|g; s|@PYTHON@|${version:-python3}|g" packaging/modulefile |
  text 644 "$prefix/share/modulefiles/kolmo"
mkdir -p "$root$share"
if [ -r "$root$share/manifest.txt" ]; then # files of an earlier version alone
  grep -vxF -f "$list" "$root$share/manifest.txt" | while IFS= read -r file; do rm -f "$root$file"; done
fi
cp "$list" "$root$share/manifest.txt"
chmod 644 "$root$share/manifest.txt"
echo "installed in $root$prefix: $(wc -l <"$list" | tr -d ' ') files"
