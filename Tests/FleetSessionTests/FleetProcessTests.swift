import EtcdTestSupport
import Foundation
import TestSupport
import Testing

@testable import FleetSession

/// What can go wrong with the processes of a machine.
@Suite("The processes of a machine of a fleet", .requiresEtcd, .ownThread, .serialized) struct FleetProcessTests {
    private func start(
        in folder: TemporaryFolder, machine: String = "one", at endpoints: [String], environment: [String] = []
    ) throws -> RunningProgram {
        let program = try Program("/usr/bin/env").start(
            environment + [Program.built("FleetProbe").path, folder.path(of: "settings.json"), Machine.key, machine]
                + endpoints, in: folder, input: .lines)
        _ = try program.line(with: "ready")
        return program
    }

    @Test("One process exchanges the changes; when it is killed, another takes over, and its commits go on meanwhile")
    func takeover() async throws {
        let cluster = try EtcdCluster(members: 1)
        let folder = try TemporaryFolder()
        try folder.write("settings.json", "{\"next\": 0, \"edits\": {}}")
        let first = try start(in: folder, at: cluster.endpoints)
        let second = try start(in: folder, at: cluster.endpoints)
        try second.say("status")
        _ = try second.line(with: "standby")
        try second.say("commit 1")
        _ = try second.line(with: "committed 1")
        first.send(SIGKILL)
        await eventually("the second process has taken over") {
            try? second.say("status")
            return (try? second.line())?.hasPrefix("connected") == true
        }
        try cluster.etcdctl("put", Machine.key, "{\"next\": 7, \"edits\": {}}")
        await eventually("changes arrive again") { (try? folder.read("settings.json").contains("7")) == true }
        #expect(try second.end().code == 0)
    }

    @Test("A process that is killed before it learns that its text was stored leaves no conflict with itself")
    func killedWhileSending() async throws {
        let cluster = try EtcdCluster(members: 1) { $0.proxiesClients = true }
        let folder = try TemporaryFolder()
        try folder.write("settings.json", "{\"port\": 1, \"host\": \"a\"}")
        let program = try start(in: folder, at: cluster.endpoints)
        await eventually("the file is sent") { (try? cluster.text.contains("\"port\": 1")) == true }
        cluster.proxies[0].dropAnswers()
        try folder.write("settings.json", "{\"port\": 2, \"host\": \"a\"}")
        await eventually("the edit is stored") { (try? cluster.text.contains("\"port\": 2")) == true }
        program.send(SIGKILL)
        _ = try program.end()
        try folder.write("settings.json", "{\"port\": 3, \"host\": \"a\"}")
        try cluster.etcdctl("put", Machine.key, "{\"port\": 2, \"host\": \"b\"}")
        cluster.proxies[0].cut()
        cluster.proxies[0].resume()
        let one = try Machine("one", in: folder, endpoints: cluster.endpoints)
        await eventually("the newer edit and that of the other machine are merged") {
            one.value.port == 3 && one.value.host == "b"
        }
        await eventually("the edit is sent") { (try? cluster.text.contains("\"port\": 3")) == true }
        #expect(one.conflicts.isEmpty)
    }

    @Test("A stale write is restored, and not sent, although the process that merged the newer value has ended")
    func staleWriteAfterEnd() async throws {
        let cluster = try EtcdCluster(members: 1)
        let folder = try TemporaryFolder()
        var options = SessionOptions()
        // Long enough for a busy machine.
        options.staleWriteWindow = .seconds(4)
        let before = "{\"port\": 1, \"host\": \"a\"}"
        do {
            let first = try Machine("one", in: folder, text: before, endpoints: cluster.endpoints, options: options)
            await eventually("the file is sent") { first.isConnected && first.fleet.status.revision > 0 }
            try cluster.etcdctl("put", Machine.key, "{\"port\": 2, \"host\": \"a\"}")
            await eventually("the newer value is merged") { first.value.port == 2 }
            await first.fleet.close()
            try await first.session.close()
        }
        try folder.write("settings.json", before)
        let second = try Machine("one", in: folder, endpoints: cluster.endpoints, options: options)
        await eventually("the newer value is restored") { second.value.port == 2 }
        await eventually("that is reported") { second.restored.map(\.path?.description) == ["/port"] }
        #expect(try folder.read("settings.json").contains("\"port\": 2"))
        #expect(try cluster.text.contains("\"port\": 2"))
        // Later it is meant.
        await Machine.staleWriteWindowPasses(options.staleWriteWindow)
        try folder.write("settings.json", before)
        await eventually("the value is sent") { (try? cluster.text.contains("\"port\": 1")) == true }
    }

