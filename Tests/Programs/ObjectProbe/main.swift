// The processes of the tests of stores:
//
//   ObjectProbe use DIRECTORY NAME FIRST COUNT
//     saves, loads and removes COUNT objects, NAME/0 and so on, whose versions begin with FIRST, and ten that all processes
//     share, shared/0 and so on, until it is killed. Prints each operation before it begins, and "done" when it has returned.
//   ObjectProbe save DIRECTORY IDENTIFIER NUMBER
//   ObjectProbe load DIRECTORY IDENTIFIER
import FileScripts
import Glibc
import ObjectStore

struct Payload: Codable, Sendable {
    var version: Int
    var text: String
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 3 else { fail("usage: ObjectProbe use | save | load …") }
let store = ObjectStore(in: arguments[1])
if arguments[0] != "use" {
    do throws(ObjectStoreError) {
        if arguments[0] == "save" { try store.saveBlocking(Int(arguments[3]), as: arguments[2]) }
        say("\(try store.load(Int.self, arguments[2]) ?? 0)")
    } catch {
        say("\(error)")
    }
    exit(0)
}
guard arguments.count == 5, let first = Int(arguments[3]), let count = Int(arguments[4]) else {
    fail("usage: ObjectProbe use DIRECTORY NAME FIRST COUNT")
}
var generator = SystemRandomNumberGenerator()
var version = first
while true {
    let isShared = Int.random(in: 0..<10, using: &generator) == 0
    let identifier =
        isShared
        ? "shared/\(Int.random(in: 0..<10, using: &generator))"
        : "\(arguments[2])/\(Int.random(in: 0..<count, using: &generator))"
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<6:
        say("save \(identifier) \(version)")
        let text = String(repeating: "x", count: Int.random(in: 0..<2_000, using: &generator))
        try store.saveBlocking(Payload(version: version, text: text), as: identifier)
    case 6..<8:
        say("remove \(identifier) \(version)")
        try store.removeBlocking(identifier)
    default:
        say("load \(identifier) \(version)")
        _ = try store.load(Payload.self, identifier)
    }
    say("done")
    version += 1
}
