#!/usr/bin/env bash
# The part of check-deb.sh that runs in the system in which the package is tested. It changes that system.
#
# usage: check-deb-inside.sh PACKAGE
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: check-deb-inside.sh PACKAGE" >&2; exit 2; }
package=$1
work=$(mktemp --directory)

fail() {
    echo "check-deb: $*" >&2
    exit 1
}

# quietly COMMAND…: shows its output only if it fails.
quietly() {
    "$@" >"$work/output" 2>&1 || {
        cat "$work/output" >&2
        fail "$* failed"
    }
}

# All files with their type, owner, permissions and target of a link, except the state of apt, dpkg and man-db, logs,
# and what programs may leave in directories for temporary files.
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /var/tmp \
        -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path /var/log -o -path /var/cache \) -prune \
        -o -printf '%p %y %u %g %m %l\n' | sort
}

quietly apt-get update
files >"$work/before"

quietly apt-get install --yes --no-install-recommends "$package"
dpkg --verify sessionctl || fail "installed files differ from the package"
echo "installed $(dpkg-query --show sessionctl), with $(dpkg-query --show --showformat '${Depends}' sessionctl)"

[ -z "$(find / -xdev \( -name 'libswift*' -o -name 'libFoundation*' -o -name swiftc \) -print -quit)" ] ||
    fail "this system has parts of a Swift toolchain"
ldd /usr/bin/sessionctl >"$work/libraries"
if grep 'not found' "$work/libraries"; then fail "libraries are missing"; fi
if grep inotifytools "$work/libraries"; then fail "libinotifytools must not be linked"; fi

# page PATTERN NAME…: the manual page is rendered without warnings and has the text.
page() {
    MANWIDTH=80 MANPAGER=cat man --warnings "${@:2}" >"$work/page" 2>"$work/warnings" || fail "man ${*:2}: $(cat "$work/warnings")"
    [ ! -s "$work/warnings" ] || fail "man ${*:2}: $(cat "$work/warnings")"
    grep --quiet -- "$1" "$work/page" || fail "man ${*:2} does not contain '$1'"
}
page 'sessionctl' sessionctl
page 'watch' sessionctl-watch
page 'sessionmirror' 7 sessionmirror
echo "the manual pages are shown"

cd "$work"
echo '{ "port": 8080 } // of the test' >settings.json
[ "$(sessionctl get settings.json port)" = 8080 ] || fail "get prints something else"

# Tab keys in an interactive shell, which loads the completion when it is first needed.
printf '%s\n' '. /usr/share/bash-completion/bash_completion' 'PS1=' 'unset HISTFILE' >bashrc
printf 'sessionctl wat\t--version\nsessionctl get settings.json po\t\nexit\n' |
    quietly script --quiet --return --command 'bash --rcfile bashrc -i' terminal
grep --quiet --text 'sessionctl watch --version' terminal || fail "the tab key did not complete 'wat': $(cat terminal)"
grep --quiet --text '8080' terminal || fail "the tab key did not complete 'po': $(cat terminal)"
echo "bash completes commands and paths"

timeout 60 sessionctl watch --count 1 settings.json >watched &
watch=$!
# Waits until it is watching; `timeout` ends it if that takes too long.
until grep --quiet watching watched; do
    kill -0 "$watch" 2>/dev/null || fail "watch has ended: $(cat watched)"
    sleep 0.05
done
sessionctl set settings.json port 9090
wait "$watch" || fail "watch did not print the change: $(cat watched)"
grep --quiet 'port: 8080 → 9090' watched || fail "watch printed $(cat watched)"
[ "$(cat settings.json)" = '{ "port": 9090 } // of the test' ] || fail "set wrote $(cat settings.json)"
echo "get, set and watch work"

cd /
quietly apt-get purge --yes --autoremove sessionctl
files >"$work/after"
diff "$work/before" "$work/after" || fail "removing the package leaves other files than before (<), or none (>)"
if dpkg-query --show sessionctl 2>/dev/null; then fail "dpkg still knows the package"; fi
rm -rf "$work"
echo "nothing is left after removal"
