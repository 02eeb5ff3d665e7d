#!/usr/bin/env bash
# Installs a built sessionctl into a temporary directory, checks what is there, removes it, and checks that nothing is
# left.
#
# usage: check-install.sh SESSIONCTL
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: check-install.sh SESSIONCTL" >&2; exit 2; }
program=$(realpath -- "$1")
cd "$(dirname "$0")/.."
root=$(mktemp --directory)
trap 'rm -rf -- "$root"' EXIT
trap 'exit 1' HUP INT TERM

fail() {
    echo "check-install: $*" >&2
    exit 1
}

# run PREFIX install|uninstall
run() { PREFIX=$1 DESTDIR=$root PROGRAM=$program Scripts/install.sh "$2" >/dev/null; }

# check PREFIX ZSH: installs below the prefix, with the completion of zsh in the given directory, and uninstalls.
check() {
    local prefix=$1 path paths
    run "$prefix" install
    paths=(bin/sessionctl share/man/man1/sessionctl.1 share/man/man1/sessionctl-watch.1 share/man/man7/sessionmirror.7
        share/bash-completion/completions/sessionctl "share/zsh/$2/_sessionctl"
        share/fish/vendor_completions.d/sessionctl.fish share/doc/sessionctl/{LICENSE,installed-files})
    for path in "${paths[@]}"; do [ -s "$root$prefix/$path" ] || fail "$prefix/$path is missing or empty"; done
    [ "$("$root$prefix/bin/sessionctl" --version)" = "$("$program" --version)" ] || fail "the installed program does not run"
    path=$("$root$prefix/bin/sessionctl" fleet status --etcd=127.0.0.1:1 --key=a 2>&1) && fail "there is no etcd"
    if [ "${SESSIONMIRROR_FLEET:-1}" != 0 ] && [ -x "$program-fleet" ]; then
        [[ $path == *'Failed to connect'* ]] || fail "the installed sessionctl-fleet does not run: $path"
    else
        [[ $path == *'is not installed'* ]] || fail "without sessionctl-fleet, sessionctl prints: $path"
    fi
    bash -n "$root$prefix/share/bash-completion/completions/sessionctl" || fail "the completion of bash has a syntax error"
    # Other files are neither created nor, below, removed.
    path=$(find "$root$prefix" -type f -printf '%P\n' | grep -vE '^(bin|libexec/sessionctl|share/man/man[17]|share/(bash-completion|zsh|fish|doc))/' || true)
    [ -z "$path" ] || fail "unexpected: $path"

    # A page of an earlier version is removed by installing the next one.
    path=$prefix/share/man/man1/sessionctl-retired.1
    touch "$root$path" "$root$prefix/share/man/man1/other.1"
    echo "$path" >>"$root$prefix/share/doc/sessionctl/installed-files"
    run "$prefix" install
    [ ! -e "$root$path" ] || fail "$path of an earlier version is still there"
    run "$prefix" uninstall
    rm "$root$prefix/share/man/man1/other.1" || fail "a file of another program was removed"
    rmdir --parents --ignore-fail-on-non-empty "$root$prefix/share/man/man1"
    mkdir --parents "$root"

    run "$prefix" install
    run "$prefix" uninstall
    path=$(find "$root" -mindepth 1)
    [ -z "$path" ] || fail "uninstalling leaves $path"
}

check /usr/local site-functions
check /usr vendor-completions
check "/opt/with space" site-functions
echo "check-install: installed, ran and removed $("$program" --version)"
