#!/usr/bin/env bash
# Checks that the Debian packages of the given groups are installed. Installs the missing ones if it runs as root;
# otherwise prints the command that does, and fails.
#
# usage: packages.sh build|fleet|demo|service|browser|scenarios|cluster|bench|documentation|lint|package|root…
set -euo pipefail

packages_of() {
    case $1 in
    # Needed by the Swift toolchain and by the library.
    build) echo binutils git libc6-dev libcurl4 libedit2 libgcc-12-dev libinotifytools0-dev libncurses-dev libncurses6 libsqlite3-0 libstdc++-12-dev liburcu-dev libxml2 tzdata zlib1g-dev ;;
    # Needed by what synchronizes settings among machines, and so by a build of everything; by no other product.
    fleet) echo libcurl4-openssl-dev ;;
    demo) echo vim ;;
    # Of Examples/LiveService and its tests.
    service) echo curl libmicrohttpd-dev openssl python3 ;;
    # Its page is tested in this browser.
    browser) echo chromium chromium-driver python3-selenium systemd ;;
    # Programs that some tests run; each of these tests is skipped if its program is missing.
    scenarios) echo acl attr bash bindfs btrfs-progs e2fsprogs emacs-nox fish fuse3 jq libcap2-bin man-db mandoc mount nano nodejs python3 rsync shellcheck strace tmux vim xfsprogs zsh ;;
    # Tests start members of a cluster, and are skipped without them, too.
    cluster) echo etcd-client etcd-server openssl ;;
    bench) echo inotify-tools jq libbenchmark-dev libsqlite3-dev nodejs python3 python3-matplotlib python3-scipy python3-venv strace valgrind wrk ;;
    documentation) echo python3 ;;
    lint) echo python3 shellcheck ;;
    # For `make deb`, and for the system in which `make check-deb` installs its result.
    package) echo dpkg-dev lintian ;;
    root) echo debootstrap mount ;;
    *)
        echo "packages.sh: there is no group '$1'; the groups are build, fleet, demo, service, browser, scenarios, cluster, bench, documentation, lint, package and root" >&2
        exit 2
        ;;
    esac
}

if ! command -v dpkg-query >/dev/null; then
    echo "packages.sh: not Debian: please install yourself what is missing" >&2
    exit 0
fi

if [ $# -eq 0 ]; then
    echo "usage: packages.sh build|fleet|demo|service|browser|scenarios|cluster|bench|documentation|lint|package|root…" >&2
    exit 2
fi
missing=()
for group in "$@"; do
    for package in $(packages_of "$group"); do
        status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$status" = installed ] || missing+=("$package")
    done
done
[ ${#missing[@]} -gt 0 ] || exit 0

# The package etcd-server starts a daemon, now and at each boot, which nobody has asked for: tests start their own. With this
# link, which `systemctl mask` makes as well, systemd never starts it; `systemctl unmask etcd` reverts that.
mask=
case " ${missing[*]} " in
*' etcd-server '*) mask=/etc/systemd/system/etcd.service ;;
esac
[ ! -e "$mask" ] || mask=

if [ "$(id -u)" -ne 0 ]; then
    echo "These Debian packages are missing: ${missing[*]}" >&2
    echo "Install them and try again:" >&2
    [ -z "$mask" ] || echo "  sudo ln --symbolic /dev/null $mask   # no etcd daemon is started then" >&2
    echo "  sudo apt-get update && sudo apt-get install --yes ${missing[*]}" >&2
    exit 1
fi
echo "Installing ${missing[*]}"
if [ -n "$mask" ]; then
    mkdir --parents "$(dirname "$mask")"
    ln --symbolic /dev/null "$mask"
fi
export DEBIAN_FRONTEND=noninteractive
apt-get update --quiet --quiet
apt-get install --quiet --quiet --yes --no-install-recommends "${missing[@]}" >/dev/null
