#!/usr/bin/env bash
# Prints the dynamic libraries of programs. Fails if one links all of Foundation, which would cost each user of the
# library megabytes; FoundationEssentials is allowed.
#
# usage: check-links.sh [--without LIBRARY] PROGRAM…
set -euo pipefail

forbidden='lib(Foundation|FoundationInternationalization|_FoundationICU)\.so'
if [ "${1-}" = --without ]; then
    forbidden+="|$2"
    shift 2
fi
[ $# -gt 0 ] || { echo "usage: check-links.sh [--without LIBRARY] PROGRAM…" >&2; exit 2; }

for program in "$@"; do
    needed=$(readelf --dynamic --wide "$program" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    [ -n "$needed" ] || { echo "check-links: $program has no dynamic libraries" >&2; exit 1; }
    if grep -E "^($forbidden)" <<<"$needed"; then
        echo "check-links: $program must not link this library" >&2
        exit 1
    fi
    echo "$(basename "$program") links ${needed//$'\n'/ }"
done
