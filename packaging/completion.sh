#!/bin/sh
# Makes a completion for bash or zsh from the help of kolmo. usage: completion.sh bash|zsh PROGRAM
set -eu
shell=$1 program=$2
options=$("$program" --help | sed -n 's/^ *\(--[a-z-]*\).*/\1/p' | sort -u | tr '\n' ' ')
# group.name of every input
names=$("$program" --help-input | awk '/^&/ {group = substr($1, 2)}
  /^    [a-z]/ {name = $1; sub(/[(:].*/, "", name); printf "%s.%s= ", group, name}')
case $shell in
  bash)
    cat <<TEXT
# bash completion for kolmo
_kolmo() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]}
  case \$before in
    --set) mapfile -t COMPREPLY < <(compgen -W '$names' -- "\$word"); compopt -o nospace ;;
    --restart) mapfile -t COMPREPLY < <(compgen -W latest -- "\$word"; compgen -f -X '!*.h5' -- "\$word") ;;
    *)
      case \$word in
        -*) mapfile -t COMPREPLY < <(compgen -W '$options' -- "\$word") ;;
        *) mapfile -t COMPREPLY < <(compgen -d -S / -- "\$word"; compgen -f -X '!*.nml' -- "\$word") ;;
      esac
      ;;
  esac
}
complete -o filenames -F _kolmo kolmo
TEXT
    ;;
  zsh)
    cat <<TEXT
#compdef kolmo
# zsh completion for kolmo
case \${words[CURRENT - 1]} in
  --set) compadd -S '' -- $names ;;
  --restart) compadd latest; _files -g '*.h5' ;;
  *)
    if [[ \${words[CURRENT]} == -* ]]; then compadd -- $options
    else _files -g '*.nml'
    fi
    ;;
esac
TEXT
    ;;
  *) echo "completion.sh: bash or zsh, not $shell" >&2; exit 2 ;;
esac