    @Test("A commit that is stored after its caller has given up is not undone")
    func answerNeverCame() async throws {
        let cluster = try EtcdCluster(members: 1) { $0.proxiesClients = true }
        var options = FleetOptions()
        options.commitTimeout = .milliseconds(100)
        let one = try Machine("one", text: "{\"next\": 1}", endpoints: cluster.endpoints, options)
        await eventually("the file is sent") { (try? cluster.text.contains("1")) == true }
        for round in 2...3 {
            // It must know what the store has: its transaction would fail otherwise.
            await eventually("a commit succeeds") { (try? await one.fleet.commit { $0.port = round }) != nil }
            cluster.proxies[0].dropAnswers()
            let error = await #expect(throws: EtcdError.self) { try await one.fleet.commit { $0.next += 1 } }
            #expect(error?.code == .uncertain)
            cluster.proxies[0].cut()
            cluster.proxies[0].resume()
            await eventually("the change is in the file") { one.value.next == round }
            #expect(try cluster.text.contains("\"next\": \(round)"))
        }
        #expect(one.conflicts.isEmpty)
    }

    @Test("What another process has written long ago is neither committed again nor sent as it was before")
    func lateProcess() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        await eventually("the file is sent") { (try? cluster.text.contains("1")) == true }
        var options = SessionOptions()
        options.watching = .off
        let late = try Machine("one", in: one.folder, endpoints: cluster.endpoints, options: options)
        for round in stride(from: 1, to: 6, by: 2) {
            #expect(try await one.fleet.commit(Machine.increment) == round)
            await Machine.staleWriteWindowPasses()
            #expect(try await late.fleet.commit(Machine.increment) == round + 1)
        }
        #expect(try await one.fleet.commit(Machine.increment) == 7)
        await Machine.staleWriteWindowPasses()
        // An editor has moved the file away, and will write it again.
        try one.folder.remove("settings.json")
        #expect(try await late.fleet.commit(Machine.increment) == 8)
        await eventually("the file is there again") { (try? one.text.contains("\"next\": 8")) == true }
        await one.fleet.close()
        let second = try Machine("two", endpoints: cluster.endpoints)
        await eventually("the late process exchanges the changes") { late.isConnected }
        try await second.fleet.commit { $0.port = 2 }
        await eventually("the change is in the file") { late.value.port == 2 }
        #expect(second.value.next == 8 && late.value.next == 8)
        #expect(late.conflicts.isEmpty && second.conflicts.isEmpty)
    }

    @Test("A commit waits no longer than its timeout for other processes, and not after its task is cancelled")
    func blockedCommits() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        await eventually("the file is sent") { (try? cluster.text.contains("1")) == true }
        var options = FleetOptions()
        options.commitTimeout = .milliseconds(100)
        let two = try Machine("two", in: one.folder, endpoints: cluster.endpoints, options)
        let lock = try FileLock(one.folder.path(of: ".settings.json.fleet/lock"))
        try await lock.lock()
        let errors = await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<5 {
                group.addTask { [fleet = two.fleet] in
                    do { try await fleet.commit { $0.next += 1 } } catch { return error }
                    return nil
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.count == 5)
        for error in errors { #expect((error as? EtcdError)?.code == .unreachable) }
        let cancelled = Task { [fleet = one.fleet] in try await fleet.commit { $0.next += 1 } }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        lock.unlock()
        let fleet = two.fleet
        await eventually("a commit succeeds again") { (try? await fleet.commit { $0.next = 1 }) != nil }
        await eventually("the other process has it") { one.value.next == 1 }
    }

    @Test("A file has one key: another one is refused while a process uses it")
    func oneKey() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 1}", endpoints: cluster.endpoints)
        let etcd = EtcdOptions(endpoints: cluster.endpoints)
        let second = try FleetSession(one.session, key: Machine.key, etcd: etcd)
        let error = #expect(throws: EtcdError.self) { try FleetSession(one.session, key: "/other", etcd: etcd) }
        #expect(error?.code == .invalidOptions)
        #expect(error?.message.contains("\"\(Machine.key)\"") == true)
        await one.fleet.close()
        #expect(throws: EtcdError.self) { try FleetSession(one.session, key: "/other", etcd: etcd) }
        await second.close()
        let other = try FleetSession(one.session, key: "/other", etcd: etcd)
        await eventually("the file is sent under the other key") {
            (try? cluster.etcdctl("get", "/other", "--print-value-only").contains("1")) == true
        }
        await other.close()
    }

    @Test("Machines whose clocks disagree by days share their changes, and number their commits in order")
    func clocks() async throws {
        let cluster = try EtcdCluster(members: 1)
        let library = try TemporaryFolder()
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Programs/ShiftedClock/shifted_clock.c").path
        let compiler = try Program("/usr/bin/env").run(
            ["clang", "-shared", "-fPIC", "-O1", "-o", library.path(of: "clock.so"), source], in: library)
        #expect(compiler.code == 0, "\(compiler.messages)")
        let date = try Program("/usr/bin/env").run(
            ["LD_PRELOAD=\(library.path(of: "clock.so"))", "CLOCK_OFFSET=-1000000000", "date", "+%Y"], in: library)
        #expect(Int(date.output.dropLast()).map { $0 < 2010 } == true, "\(date)")
        var machines: [(program: RunningProgram, folder: TemporaryFolder)] = []
        for (name, days) in [("past", -400), ("now", 0), ("future", 3)] {
            let folder = try TemporaryFolder()
            try folder.write("settings.json", "{\"next\": 0, \"edits\": {}, \"\(name)\": 0}")
            let environment = ["LD_PRELOAD=\(library.path(of: "clock.so"))", "CLOCK_OFFSET=\(days * 86_400)"]
            machines.append(
                (try start(in: folder, machine: name, at: cluster.endpoints, environment: environment), folder))
        }
        var next = 0
        for round in 1...5 {
            for (index, machine) in machines.enumerated() {
                try machine.program.say("commit 1")
                next += 1
                #expect(try machine.program.line(with: "committed") == "committed \(next)")
                // An edit by hand on each machine must reach all others, whichever was first by its clock.
                let name = ["past", "now", "future"][index]
                let old = try machine.folder.read("settings.json")
                let edited = old.replacing("\"\(name)\": \(round - 1)", with: "\"\(name)\": \(round)")
                #expect(edited != old)
                try machine.folder.write("settings.json", edited)
                await eventually("all files have the edit") {
                    machines.allSatisfy {
                        (try? $0.folder.read("settings.json").contains("\"\(name)\": \(round)")) == true
                    }
                }
                // The commit comes to the file a moment after it has returned.
                await eventually("all files have the number") {
                    machines.allSatisfy {
                        (try? $0.folder.read("settings.json").contains("\"next\": \(next)")) == true
                    }
                }
            }
        }
        for machine in machines {
            let result = try machine.program.end()
            #expect(result.code == 0 && !result.output.contains("problem"), "\(result.output)")
        }
    }
}
