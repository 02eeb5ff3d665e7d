import EtcdTestSupport
import Glibc
import Locking
import LosslessJSON
import TestSupport
import Testing

/// Processes of three machines add to a shared number, while people edit the files and something breaks.
///
/// SESSIONMIRROR_FLEET is the number of commits of each process.
@Suite("Commits of a fleet", .requiresEtcd, .ownThread, .serialized) struct FleetTortureTests {
    enum Fault: String, CaseIterable, Sendable {
        case none, memberKilled, partition, processKilled
    }

    private static let commits = environmentNumber("SESSIONMIRROR_FLEET") ?? 12
    private static let keysPerMachine = 10
    /// Cycles of which a long run has many, and a short one at least one.
    private static let (outage, pause): (useconds_t, useconds_t) =
        commits < 100 ? (2_500_000, 1_000_000) : (5_000_000, 5_000_000)

    @Test("Each commit that returned counts once, and each edit is kept or reported", arguments: Fault.allCases)
    func count(fault: Fault) throws {
        let fleet = try TestFleet()
        let editors = fleet.machines.map { HandEditor($0) }
        let processes = fleet.machines.flatMap { [$0.newProcess(), $0.newProcess()] }
        let isDone = Lock(false)
        let errors = Received<String>()
        let helpers =
            editors.map { editor in
                TestThread {
                    while !isDone.withLock({ $0 }) {
                        do { try editor.edit() } catch { errors.add("\(error)") }
                        usleep(useconds_t.random(in: 1_000...60_000))
                    }
                }
            } + [
                TestThread {
                    do {
                        while !isDone.withLock({ $0 }) { try fleet.breakSomething(fault, processes) }
                    } catch { errors.add("\(error)") }
                }
            ]
        onThreads(processes.count) { number in
            do { try processes[number].commit(Self.commits) } catch { errors.add("\(error)") }
        }
        isDone.withLock { $0 = true }
        for helper in helpers { helper.join() }
        #expect(errors.items.isEmpty)
        let value = try fleet.settled()
        let records = processes.map(\.record)
        let committed = records.flatMap(\.committed)
        let doubtful = records.reduce(0) { $0 + $1.doubtful }
        #expect(Set(committed).count == committed.count, "two commits returned the same number")
        let next = try #require(value["next"]?.int)
        let problems = records.flatMap(\.problems) + fleet.problems
        if Set(committed).count != committed.count || next < committed.count {
            for problem in problems where problem.contains("\"next\"") { print(problem) }
        }
        #expect((committed.count...committed.count + doubtful).contains(next), "\(doubtful) doubtful")
        if fault == .none { #expect(doubtful == 0) }
        for editor in editors {
            for (key, number) in editor.last where value["edits"]?[key]?.int != number {
                #expect(
                    problems.contains { $0.contains(key) }, "\(key) is \(value["edits"]?[key] ?? .null), not \(number)")
            }
        }
        print(
            "fleet, \(fault): \(committed.count) commits, \(doubtful) doubtful, \(problems.count) problems,",
            "\(editors.map(\.count).reduce(0, +)) edits, failures \(Set(records.flatMap(\.failures)))")
    }

    /// Edits the values of a machine with sed, one after the other.
    final class HandEditor: @unchecked Sendable {
        private let machine: TestFleet.Machine
        /// The last number given to each key. Used by one thread at a time.
        private(set) var last: [String: Int] = [:]
        private(set) var count = 0

        init(_ machine: TestFleet.Machine) { self.machine = machine }

        func edit() throws {
            let key = "\(machine.name)k\(Int.random(in: 0..<keysPerMachine))"
            count += 1
            let result = try Program("/bin/sed").run(
                ["-i", "s/\"\(key)\": [0-9]*/\"\(key)\": \(count)/", "settings.json"], in: machine.folder)
            if result.code == 0 { last[key] = count }
        }
    }

    /// A cluster and three machines.
    final class TestFleet: Sendable {
        struct Machine: Sendable {
            let name: String
            let folder: TemporaryFolder
            let endpoints: [String]

            func newProcess() -> FleetProcess { FleetProcess(in: folder, machine: name, endpoints: endpoints) }
            func value() throws -> JSON { try JSON(parsing: folder.read("settings.json")) }
        }

        let cluster: EtcdCluster
        let machines: [Machine]
        private let seen = Received<String>()

        var problems: [String] { seen.items }

        init() throws {
            let cluster = try EtcdCluster { $0.proxiesClients = true }
            self.cluster = cluster
            machines = try ["a", "b", "c"].map { name in
                Machine(name: name, folder: try TemporaryFolder(), endpoints: cluster.endpoints)
            }
            let keys = machines.flatMap { machine in (0..<keysPerMachine).map { "    \"\(machine.name)k\($0)\": 0" } }
            let text = "{\n  \"next\": 0,\n  \"edits\": {\n\(keys.joined(separator: ",\n"))\n  }\n}\n"
            for machine in machines {
                try machine.folder.write("settings.json", "// The file of \(machine.name).\n\(text)")
            }
            _ = try settled()
        }

        func breakSomething(_ fault: Fault, _ processes: [FleetProcess]) throws {
            let member = Int.random(in: 0..<cluster.endpoints.count)
            switch fault {
            case .none: usleep(50_000)
            case .memberKilled:
                cluster.kill(member)
                usleep(1_000_000)
                try cluster.restart(member)
                usleep(1_000_000)
            case .partition:
                cluster.proxies[member].stop()
                usleep(outage)
                cluster.proxies[member].resume()
                usleep(pause)
            case .processKilled:
                usleep(useconds_t.random(in: 100_000...900_000))
                processes.randomElement()?.kill()
            }
        }

        /// Lets a process of each machine run until all files have the same value, and returns that.
        func settled() throws -> JSON {
            try cluster.waitUntilHealthy()
            for proxy in cluster.proxies { proxy.resume() }
            let programs = try machines.map { try $0.newProcess().start() }
            var values: [JSON] = []
            for program in programs { _ = try program.line(with: "ready") }
            // The stale write window must be over.
            let deadline = ContinuousClock.now + .milliseconds(1_500)
            eventually("all files have the same value") {
                values = machines.compactMap { try? $0.value() }
                return Set(values).count == 1 && values.count == machines.count && .now > deadline
            }
            for program in programs {
                for line in try program.end().output.split(separator: "\n") { seen.add(String(line)) }
            }
            for machine in machines {
                #expect(try machine.folder.read("settings.json").hasPrefix("// The file of \(machine.name).\n"))
            }
            return values.first ?? .null
        }
    }
}
