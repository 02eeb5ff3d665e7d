#!/usr/bin/env bash
# Builds the service and tests it as its clients see it: by requests, signals, edits of its files, and in a browser.
#
# usage: test.sh [TEST]…, such as test_page.Editing; all by default
set -euo pipefail
cd "$(dirname "$0")"

LIVESERVICE=${LIVESERVICE:-$(./build.sh)}
# A program of the main package, if it is built.
for path in ../../.build/{optimized/release,release,debug}/sessionctl; do
    [ ! -x "$path" ] || SESSIONCTL=${SESSIONCTL:-$(realpath "$path")}
done
export LIVESERVICE SESSIONCTL=${SESSIONCTL-} PYTHONDONTWRITEBYTECODE=1
cd Tests
# Debian's, which has its selenium.
if [ $# -gt 0 ]; then /usr/bin/python3 -m unittest "$@"; else /usr/bin/python3 -m unittest discover; fi
