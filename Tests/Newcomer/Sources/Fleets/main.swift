// The samples of the pages of FleetSession. Without etcd only the first part runs: what a machine does without a store.
import FleetSession
import Glibc

func check(_ condition: Bool, _ message: String) { if !condition { fatalError(message) } }

guard CommandLine.arguments.contains("--with-etcd") else {
    try await runAlone(in: CommandLine.arguments[1])
    exit(0)
}

struct Settings: Codable, Sendable {
    var greeting = "hello"
    var nextOrder = 0
}

let session = try Session(Settings(), at: "/etc/shop/settings.json")
let fleet = try FleetSession(
    session, key: "/shop/settings",
    etcd: EtcdOptions(endpoints: ["http://10.0.0.1:2379", "http://10.0.0.2:2379", "http://10.0.0.3:2379"]))

print(session.greeting)  // a read is that of the session: local and lock-free
try session.update { $0.greeting = "good morning" }  // saved soon, then sent
let number = try await fleet.commit { settings in  // one step among all machines
    settings.nextOrder += 1
    return settings.nextOrder
}

let token = session.mirror.observe { report in
    switch report {
    case .problem(let problem): print(problem.fullDescription)  // also conflicts between machines
    case .recovered(let problem): print("solved: \(problem.message)")
    case .status(let status): print(status.fleet?.description ?? "alone")  // connected, revision 17, unsent changes
    }
}

var etcd = EtcdOptions(endpoints: [1, 2, 3].map { "https://etcd\($0).example:2379" })
etcd.credentialsFile = "/etc/shop/etcd-user"
etcd.certificateAuthorityFile = "/etc/shop/etcd-ca.pem"  // nil for the authorities of the system
etcd.clientCertificateFile = "/etc/shop/etcd-client.pem"
etcd.clientKeyFile = "/etc/shop/etcd-client.key"  // mode 0640 or 0600, without a passphrase

var options = FleetOptions()
options.machine = "shop-17"  // in messages; the host name by default
options.localPaths = ["http.address"]  // what belongs to each machine
let shared = try FleetSession(session, key: "/shop/settings", etcd: etcd, options: options)

/// A session goes on without a store, and a commit says what is wrong.
func runAlone(in directory: String) async throws {
    let session = try Session(Settings(), at: directory + "/settings.json")
    var options = FleetOptions()
    options.commitTimeout = .milliseconds(10)
    let fleet = try FleetSession(
        session, key: "/shop/settings", etcd: EtcdOptions(endpoints: ["127.0.0.1:1"]), options: options)
    try await session.commit { $0.greeting = "good morning" }
    check(session.greeting == "good morning", "a commit of the session")
    do {
        try await fleet.commit { $0.nextOrder += 1 }
        fatalError("a commit without a store")
    } catch let error as EtcdError {
        check(error.code == .unreachable, "\(error)")
    }
    check(session.nextOrder == 0 && fleet.status.revision == 0, "nothing was committed")
    await fleet.close()
    do {
        _ = try FleetSession(session, key: "/shop/settings", etcd: EtcdOptions(endpoints: []))
        fatalError("a fleet without endpoints")
    } catch let error as EtcdError {
        check(error.code == .invalidOptions, "\(error)")
    }
    try await session.close()
}
