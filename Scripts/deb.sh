#!/usr/bin/env bash
# Builds the Debian package of sessionctl, .build/sessionctl_VERSION_ARCHITECTURE.deb, and checks it by lintian. Prints
# its path.
#
# usage: deb.sh
#
# The program is built without libinotifytools, which would put it under the GPL-2, and contains the Swift runtime. The
# same program gives the same package: times are those of the last commit, or SOURCE_DATE_EPOCH. The compiler gives almost
# the same program for the same sources: between two directories, hashes of modules and some hundred bytes of code differ.
#
# variables:
#   PROGRAM    a program to pack without building
set -euo pipefail
program=${PROGRAM:+$(realpath -- "$PROGRAM")}
cd "$(dirname "$0")/.."
umask 022
export LC_ALL=C TZ=UTC DPKG_DEB_THREADS_MAX=1
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

# The only place with the version.
version=$(sed -n 's/^ *static let version = "\(.*\)"$/\1/p' Examples/sessionctl/Sessionctl.swift)
architecture=$(dpkg --print-architecture)
result=$PWD/.build/sessionctl_${version}_$architecture.deb

if [ -z "$program" ]; then
    SCRATCH=.build/package BUILD_OPTIONS=--disable-default-traits Scripts/install.sh build >&2
    program=$PWD/.build/package/release/sessionctl
fi

staging=$(mktemp --directory)
trap 'rm -rf -- "$staging"' EXIT
trap 'exit 1' HUP INT TERM
tree=$staging/tree
documents=$tree/usr/share/doc/sessionctl
mkdir --parents "$staging/debian" "$tree/DEBIAN"

PROGRAM=$program PREFIX=/usr DESTDIR=$tree Scripts/install.sh install >&2
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$tree/usr/bin/sessionctl"
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
(
    cd "$staging"
    dpkg-shlibdeps -Tsubstvars tree/usr/bin/sessionctl
    # Packed relocations need a version of the C library that no symbol tells.
    if readelf --version-info tree/usr/bin/sessionctl | grep GLIBC_ABI_DT_RELR >/dev/null; then
        echo 'relocations:Depends=libc6 (>= 2.36)' >>substvars
    fi
    dpkg-gencontrol -Tsubstvars -Ptree -fdebian/files
)
(cd "$tree" && find usr -type f -print0 | sort --zero-terminated | xargs --null md5sum) >"$tree/DEBIAN/md5sums"

dpkg-deb --root-owner-group -Zxz --build "$tree" "$staging/${result##*/}" >&2
lintian --fail-on error,warning --pedantic "$staging/${result##*/}" >&2
mv "$staging/${result##*/}" "$result"
echo "$result"
