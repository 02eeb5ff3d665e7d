// The processes of the tests of stores:
//
//   ObjectProbe use DIRECTORY NAME FIRST COUNT SEED
//     saves, loads and removes COUNT objects, NAME/0 and so on, whose versions begin with FIRST, and ten that all processes
//     share, shared/0 and so on, until it is killed. Prints each operation before it begins, and "done" when it has returned,
//     after a save with the name of the file.
//   ObjectProbe fill DIRECTORY NAME FIRST COUNT SEED
//     saves objects, and loads each of them at once. Prints "done" after each, and "lost" if it is not there.
//   ObjectProbe save DIRECTORY IDENTIFIER NUMBER
//   ObjectProbe load DIRECTORY IDENTIFIER
//
// The variable LIMIT is the maximum count of objects; with FAST, saving does not wait for the disk.
import FileScripts
import Glibc
import ObjectStore

struct Payload: Codable, Sendable {
    var version: Int
    var text: String
}

func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else { fail("usage: ObjectProbe use | fill | save | load …") }
let store = ObjectStore(
    in: arguments[1], limit: variable("LIMIT").flatMap { Int($0) }.map { .count($0) } ?? [],
    durability: variable("FAST") == nil ? .durable : .fast)
if ["save", "load"].contains(arguments[0]) {
    do throws(ObjectStoreError) {
        if arguments[0] == "save" { try store.saveBlocking(Int(arguments[3]), as: arguments[2]) }
        say("\(try store.load(Int.self, arguments[2]) ?? 0)")
    } catch {
        say("\(error)")
    }
    exit(0)
}
guard arguments.count == 6, let first = Int(arguments[3]), let count = Int(arguments[4]),
    let seed = UInt64(arguments[5])
else { fail("usage: ObjectProbe use | fill DIRECTORY NAME FIRST COUNT SEED") }
var generator = SeededGenerator(seed)
var version = first
while true {
    let own = "\(arguments[2])/\(Int.random(in: 0..<count, using: &generator))"
    let text = String(repeating: "x", count: Int.random(in: 0..<2_000, using: &generator))
    let payload = Payload(version: version, text: text)
    if arguments[0] == "fill" {
        try store.saveBlocking(payload, as: own)
        say(try store.load(Payload.self, own) == nil ? "lost \(own)" : "done")
        version += 1
        continue
    }
    let isShared = Int.random(in: 0..<10, using: &generator) == 0
    let identifier = isShared ? "shared/\(Int.random(in: 0..<10, using: &generator))" : own
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<6:
        say("save \(identifier) \(version)")
        try store.saveBlocking(payload, as: identifier)
        say("done \(try store.fileName(of: identifier) ?? "")")
    case 6..<8:
        say("remove \(identifier) \(version)")
        try store.removeBlocking(identifier)
        say("done")
    default:
        say("load \(identifier) \(version)")
        _ = try store.load(Payload.self, identifier)
        say("done")
    }
    version += 1
}
