import EtcdTestSupport
import FleetSession
import TestSupport
import Testing

struct Settings: Codable, Sendable, Equatable {
    var next = 0
    var host = "one"
    var port = 80
    var tags: [String: Int] = [:]
    var http = Address()

    struct Address: Codable, Sendable, Equatable { var address = "0.0.0.0" }
}

/// A machine of a fleet: a file of its own, with a session of it.
final class Machine {
    let folder: TemporaryFolder
    let name: String
    let session: Session<Settings>
    let fleet: FleetSession<Settings>
    let reports = Received<MirrorReport>()
    private let subscription: Subscription

    static let key = "/test/settings"

    /// Within this time, a second by default, older values are taken for stale writes.
    static func staleWriteWindowPasses(_ window: Duration = .seconds(1)) async {
        let deadline = ContinuousClock.now + window + .milliseconds(100)
        await eventually("the window is over") { .now > deadline }
    }

    static let increment: @Sendable (inout Settings) -> Int = { value in
        value.next += 1
        return value.next
    }

    init(
        _ name: String, in folder: TemporaryFolder? = nil, text: String? = nil, endpoints: [String],
        credentialsFile: String? = nil, options: SessionOptions = SessionOptions(),
        _ fleetOptions: FleetOptions = FleetOptions(),
        check: (@Sendable (Settings) throws -> Void)? = nil
    ) throws {
        (self.name, self.folder) = (name, try folder ?? TemporaryFolder())
        if let text { try self.folder.write("settings.json", text) }
        var options = options
        options.unobservedProblems = .ignore
        session = try Session(Settings(), at: self.folder.path(of: "settings.json"), options: options, check: check)
        let reports = reports
        subscription = session.mirror.observe { reports.add($0) }
        var fleetOptions = fleetOptions
        fleetOptions.machine = name
        fleetOptions.reconnectDelay = .milliseconds(100)
        var etcd = EtcdOptions(endpoints: endpoints)
        etcd.credentialsFile = credentialsFile
        fleet = try FleetSession(session, key: Self.key, etcd: etcd, options: fleetOptions)
    }

    /// The text of the file.
    var text: String {
        get throws { try folder.read("settings.json") }
    }

    func edit(_ text: String) throws { try folder.write("settings.json", text) }

    var value: Settings { session.read { $0 } }

    func waitUntilSent() async {
        await eventually("\(name) is in agreement") {
            self.isConnected && !self.fleet.status.hasUnsentChanges && self.fleet.status.revision > 0
        }
    }

    var isConnected: Bool { fleet.status.connection == .connected }

    private var problems: [SessionProblem] {
        reports.items.compactMap { if case .problem(let problem) = $0 { problem } else { nil } }
    }

    var conflicts: [SessionProblem] { problems.filter { if case .conflict = $0.code { true } else { false } } }

    /// Stale writes that were restored.
    var restored: [SessionProblem] { problems.filter { if case .restored = $0.code { true } else { false } } }
}

extension EtcdCluster {
    /// The text of the key of the machines.
    var text: String {
        get throws { String(try etcdctl("get", Machine.key, "--print-value-only").dropLast()) }
    }
}
