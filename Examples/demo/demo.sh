#!/usr/bin/env bash
# A service runs with a settings file; somebody edits it, makes mistakes and mends them. Fails if the service says
# anything else than it should, or nothing for ten seconds.
#
# usage: demo.sh FOLDER, where FOLDER holds the programs; KEEP=1 leaves the service to your own editor afterwards.
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

# hears DESCRIPTOR NAME TEXT…: shows what a program says until each TEXT was in a line, in whatever order.
hears() {
    local descriptor=$1 name=$2 line text missing end=$((SECONDS + longest))
    shift 2
    while [ $# -gt 0 ]; do
        IFS= read -r -t $((end - SECONDS + 1)) -u "$descriptor" line || fail "$name should have said: $1"
        printf '    %s | %s\n' "$name" "$line"
        missing=()
        for text in "$@"; do [[ $line == *"$text"* ]] || missing+=("$text"); done
        set -- ${missing+"${missing[@]}"}
        ((SECONDS <= end)) || [ $# -eq 0 ] || fail "$name should have said: $1"
    done
}

service_says() { hears 3 service "$@"; }
watcher_says() { hears 4 watch "$@"; }

# does COMMAND: shows what somebody does, and does it.
does() {
    printf '$ %s\n' "$1"
    eval "$1" </dev/null
}

# file_has TEXT…: waits until the file has each of them.
file_has() {
    local text end=$((SECONDS + longest))
    for text in "$@"; do
        until grep --quiet --fixed-strings -- "$text" settings.json; do
            ((SECONDS < end)) || fail "the file should have: $text"
            sleep 0.05
        done
    done
}

# vim as people find it, but without their own settings; in temporary folders it would make no backup by itself.
vim() { command vim -u NONE -i NONE -N -es -c 'set writebackup backupskip=' "$@"; }

say 'A settings file, as people write them, and a service that lives with it.'
does 'cat settings.json'
printf '$ livesettings settings.json &\n'
exec 3< <(exec "$programs/livesettings" settings.json)
service=$!
service_says 'serving: "hello" on port 8080, 100 requests at once, 2.5 s each'

say 'Somebody changes the port with sed, which puts a new file in the place of the old one.'
does "sed -i 's/8080/9090/' settings.json"
service_says 'port: 8080 → 9090'

say 'Somebody else opens it in vim, which moves the old file away before it writes the new one.'
does "vim -c '%s/hello/good morning/' -c wq settings.json"
service_says 'greeting: "hello" → "good morning"'

say 'Or which writes into the file, if it was told to.'
does "vim -c 'set backupcopy=yes' -c '%s/\"burst\": 100/\"burst\": 250/' -c wq settings.json"
service_says '100 requests at once, 2.5 s each → 250 requests at once, 2.5 s each'

say 'The service counts whom it serves. Its number comes into the file, and nothing else there is touched.'
does 'cp settings.json before.json'
does "kill -USR1 \$service"
service_says 'served: 1'
file_has '"served": 1, // clients so far: the service counts them'
does 'diff before.json settings.json || true'
[ "$(diff before.json settings.json | grep --count '^[<>]')" = 2 ] || fail 'one line should have changed, and no other'

say 'Both at once: what the service changes and what a person changes are put together.'
does "kill -USR1 \$service; sed -i 's/good morning/good evening/' settings.json"
service_says 'served: 2' 'greeting: "good morning" → "good evening"'
file_has '"served": 2, // clients so far' '"greeting": "good evening", // said to everybody'
does "sed -i 's/good evening/good morning/' settings.json"
service_says 'greeting: "good evening" → "good morning"'

say 'A comma is lost. The service says where, and goes on with what it has.'
does "sed -i 's/9090,/9191/' settings.json"
service_says 'settings.json:5:3: error: expected "," or "}"' '  "greeting": "good morning"' '  ^' \
    'still serving: "good morning" on port 9090'

say 'Somebody mends it in vim.'
does "vim -c '%s/9191/9191,/' -c wq settings.json"
service_says 'port: 9090 → 9191' 'the mistake is gone'

say 'No number, and then one that the service refuses, for reasons of its own.'
does "sed -i 's/9191/\"ninety\"/' settings.json"
service_says 'settings.json:3:11: error: "port" must be a whole number' 'still serving'
does "sed -i 's/\"ninety\"/80/' settings.json"
service_says 'settings.json:3:11: error: "port" must be between 1024 and 65535' 'still serving'
does "sed -i 's/80/8080/' settings.json"
service_says 'port: 9191 → 8080' 'the mistake is gone'

say 'sessionctl shows any such file to people and to programs.'
printf '$ sessionctl watch --json --count 1 settings.json &\n'
exec 4< <(exec "$programs/sessionctl" watch --json --count 1 settings.json)
watcher=$!
watcher_says '{"event":"initial","version":1,"value":{"port":8080,'
does "echo '{\"limits\": {\"burst\": 1}, \"port\": 8080}' >settings.json"
watcher_says '"path":"/limits/burst","old":250,"new":1,"line":1'
service_says 'greeting: "good morning" → "hello"' 'limits: '
watcher=

say 'The file is deleted by mistake, and brought back.'
does 'mv settings.json settings.old'
service_says 'there is no settings file'
does 'sed s/8080/8181/ settings.old >settings.json'
service_says 'port: 8080 → 8181'

if [ "${KEEP:-}" = 1 ]; then
    say "The service goes on. Edit this file with your own editor; Ctrl-C ends it all."
    printf '%s\n' "$folder/settings.json"
    while IFS= read -r -u 3 line; do printf '    service | %s\n' "$line"; done
    fail 'the service has ended'
fi

say 'The service is told to end, just when it has served somebody: it saves that first.'
does "kill -USR1 \$service"
service_says 'served: '
does "kill -TERM \$service"
service_says 'all is saved'
wait "$service" || fail "the service ended with $?"
service=
file_has '"served": 1'
does 'cat settings.json'
