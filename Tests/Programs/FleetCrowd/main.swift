// Many machines of a fleet in one process, to measure what each costs. Each has a directory, a file and a session.
//
// FleetCrowd FOLDER BYTES LIFETIME ENDPOINT…
//
// BYTES is the size of the value that all share, LIFETIME that of registrations in seconds. The program prints "ready", then carries out a line of its input after
// the other, and answers each with a line of JSON:
//
//     open COUNT           opens sessions until there are COUNT
//     join COUNT           synchronizes the first COUNT with the store, and waits until all are connected
//     usage                what the process uses
//     edit                 changes the file of the first machine and waits until all files have the change
//     stream COUNT PAUSE   does so COUNT times, with PAUSE milliseconds between, and waits until all files have the last one
//     commit COUNT         makes COUNT commits on each machine, on all at once
//     state                how many machines are connected
//     wait                 waits until all are connected
//     watch COUNT          sends a value of the same size to COUNT bare watches of etcd, without sessions, three times
//
// It ends with its input.

import CAllocationCount
import EtcdClient
import FileScripts
import LosslessJSON

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 4, let bytes = Int(arguments[1]), let lifetime = Int(arguments[2]) else {
    fail("usage: FleetCrowd FOLDER BYTES LIFETIME ENDPOINT…")
}
allocation_count_set_enabled(true)
let crowd = Crowd(in: arguments[0], bytes: bytes, lifetime: .seconds(lifetime), endpoints: Array(arguments[3...]))
say("ready")
while let line = readLine() {
    let words = line.split(separator: " ")
    func number(_ index: Int) -> Int { words.indices.contains(index) ? Int(words[index]) ?? 0 : 0 }
    let answer: JSON =
        switch words.first {
        case "open": try crowd.open(number(1))
        case "join": try await crowd.join(number(1))
        case "usage": try ProcessUsage.now.json
        case "edit": try await crowd.edit()
        case "stream": try await crowd.stream(number(1), pause: .milliseconds(number(2)))
        case "commit": try await crowd.commit(number(1))
        case "state": crowd.state
        case "wait": try await crowd.wait()
        case "watch": try await BareWatches(crowd.etcd, bytes: bytes).measure(number(1))
        default: "unknown command"
        }
    say(JSONPrinter(layout: .compact).string(answer))
}
