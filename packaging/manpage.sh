#!/bin/sh
# Makes a man page from the help of a program. usage: manpage.sh NAME "WHAT IT DOES" PROGRAM > NAME.1
set -eu
name=$1 what=$2 program=$3
version=${KOLMO_VERSION-} # of the build, if the caller knows it: scripts do not
[ -n "$version" ] || version=$("$program" --version 2>/dev/null | head -n 1 | sed 's/,.*//') || version=kolmo
printf '.TH %s 1 "" "%s" "Kolmo"\n' "$(printf '%s' "$name" | tr '[:lower:]' '[:upper:]')" "$version"
printf '.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n' "$name" "$what"
"$program" --help | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\\([.']\\)/\\\\\\&\\1/"
printf '.fi\n.SH SEE ALSO\n'
printf 'The documentation of Kolmo, and \\fBkolmo \\-\\-help\\-input\\fR for all inputs.\n'
