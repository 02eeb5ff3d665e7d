#!/usr/bin/env bash
# Runs the example `fleet` as three machines that share their settings through a real cluster of etcd, edits the files, kills
# the leader of etcd and cuts a machine off. Fails if a machine does not do within thirty seconds what is expected.
#
# usage: fleet.sh FLEET, the path of the program; PAUSE=0 leaves out the pauses for reading, of one second by default.
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: fleet.sh FLEET" >&2; exit 2; }
fleet=$(realpath "$1")
longest=30
members=(a b c)
machines=(one two three)
declare -A client peer process input output

folder=$(mktemp -d)

clean_up() {
    trap - EXIT
    exec 2>/dev/null   # no messages of the shell about killed processes
    for name in "${!process[@]}"; do kill -KILL "${process[$name]}" 2>/dev/null || true; done
    wait
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' HUP TERM
cd "$folder"

say() {
    sleep "${PAUSE:-1}"
    printf '\n# %s\n' "$1"
}

fail() {
    printf 'demo-fleet: %s\n' "$1" >&2
    exit 1
}

# show COMMAND: prints a command and runs it.
show() {
    printf '$ %s\n' "$1"
    eval "$1" </dev/null
}

# eventually TEXT COMMAND…: repeats a command until it succeeds.
eventually() {
    local text=$1 end=$((SECONDS + longest))
    shift
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < end)) || fail "$text"
        sleep 0.05
    done
}

# prints MACHINE TEXT: shows the output of a machine until a line has a text. Sets `line`.
prints() {
    local end=$((SECONDS + longest))
    line=
    until [[ $line == *"$2"* ]]; do
        IFS= read -r -t $((end - SECONDS + 1)) -u "${output[$1]}" line || fail "$1 did not print: $2"
        printf '    %s\n' "$line"
        ((SECONDS <= end)) || fail "$1 did not print: $2"
    done
}

# launch PROGRAM ARGUMENT…: becomes a program that is killed with this script, even if that is killed itself.
launch() {
    local descriptor
    for descriptor in "${input[@]}" "${output[@]}"; do exec {descriptor}>&-; done
    exec setpriv --pdeathsig KILL "$@"
}

# Etcd.

