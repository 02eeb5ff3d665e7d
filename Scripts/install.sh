#!/usr/bin/env bash
# Installs sessionctl with its manual pages, completions and license, or removes what it has installed.
#
# usage: install.sh build|install|uninstall
#
# build writes .build/installable/release/sessionctl, which contains the Swift runtime, so that it runs without a
# toolchain, and sessionctl-fleet beside it, which it runs for commands that need libcurl. install does the same first,
# unless the variable PROGRAM is the path of a program, or there is no toolchain: then it installs what was built before,
# as `sudo make install` needs it.
#
# variables:
#   PREFIX         the directory below which files are installed and looked for, by default /usr/local
#   DESTDIR        a directory that stands for / while files are installed, for packages
#   PROGRAM        a sessionctl to install without building, with the sessionctl-fleet that is beside it, if any
#   SESSIONMIRROR_FLEET  if 0, sessionctl-fleet is neither built nor installed
#   BUILD_OPTIONS  options of `swift build`, such as --disable-default-traits
#   SCRATCH        the directory of the build instead of .build/installable
#   SYMBOLS        if not empty, the program keeps its symbols
set -euo pipefail

prefix=${PREFIX:-/usr/local}
root=${DESTDIR:+$(realpath --canonicalize-missing -- "$DESTDIR")}
root=${root%/}
program=${PROGRAM:+$(realpath -- "$PROGRAM")}
cd "$(dirname "$0")/.."
scratch=${SCRATCH:-.build/installable}
built=$scratch/release/sessionctl
has_fleet=${SESSIONMIRROR_FLEET:-1}
swift=${SWIFT:-swift}

case $prefix in
/*) prefix=$(realpath --canonicalize-missing --no-symlinks -- "$prefix") ;;
*)
    echo "install.sh: PREFIX must be an absolute path, not '$prefix'" >&2
    exit 2
    ;;
esac
prefix=${prefix%/}
documents=$prefix/share/doc/sessionctl
# The installed files, one per line, and the directories that were created for them, with a slash at the end. All
# without DESTDIR.
list=$documents/installed-files

build() {
    local options product products=(sessionctl)
    Scripts/packages.sh build
    if [ "$has_fleet" != 0 ]; then
        Scripts/packages.sh fleet
        products+=(sessionctl-fleet)
    fi
    read -ra options <<<"${BUILD_OPTIONS-}"
    # Symbols are resolved at start, so that their table can be made read-only; libraries are searched only where the
    # system has them; and the program contains no path of this machine.
    options+=(-Xlinker -z -Xlinker now --disable-local-rpath -Xswiftc -file-prefix-map -Xswiftc "$PWD=.")
    [ -n "${SYMBOLS-}" ] || options+=(-Xlinker -s)
    # The functions that an edit needs lie next to each other, so that after a rest fewer pages are to be found.
    options+=(-Xswiftc -use-ld=lld -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections
        -Xlinker "--symbol-ordering-file=$PWD/Scripts/function-order.txt" -Xlinker --no-warn-symbol-ordering)
    # Addresses that change at start in a packed form, which makes the program smaller and its start faster.
    if printf '%s\n' 'glibc 2.36' "$(getconf GNU_LIBC_VERSION)" | sort --check=quiet --version-sort; then
        options+=(-Xlinker -z -Xlinker pack-relative-relocs)
    fi
    # The build does not see that the list has changed.
    rm --force -- "$built" "$built-fleet"
    for product in "${products[@]}"; do
        SESSIONMIRROR_TARGETS="${products[*]}" "$swift" build --configuration release --static-swift-stdlib \
            --product "$product" --scratch-path "$scratch" "${options[@]}"
    done
}

# make_directory PATH: creates it with its parents, and adds the created ones to the list.
make_directory() {
    [ ! -d "$root$1" ] || return 0
    [ -z "${1%/*}" ] || make_directory "${1%/*}"
    mkdir --mode=0755 -- "$root$1"
    echo "$1/" >>"$staging/list"
}

# put MODE FILE PATH: installs a file, and adds it to the list.
put() {
    make_directory "${3%/*}"
    install --mode="$1" --no-target-directory -- "$2" "$root$3"
    echo "$3" >>"$staging/list"
}

# remove_listed: removes the files, then the directories that are empty, of the list on standard input.
remove_listed() {
    local path paths=()
    while IFS= read -r path; do
        # Nothing but what install could have listed, even if the list was changed.
        if [[ $path != /* || $path == */../* || $path == */.. ]]; then
            echo "install.sh: $root$list: unexpected '$path'" >&2
            exit 1
        fi
        case $path in
        */) paths+=("$path") ;;
        *) rm --force -- "$root$path" ;;
        esac
    done
    # The deepest directories first. One that has other files, or is a link or gone by now, is left alone.
    printf '%s\n' "${paths[@]}" | sort --reverse | while IFS= read -r path; do
        rmdir -- "$root$path" 2>/dev/null || true
    done
}

