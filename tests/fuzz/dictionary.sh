#!/usr/bin/env bash
# The words of the namelist, for fuzzers: groups, names and choices from the table of inputs, and the pieces
# of the grammar. usage: dictionary.sh inputs/table.c > namelist.dict
set -euo pipefail
{
  sed -nE -e 's/.*VAR\(([a-z_]+), ([A-Za-z_]+)\).*/\&\1\n\2=\n\1.\2=/p' \
    -e 's/^ *ROW\(([xyz]_[a-z]+), .*/\1=\nboundary.\1=/p' "$1"
  sed -nE '/_names\[\] = /,/NULL/p' "$1" | grep -oE '"[a-z0-9-]+"' | tr '"' "'"
  printf '%s\n' '(1:2)' '(:)' '(3:1:-1)' '(2)=' '2*' '3*8' '.true.' '.f.' '1.5d-3' '1+3' '&end' "''" \
      "'00:01:30'"
} | sort -u | sed -e 's/.*/"&"/'
printf '"\\x01"\n'
