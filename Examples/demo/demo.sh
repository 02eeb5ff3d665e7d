#!/bin/sh
# Shows what sessionctl does with a settings file, and fails if it does anything else.
#
# usage: demo.sh SESSIONCTL
set -eu

case $1 in
    /*) program=$1 ;;
    *) program=$PWD/$1 ;;
esac
sample=$(cd "$(dirname "$0")" && pwd)/server.json
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$folder/work"
cd "$folder/work"

sessionctl() { "$program" "$@"; }

say() { printf '\n# %s\n' "$1"; }

# step CODE TEXT COMMAND: shows and runs a command, which must end with CODE and print TEXT (or nothing, if TEXT is empty).
step() {
    printf '$ %s\n' "$3"
    code=0
    eval "$3" >"$folder/output" 2>&1 || code=$?
    cat "$folder/output"
    if [ "$code" -ne "$1" ]; then
        printf 'demo: this should have ended with %s, not %s\n' "$1" "$code" >&2
        exit 1
    fi
    if [ -z "$2" ] && [ -s "$folder/output" ]; then
        printf 'demo: this should have printed nothing\n' >&2
        exit 1
    fi
    if ! grep -qF -e "$2" "$folder/output" && [ -n "$2" ]; then
        printf 'demo: this should have printed: %s\n' "$2" >&2
        exit 1
    fi
}

say 'A settings file, as people write them: with comments and trailing commas.'
cp "$sample" server.json
step 0 '// Where the server listens.' 'cat server.json'

say 'It is good, so there is nothing to say. By RFC 8259 alone it is not.'
step 0 '' 'sessionctl check server.json'
step 1 'server.json:2:3: error: ' 'sessionctl check --strict server.json'

say 'Somebody loses a comma.'
step 0 '' "sed -i 's/8080,/8080/' server.json"
step 1 'server.json:6:5: error: expected "," or "}"' 'sessionctl check server.json'
step 1 'server.json:6:5: error: ' 'sessionctl get server.json http.port'

say 'It is repaired.'
step 0 '' "sed -i 's/8080/8080,/' server.json"
step 0 '' 'sessionctl check server.json'

say 'Values come out as they are spelled, strings bare if wanted.'
step 0 '8080' 'sessionctl get server.json http.port'
step 0 '2.50' 'sessionctl get server.json /limits/timeout'
step 0 '["/", "/status"]' 'sessionctl get server.json http.paths'
step 0 '"hello, \"world\""' 'sessionctl get server.json greeting'
step 0 'hello, "world"' 'sessionctl get --raw server.json greeting'

say 'What is not there is told apart from what is.'
step 1 'nearest: "port"' 'sessionctl get server.json http.prot'
step 1 'an array of 2 elements, 0 to 1' 'sessionctl get server.json http.paths.2'
step 2 'did you mean check?' 'sessionctl chekc server.json'
step 3 'No such file or directory' 'sessionctl check sever.json'