install_all() {
    if [ -z "$program" ]; then
        if command -v "$swift" >/dev/null; then
            build
        elif [ ! -x "$built" ]; then
            echo "install.sh: there is neither $built nor a Swift toolchain; first run 'make installable' as a user who has one" >&2
            exit 1
        fi
        program=$built
    fi
    staging=$(mktemp --directory)
    trap 'rm -rf -- "$staging"' EXIT
    trap 'exit 1' HUP INT TERM
    touch "$staging/list"

    mkdir "$staging/pages"
    "$program" manual --to="$staging/pages"
    local shell page section
    for shell in bash zsh fish; do "$program" completion "$shell" >"$staging/$shell"; done
    local zsh=$prefix/share/zsh/site-functions
    [ "$prefix" != /usr ] || zsh=$prefix/share/zsh/vendor-completions

    if [ -n "$root" ]; then mkdir --parents -- "$root"; fi
    put 0755 "$program" "$prefix/bin/sessionctl"
    if [ "$has_fleet" != 0 ] && [ -x "$program-fleet" ]; then
        put 0755 "$program-fleet" "$prefix/libexec/sessionctl/sessionctl-fleet"
    fi
    for page in "$staging"/pages/*; do
        section=${page##*.}
        put 0644 "$page" "$prefix/share/man/man$section/${page##*/}"
    done
    put 0644 "$staging/bash" "$prefix/share/bash-completion/completions/sessionctl"
    put 0644 "$staging/zsh" "$zsh/_sessionctl"
    put 0644 "$staging/fish" "$prefix/share/fish/vendor_completions.d/sessionctl.fish"
    put 0644 LICENSE "$documents/LICENSE"
    make_directory "$documents"
    echo "$list" >>"$staging/list"

    # Of an earlier installation: the directories that it created are still to be removed, and
    # files that this one does not have are removed now.
    if [ -f "$root$list" ]; then
        { grep '/$' "$root$list" || true; } >>"$staging/list"
        { grep --invert-match --line-regexp --fixed-strings --file "$staging/list" "$root$list" || true; } | remove_listed
    fi
    sort --unique --output "$staging/list" "$staging/list"
    install --mode=0644 --no-target-directory -- "$staging/list" "$root$list"
    echo "Installed $("$program" --version) below $root$prefix"
}

uninstall() {
    if [ ! -f "$root$list" ]; then
        echo "install.sh: nothing is installed below $root$prefix: there is no $root$list" >&2
        exit 1
    fi
    remove_listed <"$root$list"
    echo "Removed sessionctl below $root$prefix"
}

case $# in
1) ;;
*) set -- '' ;;
esac
case $1 in
build) build ;;
install) install_all ;;
uninstall) uninstall ;;
*)
    echo "usage: install.sh build|install|uninstall" >&2
    exit 2
    ;;
esac
