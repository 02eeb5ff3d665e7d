import Glibc
import SessionMirror

// Two processes that change one file: no increment is lost, and each knows its own changes from the other's.

struct Counters: Codable, Equatable, Sendable {
    var total = 0
    var of: [String: Int] = [:]
    var log: [String] = []
}

let folder = CommandLine.arguments[1]
let path = folder + "/counters.json"
var options = SessionOptions()
// Both append to the log.
options.arrays = ["log": .append]

if CommandLine.arguments.count > 2 {
    // A child: counts, and appends to the log.
    let name = CommandLine.arguments[2]
    let session = try Session(Counters(), at: path, options: options)
    let other = name == "a" ? "b" : "a"
    let token = session.observe(\.of) { change in
        // A program that skips its own changes must not skip those of the other.
        let isForeign = change.old[other] != change.new[other]
        if isForeign, change.origin == .update { fatalError("\(name): \(change)") }
    }
    for number in 1...25 {
        try session.commitBlocking { counters in
            counters.total += 1
            counters.of[name, default: 0] += 1
        }
        try session.update { $0.log.append("\(name) \(number)") }
    }
    try session.closeBlocking()
    withExtendedLifetime(token) {}
    exit(0)
}

var children: [Int32] = []
for name in ["a", "b"] { children.append(try ChildProcess.spawn(CommandLine.arguments[0], [folder, name])) }
for child in children {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {}
    precondition(status == 0, "a child failed")
}
let session = try Session(Counters(), at: path)
print("total \(session.total), of \(session.of), \(session.log.count) lines")
precondition(session.total == 50 && session.of == ["a": 25, "b": 25])
precondition(Set(session.log).count == 50 && session.log.count == 50)
for name in ["a", "b"] {
    precondition(session.log.filter { $0.hasPrefix(name) } == (1...25).map { "\(name) \($0)" }, "in order")
}
