#!/usr/bin/env bash
# Runs the live service and edits its settings while it answers requests, with mistakes and corrections. Fails if the
# service does not do within ten seconds what is expected.
#
# usage: demo.sh LIVESERVICE SESSIONCTL, the paths of the programs; KEEP=1 keeps the service running for your own editor.
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: demo.sh LIVESERVICE SESSIONCTL" >&2; exit 2; }
live=$(realpath "$1")
sessionctl=$(realpath "$2")
sample=$(cd "$(dirname "$0")" && pwd)/settings.json
longest=10

folder=$(mktemp -d)
service=
watcher=

clean_up() {
    trap - EXIT
    for process in $service $watcher; do kill "$process" 2>/dev/null || true; done
    wait
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM

cd "$folder"
cp "$sample" settings.json

say() { printf '\n# %s\n' "$1"; }

fail() {
    printf 'demo: %s\n' "$1" >&2
    exit 1
}

# expect DESCRIPTOR NAME TEXT…: shows the output of a program until each TEXT was in a line, in any order. Sets `line`.
expect() {
    local descriptor=$1 name=$2 text missing end=$((SECONDS + longest))
    shift 2
    while [ $# -gt 0 ]; do
        IFS= read -r -t $((end - SECONDS + 1)) -u "$descriptor" line || fail "$name did not print: $1"
        # Without the time and the folder.
        printf '    %s | %s\n' "$name" "$(sed -E "s|^[0-9T:-]+Z ||; s|$folder/||" <<<"$line")"
        missing=()
        for text in "$@"; do [[ $line == *"$text"* ]] || missing+=("$text"); done
        set -- ${missing+"${missing[@]}"}
        ((SECONDS <= end)) || [ $# -eq 0 ] || fail "$name did not print: $1"
    done
}

service_prints() { expect 3 service "$@"; }
watcher_prints() { expect 4 watch "$@"; }

# show COMMAND: prints a command and runs it.
show() {
    printf '$ %s\n' "$1"
    eval "$1" </dev/null
}

# answers PATH TEXT: shows a request, repeated until the answer has a text.
answers() {
    local answer end=$((SECONDS + longest))
    until answer=$(curl --silent --max-time 5 "$url$1") && [[ $answer == *"$2"* ]]; do
        ((SECONDS < end)) || fail "$url$1 did not answer: $2"
        sleep 0.05
    done
    printf '$ curl %s\n%s\n' "$url$1" "$answer"
}

# file_has FILE TEXT: waits until a file contains a text.
file_has() {
    local end=$((SECONDS + longest))
    until grep --quiet --fixed-strings -- "$2" "$1"; do
        ((SECONDS < end)) || fail "$1 does not contain: $2"
        sleep 0.05
    done
}

listens() {
    service_prints 'listening address='
    url=${line##*address=}
    service_prints 'administration page='
    page=${line##*page=}
}

# vim without user settings, and with backups, which it does not make in temporary directories by default.
vim() { command vim -u NONE -i NONE -N -es -c 'set writebackup backupskip=' "$@"; }

say 'A settings file and a service that uses it.'
show 'cat settings.json'
printf '$ liveservice --settings settings.json --state state/state.json &\n'
exec 3< <(exec "$live" --settings settings.json --state state/state.json 2>&1)
service=$!
listens
answers / '"greeting":"hello"'
printf '\nThe page that shows every change: %s\n' "$page"

say 'The greeting is changed with sed, which renames a new file over the old one. The next request has it.'
show "sed -i 's/hello/good morning/' settings.json"
service_prints 'settings changed by=outside new="good morning" old=hello path=greeting'
answers / '"greeting":"good morning"'

say 'A limit is changed in vim, which renames the old file to a backup before it writes the new one.'
answers /tenants/acme 'acme'
answers /tenants/acme 'limit of the tenant is reached'
show "vim -c '%s/0.01/1000/' -c wq settings.json"
service_prints 'path=tenants.acme.requestsPerSecond'
answers /tenants/acme '"tenant":"acme"'

say 'How the service listens is changed, so it opens a new socket. Connections of the old one go on until they end.'
show "sed -i 's/\"requestTime\": \"15s\"/\"requestTime\": \"10s\"/' settings.json"
listens
answers / 'good morning'

say 'Orders are numbered by commit: each number is on the disk when the client gets it. Changes need a token.'
# shellcheck disable=SC2016 # shown as it is typed
printf '$ curl -X POST -H "Authorization: Bearer $(head -1 state/token)" %s/orders\n' "$url"
for number in 1 2; do
    answer=$(curl --silent --max-time 5 -X POST -H "Authorization: Bearer $(head -1 state/token)" "$url/orders")
    echo "$answer"
    [ "$answer" = "{\"order\":$number}" ] || fail "the order has no number $number"
done
show 'cat state/state.json'

say 'A comma is deleted. The service reports the location and keeps the last valid settings.'
show "sed -i 's/\"good morning\",/\"good morning\"/' settings.json"
service_prints 'settings.json:5:3: error: expected "," or "}"'
answers / '"greeting":"good morning"'
answers /healthz '"content":"invalid"'

say 'The mistake is corrected in vim.'
show "vim -c '%s/\"good morning\"/\"good morning\",/' -c wq settings.json"
service_prints 'solved: expected'

say 'A value of the wrong type, and one that the service rejects.'
show "sed -i 's/1000/\"many\"/' settings.json"
service_prints 'settings.json:7:36: error: "tenants.acme.requestsPerSecond" must be a number, found "many"'
show "sed -i 's/\"many\"/0/' settings.json"
service_prints 'settings.json:7:36: error: "tenants.acme.requestsPerSecond" must be 0.001 to 1000000'
show "sed -i 's/\"requestsPerSecond\": 0/\"requestsPerSecond\": 10/' settings.json"
service_prints 'solved: ' 'new=10'

say 'sessionctl prints changes of any JSON file, here as JSON Lines, while the page changes a value: a comment stays.'
printf '$ sessionctl watch --json --count 1 settings.json &\n'
exec 4< <(exec "$sessionctl" watch --json --count 1 settings.json)
watcher=$!
watcher_prints '{"event":"initial"'
show 'cp settings.json before.json'
printf '$ curl --data '"'"'{"path": "/greeting", "seen": "good morning", "value": "good evening"}'"'"' …/admin/set\n'
curl --silent --max-time 5 --header "Authorization: Bearer $(head -1 state/token)" \
    --data '{"path": "/greeting", "seen": "good morning", "value": "good evening"}' "$url/admin/set"
service_prints 'by=service new="good evening"'
watcher_prints '"path":"/greeting","old":"good morning","new":"good evening"'
watcher=
file_has settings.json '"greeting": "good evening", // said to everybody'
show 'diff before.json settings.json || true'
[ "$(diff before.json settings.json | grep --count '^[<>]')" = 2 ] || fail 'exactly one line should have changed'

if [ "${KEEP:-}" = 1 ]; then
    say "The service keeps running. Edit this file with your own editor, or open the page; Ctrl-C ends the demonstration."
    printf '%s\n%s\n' "$folder/settings.json" "$page"
    while IFS= read -r -u 3 line; do printf '    service | %s\n' "$line"; done
    fail 'the service has exited'
fi

say 'The service is terminated: it finishes its requests and saves.'
answers / 'good evening'
show "kill -TERM \$service"
service_prints 'stopped'
wait "$service" || fail "the service exited with $?"
service=
show 'cat state/state.json'
