// A service on one machine of many, whose settings all of them share through etcd.
//
//   $ fleet settings.json one http://127.0.0.1:2379
//   one: greeting "hello" → "good morning"     (after an edit of the file of any machine)
//   > order
//   one: order 1                               (the next number among all machines)
import FleetSession

struct Settings: Codable, Sendable {
    var greeting = "hello"
    var limit = 100
    var address = "127.0.0.1"  // of each machine its own
    var orders = 0
}

func run(_ file: String, _ machine: String, _ etcd: EtcdOptions) async throws {
    @Sendable func say(_ line: String) { print("\(machine): \(line)") }
    let session = try Session(Settings(), at: file)
    let subscriptions = [
        session.observe(\.greeting) { say("greeting \"\($0.old)\" → \"\($0.new)\"") },
        session.observe(\.limit) { say("limit \($0.old) → \($0.new)") },
    ]
    let reports = Task.detached {
        var connection: FleetStatus.Connection?
        for await report in session.mirror.reports {
            if case .problem(let problem) = report { say(problem.fullDescription) }  // also conflicts
            guard case .status(let status) = report, status.fleet?.connection != connection else { continue }
            connection = status.fleet?.connection
            if let connection { say("fleet \(connection)") }
        }
    }
    var options = FleetOptions()
    (options.machine, options.localPaths) = (machine, ["/address"])
    let fleet = try FleetSession(session, key: "/example/settings", etcd: etcd, options: options)
    while let command = readLine() {
        do {
            if command == "order" {
                let number = try await fleet.commit { settings in
                    settings.orders += 1
                    return settings.orders
                }
                say("order \(number)")
            } else {
                let overview = try await FleetOverview(of: "/example/settings", etcd: etcd)
                let names = Set(overview.machines.map(\.name)).sorted()
                say("revision \(overview.revision) is by \(overview.author ?? "nobody"); the machines are \(names)")
            }
        } catch {
            say("\(error)")
        }
    }
    await fleet.close()
    try await session.close()
    await reports.value
    withExtendedLifetime(subscriptions) {}
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else { fatalError("usage: fleet FILE MACHINE ENDPOINT…") }
try await run(arguments[1], arguments[2], EtcdOptions(endpoints: Array(arguments[3...])))
