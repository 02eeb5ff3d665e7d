#!/usr/bin/env bash
# Builds the package without its trait InotifyTools and without the view, where libinotifytools and the headers of ncurses
# cannot be found, checks that no program links either, and plays one watching scenario of each kind.
#
# usage: without-inotifytools.sh [OPTION OF SWIFT BUILD]…
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" != hidden ]; then
    namespace=(--mount)
    [ "$(id -u)" -eq 0 ] || namespace+=(--user --map-root-user)
    exec unshare "${namespace[@]}" Scripts/without-inotifytools.sh hidden "$@"
fi
shift

# Mounts in a private namespace, which ends with this script, hide the library.
if [ -d /usr/include/inotifytools ]; then mount -t tmpfs -o size=4k tmpfs /usr/include/inotifytools; fi
find /usr/lib /lib -name 'libinotifytools*' -print0 | xargs --null --no-run-if-empty readlink --canonicalize | sort --unique |
    while read -r library; do mount --bind /dev/null "$library"; done
if echo '#include <inotifytools/inotifytools.h>' | clang -E - >/dev/null 2>&1; then
    echo "without-inotifytools: the headers of libinotifytools can still be found" >&2
    exit 1
fi

# Many programs need the library ncurses itself, so only what compiling and linking need is hidden.
hidden=$(mktemp)
echo '#error hidden by without-inotifytools.sh' >"$hidden"
for file in /usr/include/curses.h /usr/lib/*/libncursesw.so /usr/lib/*/libncursesw.a; do
    if [ -e "$file" ]; then mount --bind "$hidden" "$file"; fi
done
rm "$hidden"
if echo '#include <curses.h>' | clang -E - >/dev/null 2>&1; then
    echo "without-inotifytools: the headers of ncurses can still be found" >&2
    exit 1
fi

# A copy, because the build of another trait in the same directory would be replaced.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' HUP INT TERM
git ls-files --cached --others --exclude-standard -z | tar --create --null --files-from - | tar --extract --directory "$copy"
cd "$copy"
programs=(sessionctl livesettings SessionProbe WatchProbe)
export SESSIONMIRROR_VIEW=0
SESSIONMIRROR_TARGETS="FileWatchingTests ${programs[*]}" SESSIONMIRROR_SCENARIO='first of each file' \
    Scripts/test.sh --filter ConformanceTests --disable-default-traits "$@"
Scripts/check-links.sh --without '(libinotifytools|libncurses)' "${programs[@]/#/.build/debug/}"
message=$(script --quiet --return --command '.build/debug/sessionctl watch --view Package.swift' /dev/null || true)
grep -q 'built without the view' <<<"$message" || { echo "without-inotifytools: $message" >&2; exit 1; }
echo "without-inotifytools: built and watching without the libraries"
