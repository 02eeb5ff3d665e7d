#!/usr/bin/env bash
# Tests the Debian package of sessionctl in a small Debian system of its own: installs it with its dependencies, uses it,
# removes it, and checks that nothing is left. Needs root.
#
# usage: check-deb.sh [PACKAGE]
#
# PACKAGE is by default the newest .build/sessionctl_*.deb. The system has the release of this one, and comes from the
# servers in this machine's configuration of apt. It is kept in .build/debian-RELEASE.tar for the next time.
set -euo pipefail

package=${1:+$(realpath -- "$1")}
cd "$(dirname "$0")/.."
if [ "${CHECK_DEB_STEP-}" != outside ]; then
    [ "$(id -u)" -eq 0 ] || { echo "check-deb.sh: needs root, for mounts and chroot" >&2; exit 1; }
    package=${package:-$(find "$PWD/.build" -maxdepth 1 -name 'sessionctl_*.deb' -printf '%T@ %p\n' | sort --numeric-sort | tail -n 1 | cut --delimiter=' ' --fields=2-)}
    [ -n "$package" ] || { echo "check-deb.sh: there is no .build/sessionctl_*.deb; make deb builds one" >&2; exit 1; }
    # The kernel ends all mounts and processes with these namespaces, and so with this script, however it ends.
    CHECK_DEB_STEP=outside exec unshare --mount --pid --fork --kill-child "Scripts/${0##*/}" "$package"
fi
trap 'exit 1' HUP INT TERM

# apt's sources of the release of this system: their address, name, components and key, one per line.
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# shellcheck disable=SC2016 # apt replaces these
sources=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(SIGNED_BY)' 'Created-By: Packages' 'Origin: Debian' |
    awk -v release="$release" '$2 == release || index($2, release "-") == 1')
main=$(awk -v release="$release" '$2 == release && $3 == "main"' <<<"$sources" | head -n 1)
[ -n "$main" ] || { echo "check-deb.sh: apt has no source of Debian $release on this machine" >&2; exit 1; }
read -r server _ _ key <<<"$main"
[ -f "$key" ] || key=/usr/share/keyrings/debian-archive-keyring.gpg

# A file system in memory, which nobody else sees.
root=/mnt
mount -t tmpfs -o size=3g,mode=0755 tmpfs "$root"
saved=.build/debian-$release.tar
if [ ! -f "$saved" ]; then
    echo "Making a Debian $release of the minimum, man and bash-completion"
    debootstrap --variant=minbase --include=bash-completion,man-db --keyring="$key" "$release" "$root" "$server" \
        >"$root/log" || { tail "$root/log" "$root/debootstrap/debootstrap.log" >&2; exit 1; }
    rm "$root/log"
    tar --create --one-file-system --directory "$root" --file "$saved.new" --exclude './proc/*' --exclude './sys/*' .
    mv "$saved.new" "$saved"
else
    tar --extract --directory "$root" --file "$saved"
fi
mount -t proc proc "$root/proc"
mountpoint --quiet "$root/dev" || mount --rbind /dev "$root/dev"
# As this machine reaches the servers.
awk '{ print "deb", $1, $2, $3 }' <<<"$sources" >"$root/etc/apt/sources.list"
apt-config dump | grep -iE '^Acquire::(Check-Date|Check-Valid-Until|http|https|Retries)\b' >"$root/etc/apt/apt.conf.d/99machine" || true
cp --dereference /etc/resolv.conf /etc/hosts "$root/etc/"
install --mode=0644 "$package" "$root/var/tmp/sessionctl.deb"
install --mode=0755 Scripts/check-deb-inside.sh "$root/var/tmp/check"
chroot "$root" /usr/bin/env --ignore-environment PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 TERM=dumb \
    DEBIAN_FRONTEND=noninteractive /var/tmp/check /var/tmp/sessionctl.deb
