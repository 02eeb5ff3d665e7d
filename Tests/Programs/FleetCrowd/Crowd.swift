import FleetSession
import FoundationEssentials
import Glibc

/// The value that the machines share.
struct CrowdValue: Codable, Sendable {
    var edit = 0
    var entries: [String: String] = [:]
}

/// Machines of a fleet, each with a session of a file of its own.
final class Crowd {
    let etcd: EtcdOptions
    private let folder: String
    private let lifetime: Duration
    /// All of the text but the number of the edit.
    private let rest: String
    private var sessions: [Session<CrowdValue>] = []
    private var fleets: [FleetSession<CrowdValue>] = []
    private var edits = 0

    init(in folder: String, bytes: Int, lifetime: Duration, endpoints: [String]) {
        (self.folder, self.lifetime) = (folder, lifetime)
        etcd = EtcdOptions(endpoints: endpoints)
        let line = 100
        let entries = (0..<max(1, bytes / line)).map { number in
            let key = "    \"entry \(number)\": \""
            return key + String(repeating: "v", count: line - key.utf8.count - 3) + "\""
        }
        rest = ",\n  \"entries\": {\n\(entries.joined(separator: ",\n"))\n  }\n}\n"
    }

    private func file(_ number: Int) -> String { "\(folder)/\(number)/settings.json" }

    private func text(edit: Int) -> String { "{\n  \"edit\": \(edit)\(rest)" }

    func open(_ count: Int) throws -> JSON {
        while sessions.count < count {
            let file = file(sessions.count)
            try FileManager.default.createDirectory(
                atPath: String(file[..<file.lastIndex(of: "/")!]), withIntermediateDirectories: true)
            // All have the value from the start, so that joining does not change their files.
            try replace(file, text(edit: edits))
            var options = SessionOptions()
            options.unobservedProblems = .ignore
            sessions.append(try Session(CrowdValue(), at: file, options: options))
        }
        return ["open": JSON(sessions.count)]
    }

    func join(_ count: Int) async throws -> JSON {
        let start = ContinuousClock.now
        while fleets.count < min(count, sessions.count) {
            var options = FleetOptions()
            // Commits are counted, however slow a sanitizer makes them.
            options.commitTimeout = .seconds(300)
            options.machine = "machine \(fleets.count)"
            options.registrationLifetime = lifetime
            fleets.append(
                try FleetSession(sessions[fleets.count], key: "/crowd/settings", etcd: etcd, options: options))
        }
        try await waitUntilConnected()
        return ["joined": JSON(fleets.count), "seconds": .decimal((.now - start) / .seconds(1))]
    }

    var state: JSON {
        let states = fleets.map(\.status)
        let problems = states.compactMap(\.problem)
        return [
            "connected": JSON(states.count { $0.connection == .connected }), "problems": JSON(problems.count),
            "disconnected": JSON(states.count { if case .disconnected = $0.connection { true } else { false } }),
        ]
    }

    func wait() async throws -> JSON {
        let start = ContinuousClock.now
        try await waitUntilConnected()
        return ["seconds": .decimal((.now - start) / .seconds(1))]
    }

    private func waitUntilConnected() async throws {
        while !fleets.allSatisfy({ $0.status.connection == .connected }) { try await Task.sleep(for: .milliseconds(5)) }
    }
}

extension Crowd {
    func edit() async throws -> JSON {
        let before = try ProcessUsage.now
        edits += 1
        let start = Self.clock
        try replace(file(0), text(edit: edits))
        let times = try await arrivals().map { ($0 - start) / 1e6 }
        let after = try ProcessUsage.now
        let others = Double(max(1, times.count))
        let costs: [(String, JSON)] = [
            ("processorMicroseconds", .decimal((after.processorTime - before.processorTime) * 1e6 / others)),
            ("allocations", .decimal(Double(after.allocations - before.allocations) / others)),
            ("sleeps", .decimal(Double(after.sleeps - before.sleeps) / others)),
        ]
        return .object(JSONObject(Latencies(times).members + costs))
    }

    func stream(_ count: Int, pause: Duration) async throws -> JSON {
        let before = try ProcessUsage.now
        let start = ContinuousClock.now
        for number in 0..<count {
            edits += 1
            try replace(file(0), text(edit: edits))
            try await Task.sleep(until: start + pause * (number + 1))
        }
        let end = ContinuousClock.now
        _ = try await arrivals()
        let after = try ProcessUsage.now
        return [
            "edits": JSON(count), "seconds": .decimal((end - start) / .seconds(1)),
            "behind": .decimal((.now - end) / .milliseconds(1)),
            "processorSeconds": .decimal(after.processorTime - before.processorTime),
        ]
    }

    func commit(_ count: Int) async throws -> JSON {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fleet in fleets {
                group.addTask { for _ in 0..<count { _ = try await fleet.commit { $0.edit += 1 } } }
            }
            try await group.waitForAll()
        }
        let seconds = (.now - start) / .seconds(1)
        edits += count * fleets.count
        _ = try await arrivals()
        return ["commits": JSON(count * fleets.count), "perSecond": .decimal(Double(count * fleets.count) / seconds)]
    }

    /// Waits until all files have the last edit. Returns when those of the other machines were replaced.
    private func arrivals() async throws -> [Double] {
        for number in fleets.indices {
            while sessions[number].read({ $0.edit }) != edits { try await Task.sleep(for: .milliseconds(2)) }
        }
        let text = Array(text(edit: edits).utf8)
        for number in fleets.indices {
            while FileManager.default.contents(atPath: file(number)).map({ Array($0) }) != text {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        return fleets.indices.dropFirst().map { number in
            var status = stat()
            stat(file(number), &status)
            return Double(status.st_ctim.tv_sec) * 1e9 + Double(status.st_ctim.tv_nsec)
        }
    }

    /// Replaces a file as editors do.
    private func replace(_ file: String, _ text: String) throws {
        let temporary = file + "~"
        guard FileManager.default.createFile(atPath: temporary, contents: Data(text.utf8)) else { throw FileFailure() }
        guard rename(temporary, file) == 0 else { throw FileFailure() }
    }

    /// The clock of the times of files, in nanoseconds. It advances with the interrupts of the timer.
    private static var clock: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}

/// A file could not be written.
struct FileFailure: Error {}
