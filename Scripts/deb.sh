#!/usr/bin/env bash
# Builds the Debian packages of sessionctl, .build/sessionctl_VERSION_ARCHITECTURE.deb and .build/sessionctl-fleet_…, and
# checks them by lintian. Prints their paths. sessionctl-fleet has the program for commands that need libcurl, so that the
# other package does not depend on it.
#
# usage: deb.sh
#
# The programs are built without libinotifytools, which would put them under the GPL-2, and contain the Swift runtime. The
# same programs give the same packages: times are those of the last commit, or SOURCE_DATE_EPOCH. The compiler gives almost
# the same program for the same sources: between two directories, hashes of modules and some hundred bytes of code differ.
#
# variables:
#   PROGRAM    a sessionctl to pack without building, with the sessionctl-fleet beside it
set -euo pipefail
program=${PROGRAM:+$(realpath -- "$PROGRAM")}
cd "$(dirname "$0")/.."
umask 022
export LC_ALL=C TZ=UTC DPKG_DEB_THREADS_MAX=1 SESSIONMIRROR_FLEET=1
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

# The only place with the version.
version=$(sed -n 's/^ *static let version = "\(.*\)"$/\1/p' Examples/sessionctl/Sessionctl.swift)
architecture=$(dpkg --print-architecture)
results=$PWD/.build

if [ -z "$program" ]; then
    SCRATCH=.build/package BUILD_OPTIONS=--disable-default-traits Scripts/install.sh build >&2
    program=$PWD/.build/package/release/sessionctl
fi
[ -x "$program-fleet" ] || { echo "deb.sh: there is no $program-fleet" >&2; exit 1; }

staging=$(mktemp --directory)
trap 'rm -rf -- "$staging"' EXIT
trap 'exit 1' HUP INT TERM
tree=$staging/sessionctl
fleet_tree=$staging/sessionctl-fleet
documents=$tree/usr/share/doc/sessionctl
mkdir --parents "$staging/debian" "$tree/DEBIAN" "$fleet_tree/DEBIAN" "$fleet_tree/usr/share/doc"

PROGRAM=$program PREFIX=/usr DESTDIR=$tree Scripts/install.sh install >&2
mv "$tree/usr/libexec" "$fleet_tree/usr/libexec"
ln --symbolic sessionctl "$fleet_tree/usr/share/doc/sessionctl-fleet"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$tree/usr/bin/sessionctl" \
    "$fleet_tree/usr/libexec/sessionctl/sessionctl-fleet"
# dpkg keeps the list of files, and the license is part of the copyright file.
rm "$documents/installed-files" "$documents/LICENSE"
gzip -9n "$tree"/usr/share/man/man*/*
install --mode=0644 Scripts/debian/copyright "$documents/copyright"

# The section about sessionctl of the newest version in CHANGELOG.md, in the form of Debian: lines of at most 79 characters.
changes() {
    awk '
        # Prints the item, broken between words.
        function finish(  count, words, number, line) {
            count = split(item, words, " ")
            line = mark
            for (number = 1; number <= count; number++) {
                if (length(line " " words[number]) > 79) {
                    print line
                    line = margin
                }
                line = line " " words[number]
            }
            if (count) print line
            item = ""
        }
        /^## / { versions++ }
        /^##/ { finish(); wanted = versions == 1 && $0 == "### sessionctl"; next }
        !wanted { next }
        /^- / { finish(); mark = "  *"; margin = "   " }
        /^  - / { finish(); mark = "    -"; margin = "     " }
        { sub(/^ *(- )?/, ""); item = item " " $0 }
        END { finish() }' CHANGELOG.md
}
{
    printf 'sessionctl (%s) unstable; urgency=medium\n\n' "$version"
    changes
    printf '\n -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' Scripts/debian/control)" \
        "$(date --rfc-email --date="@$SOURCE_DATE_EPOCH")"
} >"$staging/debian/changelog"
gzip -9n <"$staging/debian/changelog" >"$documents/changelog.gz"

cp Scripts/debian/control "$staging/debian/control"

# pack PACKAGE PROGRAM: makes the package of the directory $staging/PACKAGE, in which PROGRAM is.
pack() {
    local package=$1 program=$1/$2 file=${1}_${version}_$architecture.deb
    (
        cd "$staging"
        rm --force substvars
        dpkg-shlibdeps -Tsubstvars "$program"
        # Packed relocations need a version of the C library that no symbol tells.
        if readelf --version-info "$program" | grep GLIBC_ABI_DT_RELR >/dev/null; then
            echo 'relocations:Depends=libc6 (>= 2.36)' >>substvars
        fi
        dpkg-gencontrol -p"$package" -Tsubstvars -P"$package" -fdebian/files
        cd "$package"
        find usr -type f -print0 | sort --zero-terminated | xargs --null md5sum >DEBIAN/md5sums
    )
    dpkg-deb --root-owner-group -Zxz --build "$staging/$package" "$staging/$file" >&2
    lintian --fail-on error,warning --pedantic "$staging/$file" >&2
    mv "$staging/$file" "$results/$file"
    echo "$results/$file"
}
pack sessionctl-fleet usr/libexec/sessionctl/sessionctl-fleet
pack sessionctl usr/bin/sessionctl
