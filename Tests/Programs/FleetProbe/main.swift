// A process of a machine of a fleet, for tests of several processes.
//
// FleetProbe FILE KEY MACHINE ENDPOINT…
//
// Prints "ready" once it exchanges the changes of the file, or another process of the machine does. Then it carries out a
// line of its input after the other:
//
//     commit COUNT     adds 1 to `next` COUNT times, and prints "committed NEXT" after each, or "failed CODE"
//     status           prints the status
//
// It ends with its input.

import FleetSession
import Glibc

struct Settings: Codable, Sendable {
    var next = 0
    var edits: [String: Int] = [:]
}

func say(_ line: String) {
    // One write, so that a kill leaves whole lines.
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 4 else { fatalError("usage: FleetProbe FILE KEY MACHINE ENDPOINT…") }

let session = try Session(Settings(), at: arguments[0])
let reports = session.mirror.observe { report in
    if case .problem(let problem) = report { say("problem \(problem)") }
}
var options = FleetOptions()
options.machine = arguments[2]
options.reconnectDelay = .milliseconds(200)
options.commitTimeout = .seconds(100)
var etcd = EtcdOptions(endpoints: Array(arguments[3...]))
etcd.requestTimeout = .seconds(2)
let fleet = try FleetSession(session, key: arguments[1], etcd: etcd, options: options)
while true {
    if fleet.status.connection == .connected || fleet.status.connection == .standby { break }
    try await Task.sleep(for: .milliseconds(5))
}
say("ready")
while let line = readLine() {
    let words = line.split(separator: " ")
    switch words.first {
    case "commit":
        for _ in 0..<(Int(words[1]) ?? 0) {
            do {
                let next = try await fleet.commit { value in
                    value.next += 1
                    return value.next
                }
                say("committed \(next)")
            } catch let error as EtcdError {
                say("failed \(error.code.rawValue) \(error.message)")
            } catch {
                say("failed \(error)")
            }
        }
        say("done")
    case "status": say("\(fleet.status)")
    default: say("unknown command")
    }
}
await fleet.close()
withExtendedLifetime(reports) {}