# take_ports: finds two ports for each member on which nothing listens. They are below those that the kernel gives away.
take_ports() {
    local port=$((RANDOM % 10000 + 15000)) member
    local -a free=()
    while [ ${#free[@]} -lt $((2 * ${#members[@]})) ]; do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || free+=("$port")
        port=$((port + 1))
    done
    for member in "${members[@]}"; do
        client[$member]=http://127.0.0.1:${free[0]}
        peer[$member]=http://127.0.0.1:${free[1]}
        free=("${free[@]:2}")
    done
}

# start_member NAME
start_member() {
    local cluster='' member
    for member in "${members[@]}"; do cluster+="$member=${peer[$member]},"; done
    launch etcd --name "$1" --data-dir "etcd-$1" --initial-cluster "${cluster%,}" \
        --listen-client-urls "${client[$1]}" --advertise-client-urls "${client[$1]}" \
        --listen-peer-urls "${peer[$1]}" --initial-advertise-peer-urls "${peer[$1]}" >"etcd-$1.log" 2>&1 &
    process[$1]=$!
}

# kill_member NAME
kill_member() {
    printf '$ kill -KILL %s   # member %s of etcd\n' "${process[$1]}" "$1"
    kill -KILL "${process[$1]}"
    # Without the shell's message about it.
    wait "${process[$1]}" 2>/dev/null || true
    unset "process[$1]"
}

is_healthy() { ETCDCTL_API=3 command etcdctl --endpoints "${client[$1]}" endpoint health >/dev/null 2>&1; }

etcdctl() { ETCDCTL_API=3 command etcdctl --endpoints "$(endpoints "${members[@]}")" "$@"; }

endpoints() {
    local member list=''
    for member in "$@"; do list+="${client[$member]},"; done
    printf '%s' "${list%,}"
}

# find_leader: sets `leader` to the member that leads, if one does.
find_leader() {
    local member
    for member in "${members[@]}"; do
        # ENDPOINT, ID, version, size, whether it leads, …
        if etcdctl endpoint status --write-out simple | grep --quiet "^${client[$member]}, .*, true, "; then
            leader=$member
            return
        fi
    done
    return 1
}

# Machines.

# start_machine NAME MEMBER…: with the endpoints of some members.
start_machine() {
    local name=$1 member descriptor
    local -a urls=()
    shift
    for member in "$@"; do urls+=("${client[$member]}"); done
    printf '$ cd %s; fleet settings.json %s %s\n' "$name" "$name" "${urls[*]}"
    mkdir -p "$name"
    mkfifo "$name.in" "$name.out"
    (cd "$name" && launch stdbuf --output=L "$fleet" settings.json "$name" "${urls[@]}" \
        <"../$name.in" >"../$name.out" 2>&1) &
    process[$name]=$!
    exec {descriptor}>"$name.in"
    input[$name]=$descriptor
    exec {descriptor}<"$name.out"
    output[$name]=$descriptor
    rm "$name.in" "$name.out"
}

tell() { printf '%s\n' "$2" >&"${input[$1]}"; }

has() { grep --quiet --fixed-strings -- "$2" "$1/settings.json"; }

say 'A cluster of etcd: three members, which keep a value as long as two of them run.'
for attempt in 1 2 3; do
    take_ports
    for member in "${members[@]}"; do start_member "$member"; done
    for member in "${members[@]}"; do
        printf '$ etcd --name %s --listen-client-urls %s …\n' "$member" "${client[$member]}"
    done
    # Another program may have taken a port since.
    end=$((SECONDS + longest))
    until is_healthy a && is_healthy b && is_healthy c; do
        kill -0 "${process[a]}" "${process[b]}" "${process[c]}" 2>/dev/null || break
        ((SECONDS < end)) || break
        sleep 0.1
    done
    if is_healthy a && is_healthy b && is_healthy c; then break; fi
    [ "$attempt" -lt 3 ] || fail "etcd does not start: $(tail -n 3 etcd-a.log)"
    for member in "${members[@]}"; do kill_member "$member"; done
    rm -rf etcd-?
done

say 'Three machines, each with a file of its own; the third one has none yet. For the program, the address is local.'
mkdir one two
cat >one/settings.json <<'END'
{
  // Said to everybody.
  "greeting": "hello",
  "limit": 100,
  "address": "10.0.0.1"
}
END
cat >two/settings.json <<'END'
{
  "address": "10.0.0.2"
}
END
show 'head -n 9 one/settings.json two/settings.json'
start_machine one "${members[@]}"
prints one 'fleet connected'
start_machine two "${members[@]}"
prints two 'fleet connected'
# This one knows only a member that does not lead, so that it can be cut off.
eventually 'etcd has no leader' find_leader
far=a
[ "$leader" != a ] || far=b
start_machine three "$far"
prints three 'fleet connected'
for name in two three; do
    eventually "the settings have not reached machine $name" has "$name" '"greeting": "hello"'
done
show 'head -n 9 three/settings.json'

say 'An edit on machine one reaches the other files and programs.'
show "sed -i 's/hello/good morning/' one/settings.json"
for name in "${machines[@]}"; do prints "$name" 'greeting "hello" → "good morning"'; done

say 'A comment on machine two stays on machine two, also when the value beside it changes.'
show "sed -i '/limit/s|$|   // see the ticket of Monday|' two/settings.json"
show "sed -i 's/\"limit\": 100/\"limit\": 200/' one/settings.json"
for name in "${machines[@]}"; do prints "$name" 'limit 100 → 200'; done
eventually 'the limit has not reached the file of machine two' has two '"limit": 200'
show "grep limit one/settings.json two/settings.json"
has two '// see the ticket of Monday' || fail 'the comment is gone'
if has one ticket; then fail 'the comment has travelled'; fi

say 'All three hand out order numbers at the same time, by commit: no number twice.'
numbers=
for name in "${machines[@]}" "${machines[@]}"; do tell "$name" order; done
for name in "${machines[@]}" "${machines[@]}"; do
    prints "$name" ': order '
    numbers+="${line##* } "
done
sorted=$(tr ' ' '\n' <<<"$numbers" | grep . | sort --numeric-sort | tr '\n' ' ')
[ "$sorted" = '1 2 3 4 5 6 ' ] || fail "the numbers are $numbers"

say 'The leader of etcd is killed. The others elect a new one, and edits still travel.'
eventually 'etcd has no leader' find_leader
if [ "$leader" = "$far" ]; then
    # Not the member of machine three, whose turn comes below.
    identifier=$(etcdctl endpoint status --write-out simple | grep --invert-match "^${client[$far]}," | head -n 1 | cut -d ' ' -f 2)
    etcdctl move-leader "${identifier%,}" >etcdctl.log
    eventually 'etcd has no leader' find_leader
fi
kill_member "$leader"
show "sed -i 's/good morning/good afternoon/' two/settings.json"
prints one '→ "good afternoon"'
prints two '→ "good afternoon"'
prints three '→ "good afternoon"'
tell one order
prints one ': order 7'
start_member "$leader"
eventually 'the member does not start again' is_healthy "$leader"

say 'Machine three is cut off: the only member that it knows is killed. It goes on with its file.'
kill_member "$far"
prints three 'fleet disconnected'
printf '# Both sides edit: machine three a greeting and the limit, machine one the same greeting.\n'
show "sed -i 's/good afternoon/good night/; s/200/300/' three/settings.json"
prints three 'limit 200 → 300'
show "sed -i 's/good afternoon/good evening/' one/settings.json"
prints two '→ "good evening"'

say 'It comes back: the edits of both sides are merged, and it tells the one conflict.'
start_member "$far"
prints three '"good evening" by one: kept the other machine'
eventually 'the limit of machine three has not arrived' has one '"limit": 300'
eventually 'the limit of machine three has not arrived' has two '"limit": 300'
eventually 'the greeting of machine one has not arrived' has three '"greeting": "good evening"'
tell two machines
prints two machines

say 'The three files, side by side: the same values; comments and addresses of each machine its own.'
show "pr --merge --omit-header --width=150 one/settings.json two/settings.json three/settings.json"

say 'The machines stop, and with them everything else.'
for name in "${machines[@]}"; do
    descriptor=${input[$name]}
    exec {descriptor}>&-
    wait "${process[$name]}" || fail "machine $name has ended with status $?"
    unset "process[$name]"
done
