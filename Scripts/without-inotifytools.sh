#!/usr/bin/env bash
# Builds the package without its trait InotifyTools, where libinotifytools cannot be found, checks that no program links
# it, and plays one watching scenario of each kind.
#
# usage: without-inotifytools.sh
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "${1:-}" != hidden ]; then
    namespace=(--mount)
    [ "$(id -u)" -eq 0 ] || namespace+=(--user --map-root-user)
    exec unshare "${namespace[@]}" Scripts/without-inotifytools.sh hidden
fi

# Mounts in a private namespace, which ends with this script, hide the library.
if [ -d /usr/include/inotifytools ]; then mount -t tmpfs -o size=4k tmpfs /usr/include/inotifytools; fi
find /usr/lib /lib -name 'libinotifytools*' -print0 | xargs --null --no-run-if-empty readlink --canonicalize | sort --unique |
    while read -r library; do mount --bind /dev/null "$library"; done
if echo '#include <inotifytools/inotifytools.h>' | clang -E - >/dev/null 2>&1; then
    echo "without-inotifytools: the headers of libinotifytools can still be found" >&2
    exit 1
fi

# A copy, because the build of another trait in the same directory would be replaced.
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
trap 'exit 1' HUP INT TERM
git ls-files --cached --others --exclude-standard -z | tar --create --null --files-from - | tar --extract --directory "$copy"
cd "$copy"
programs=(sessionctl livesettings SessionProbe WatchProbe)
SESSIONMIRROR_TARGETS="FileWatchingTests ${programs[*]}" SESSIONMIRROR_SCENARIO='first of each file' \
    Scripts/test.sh --filter ConformanceTests --disable-default-traits
Scripts/check-links.sh --without libinotifytools "${programs[@]/#/.build/debug/}"
echo "without-inotifytools: built and watching without the library"
