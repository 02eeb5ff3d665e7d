#!/usr/bin/env bash
# Writes the documentation of every module from the modules of a build. Fails on a warning, and on a public symbol
# without a description.
#
# usage: documentation.sh BUILD, where BUILD is what `swift build --show-bin-path` prints
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: documentation.sh BUILD" >&2; exit 2; }
build=$1
output=.build/documentation
modules=(LosslessJSON DurableFiles FileWatching SessionMirror StandardFolders StoredValues ObjectStore FleetSession)
work=$output.work
tools=$(dirname "$(realpath "$(command -v "${SWIFT:-swift}")")")

rm -rf "$work" "$output"
mkdir -p "$work" "$output"
for module in "${modules[@]}"; do
    mkdir -p "$work/$module/graphs"
    cp -R "Sources/$module/"*.docc "$work/$module"
done

# `make pages` has written the page of editing examples. The copied catalog links it.
catalog=$work/LosslessJSON/LosslessJSON.docc
cp .build/pages/EditingByExample.md "$catalog"
sed -i 's/^<!-- The complete list of examples .*/<doc:EditingByExample> lists all cases that the tests cover./' \
    "$catalog/Editing.md"
sed -i 's/^- <doc:Editing>$/&\n- <doc:EditingByExample>/' "$catalog/LosslessJSON.md"

for module in "${modules[@]}"; do
    "$tools/swift-symbolgraph-extract" -module-name "$module" -target "$(uname -m)-unknown-linux-gnu" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$work/$module/graphs" \
        -experimental-allowed-reexported-modules=EtcdClient \
        -I "$build/Modules" -I Sources/CInotifyTools -I Sources/CReadCopyUpdate -I Sources/CCurl -I Sources/CLinux/include
    "$tools/docc" convert "$work/$module/"*.docc \
        --additional-symbol-graph-dir "$work/$module/graphs" \
        --fallback-display-name "$module" --fallback-bundle-identifier "SessionMirror.$module" \
        --output-path "$output/$module" --transform-for-static-hosting --hosting-base-path "$module" \
        --warnings-as-errors >"$work/log" ||
        { cat "$work/log"; exit 1; }
    python3 Scripts/undocumented.py "$work/$module/graphs"
    echo "documentation: $output/$module"
done
rm -rf "$work"
