#!/bin/sh
# Makes a completion for bash or zsh from what a program knows of its own options: from --list-options of the
# programs in Python, from --help, which the others print from their table. usage: completion.sh bash|zsh NAME
# PROGRAM [INPUTS]
# INPUTS is the program that tells the names of inputs for --set, if NAME takes them (build/cpu/kolmo).
set -eu
shell=$1 name=$2 program=$3 inputs=${4:-}
listed=${LISTED-} # what the program has told already, if the caller knows
[ -n "$listed" ] || listed=$("$program" --list-options 2>/dev/null) || listed=$("$program" --help)
options=$(printf '%s\n' "$listed" | sed -n 's/^ *\(-h, \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort -u | tr '\n' ' ')
[ -n "$options" ] || { echo "completion.sh: $program tells no options" >&2; exit 2; }
function=_$(printf '%s' "$name" | tr - _)
# group.name of every input
names=
if [ -n "$inputs" ]; then
  names=$("$inputs" --help-input | awk '/^&/ {group = substr($1, 2)}
    /^    [a-z]/ {name = $1; sub(/[(:].*/, "", name); printf "%s.%s= ", group, name}')
fi
case $name in # what a word that is no option names
  kolmo | kolmo-converge) files='*.nml' ;;
  *) files='*' ;;
esac
case $shell in
  bash)
    cat <<TEXT
# bash completion for $name
$function() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  case \$before in
TEXT
    [ -z "$names" ] || cat <<TEXT
    --set) mapfile -t COMPREPLY < <(compgen -W '$names' -- "\$word"); compopt -o nospace +o filenames ;;
TEXT
    [ "$name" != kolmo ] || cat <<TEXT
    --restart) mapfile -t COMPREPLY < <(compgen -W latest -- "\$word"; compgen -f -X '!*.h5' -- "\$word") ;;
TEXT
    cat <<TEXT
    *)
      case \$word in
        -*) mapfile -t COMPREPLY < <(compgen -W '$options' -- "\$word") ;;
        *) mapfile -t COMPREPLY < <(compgen -d -S / -- "\$word"; compgen -f -X '!$files' -- "\$word") ;;
      esac
      ;;
  esac
}
complete -o filenames -F $function $name
TEXT
    ;;
  zsh)
    cat <<TEXT
#compdef $name
# zsh completion for $name
case \${words[CURRENT - 1]} in
TEXT
    [ -z "$names" ] || printf "  --set) compadd -S '' -- %s ;;\n" "$names"
    [ "$name" != kolmo ] || printf "  --restart) compadd latest; _files -g '*.h5' ;;\n"
    cat <<TEXT
  *)
    if [[ \${words[CURRENT]} == -* ]]; then compadd -- $options
    else _files -g '$files'
    fi
    ;;
esac
TEXT
    ;;
  *) echo "completion.sh: bash or zsh, not $shell" >&2; exit 2 ;;
esac
