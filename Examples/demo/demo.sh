#!/usr/bin/env bash
# Runs a service and edits its settings file, with mistakes and corrections. Fails if the service does not print the
# expected lines within ten seconds.
#
# usage: demo.sh DIRECTORY, which contains the programs; KEEP=1 keeps the service running for your own editor.
set -euo pipefail

programs=$(cd "$1" && pwd)
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

# expect DESCRIPTOR NAME TEXT…: shows the output of a program until each TEXT was in a line, in any order.
expect() {
    local descriptor=$1 name=$2 line text missing end=$((SECONDS + longest))
    shift 2
    while [ $# -gt 0 ]; do
        IFS= read -r -t $((end - SECONDS + 1)) -u "$descriptor" line || fail "$name did not print: $1"
        printf '    %s | %s\n' "$name" "$line"
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

# file_has TEXT…: waits until the file contains each of them.
file_has() {
    local text end=$((SECONDS + longest))
    for text in "$@"; do
        until grep --quiet --fixed-strings -- "$text" settings.json; do
            ((SECONDS < end)) || fail "the file does not contain: $text"
            sleep 0.05
        done
    done
}

# vim without user settings, and with backups, which it does not make in temporary directories by default.
vim() { command vim -u NONE -i NONE -N -es -c 'set writebackup backupskip=' "$@"; }

say 'A settings file and a service that uses it.'
show 'cat settings.json'
printf '$ livesettings settings.json &\n'
exec 3< <(exec "$programs/livesettings" settings.json)
service=$!
service_prints 'serving: "hello" on port 8080, 100 requests at once, 2.5 s each'

say 'The port is changed with sed, which renames a new file over the old one.'
show "sed -i 's/8080/9090/' settings.json"
service_prints 'port: 8080 → 9090'

say 'The greeting is changed in vim, which renames the old file to a backup before it writes the new one.'
show "vim -c '%s/hello/good morning/' -c wq settings.json"
service_prints 'greeting: "hello" → "good morning"'

say 'With backupcopy=yes, vim writes into the existing file.'
show "vim -c 'set backupcopy=yes' -c '%s/\"burst\": 100/\"burst\": 250/' -c wq settings.json"
service_prints '100 requests at once, 2.5 s each → 250 requests at once, 2.5 s each'

say 'The service counts its clients and saves the number. The rest of the file does not change.'
show 'cp settings.json before.json'
show "kill -USR1 \$service"
service_prints 'served: 1'
file_has '"served": 1, // clients so far: the service counts them'
show 'diff before.json settings.json || true'
[ "$(diff before.json settings.json | grep --count '^[<>]')" = 2 ] || fail 'exactly one line should have changed'

say 'Concurrent changes by the service and by a person are merged.'
show "kill -USR1 \$service; sed -i 's/good morning/good evening/' settings.json"
service_prints 'served: 2' 'greeting: "good morning" → "good evening"'
file_has '"served": 2, // clients so far' '"greeting": "good evening", // said to everybody'
show "sed -i 's/good evening/good morning/' settings.json"
service_prints 'greeting: "good evening" → "good morning"'

say 'A comma is deleted. The service reports the location and keeps the last valid settings.'
show "sed -i 's/9090,/9191/' settings.json"
service_prints 'settings.json:5:3: error: expected "," or "}"' '  "greeting": "good morning"' '  ^' \
    'still serving: "good morning" on port 9090'

say 'The mistake is corrected in vim.'
show "vim -c '%s/9191/9191,/' -c wq settings.json"
service_prints 'port: 9090 → 9191' 'settings valid again'

say 'A value of the wrong type, and a number that the service rejects.'
show "sed -i 's/9191/\"ninety\"/' settings.json"
service_prints 'settings.json:3:11: error: "port" must be a whole number' 'still serving'
show "sed -i 's/\"ninety\"/80/' settings.json"
service_prints 'settings.json:3:11: error: "port" must be between 1024 and 65535' 'still serving'
show "sed -i 's/80/8080/' settings.json"
service_prints 'port: 9191 → 8080' 'settings valid again'

say 'sessionctl prints changes of any JSON file, here as JSON Lines.'
printf '$ sessionctl watch --json --count 1 settings.json &\n'
exec 4< <(exec "$programs/sessionctl" watch --json --count 1 settings.json)
watcher=$!
watcher_prints '{"event":"initial","version":1,"value":{"port":8080,'
show "echo '{\"limits\": {\"burst\": 1}, \"port\": 8080}' >settings.json"
watcher_prints '"path":"/limits/burst","old":250,"new":1,"line":1'
service_prints 'greeting: "good morning" → "hello"' 'limits: '
watcher=

say 'The file is deleted and created again.'
show 'mv settings.json settings.old'
service_prints 'settings file missing'
show 'sed s/8080/8181/ settings.old >settings.json'
service_prints 'port: 8080 → 8181'

if [ "${KEEP:-}" = 1 ]; then
    say "The service keeps running. Edit this file with your own editor; Ctrl-C terminates the demo."
    printf '%s\n' "$folder/settings.json"
    while IFS= read -r -u 3 line; do printf '    service | %s\n' "$line"; done
    fail 'the service has exited'
fi

say 'The service is terminated just after it has served a client: it saves the number first.'
show "kill -USR1 \$service"
service_prints 'served: '
show "kill -TERM \$service"
service_prints 'saved'
wait "$service" || fail "the service exited with $?"
service=
file_has '"served": 1'
show 'cat settings.json'
