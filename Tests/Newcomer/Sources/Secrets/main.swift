// A service whose file has a password: nothing that it logs shows it. The first argument is an empty directory.
import Foundation
import SessionMirror
import Synchronization

struct Database: Codable, Sendable {
    var host = "localhost"
    var password = ""
}

struct Settings: Codable, Sendable {
    var database = Database()
    var users: [String: [String: String]] = [:]

    func check() throws {
        if database.password.count < 8 {
            throw ValidationError("\"\(database.password)\" is too short", at: "/database/password")
        }
    }
}

let path = CommandLine.arguments[1] + "/service.json"
func write(_ text: String) throws { try text.write(toFile: path, atomically: true, encoding: .utf8) }

var options = SessionOptions()
options.secrets = ["database.password", "users.*.token"]
options.start = .requireFile
try write(#"{ "database": { "password": "correct horse" }, "users": { "ann": { "token": "T0KEN" } } }"#)
let session = try Session(Settings(database: .init(password: "12345678")), at: path, options: options) {
    try $0.check()
}
precondition(session.database.password == "correct horse")

// What a careful program logs: every report, and values only when they are redacted.
let log = Mutex([String]())
let token = session.mirror.observe { report in log.withLock { $0.append("\(report)") } }
let secrets: JSONSecrets = ["database.password", "users.*.token"]
log.withLock { $0.append("loaded: \(secrets.redacting(session.snapshot.json))") }

for (text, part) in [
    (#"{ "database": { "password": "s3same" } }"#, "too short"),
    (#"{ "database": { "password": 5551234 } }"#, "must be"),
    (#"{ "database": { "password": "pass phrase", } "users" }"#, "expected"),
    (#"{ "database": { "passwort": "hunter2 hunter2" } }"#, "passwort"),
] {
    try write(text)
    while !log.withLock({ $0.contains { $0.contains(part) } }) { usleep(1_000) }
}
let all = log.withLock { $0.joined(separator: "\n") }
print(all)
for secret in ["correct horse", "T0KEN", "s3same", "5551234", "pass phrase", "hunter2"] {
    precondition(!all.contains(secret), "\(secret) is in the log")
}
precondition(all.contains("<redacted>"))
