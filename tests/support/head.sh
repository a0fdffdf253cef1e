#!/bin/sh
# The commit of this checkout, short, where git is not installed; "unknown" outside a checkout.
head=$(cat .git/HEAD 2>/dev/null) || { echo unknown; exit 0; }
case $head in
    "ref: "*)
        name=${head#ref: }
        head=$(cat ".git/$name" 2>/dev/null || sed -n "s| $name\$||p" .git/packed-refs 2>/dev/null)
        ;;
esac
echo "${head:-unknown}" | cut -c1-7
