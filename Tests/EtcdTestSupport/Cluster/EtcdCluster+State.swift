import Glibc
import TestSupport

extension EtcdCluster {
    /// Waits until each running member knows a leader and can make changes. Members that were killed, paused or isolated do
    /// not count.
    ///
    /// Throws what a member has written if it exits meanwhile.
    package func waitUntilHealthy(within limit: Duration = .patience) throws {
        try Self.waitUntilHealthy(members, within: limit)
    }

    static func waitUntilHealthy(_ members: [EtcdMember], within limit: Duration = .patience) throws {
        try wait(within: limit, for: "a healthy cluster") {
            for member in members {
                if let messages = member.lastMessages { throw TestSupportError("etcd has exited: \(messages)") }
            }
            return members.allSatisfy { $0.condition != .running || $0.isIsolated || $0.isHealthy }
        }
    }

    /// The number of the leader; nil during an election. Members that were killed, paused or isolated are not asked.
    package func leader() -> Int? {
        let leaders = members.indices.filter {
            members[$0].condition == .running && !members[$0].isIsolated && members[$0].isLeader
        }
        return leaders.count == 1 ? leaders[0] : nil
    }

    /// Waits for a leader.
    package func waitForLeader(within limit: Duration = .patience) throws -> Int {
        var found: Int?
        try Self.wait(within: limit, for: "a leader") {
            found = leader()
            return found != nil
        }
        return found!
    }

    /// The IDs of the processes, without those that were killed; with ``ObservedProcess``, their memory can be measured.
    package var processes: [Int32] { members.compactMap(\.process) }

    /// The number of calls that the running members have received since they were started, by method, such as "Put". Those of
    /// the JSON gateway count, too. Methods without calls are left out.
    package func calls() throws -> [String: Int] {
        var result: [String: Int] = [:]
        for member in members where member.condition == .running {
            guard let metrics = member.metrics else { throw TestSupportError("a member does not tell its metrics") }
            for line in metrics.split(separator: "\n") where line.hasPrefix("grpc_server_started_total{") {
                let words = line.split { "\"{} ".contains($0) }
                guard words.count > 2, let count = words.last.flatMap({ Double($0) }), count > 0 else { continue }
                result[String(words[2]), default: 0] += Int(count)
            }
        }
        return result
    }

    private static func wait(within limit: Duration, for what: String, _ condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + limit
        while try !condition() {
            guard ContinuousClock.now < deadline else { throw TestSupportError("no \(what) within \(limit)") }
            usleep(10_000)
        }
    }
}

extension EtcdCluster {
    /// Runs etcdctl against all members that are not killed, paused or isolated, without the proxies, and returns its output.
    /// Throws what it prints if it fails.
    @discardableResult
    package func etcdctl(_ arguments: String..., input: String? = nil) throws -> String {
        let members = members.filter { $0.condition == .running && !$0.isIsolated }
        let scheme = endpoints[0].prefix { $0 != ":" }
        let endpoints = members.map { "\(scheme)://127.0.0.1:\($0.ports.client)" }
        return try etcdctl(arguments, at: endpoints, within: .patience, input: input)
    }

    /// Runs etcdctl against some endpoints, and returns its output. Throws what it prints if it fails, and an error if an
    /// endpoint does not answer within the time limit.
    @discardableResult
    package func etcdctl(
        _ arguments: [String], at endpoints: [String], within limit: Duration, input: String? = nil
    ) throws -> String {
        let limit = "\(Int(limit / .milliseconds(1)))ms"
        let options = ["--endpoints", endpoints.joined(separator: ","), "--command-timeout", limit] + credentials
        // Without variables such as ETCDCTL_ENDPOINTS, which contradict the options.
        let command = try Program.emptyEnvironment + ["ETCDCTL_API=3", Programs.etcdctl.program.path]
        let result = try Program("/usr/bin/env").run(
            command + options + arguments, in: folder, input: input.map { .bytes(Array($0.utf8)) } ?? .nothing)
        guard result.code == 0 else {
            throw TestSupportError("etcdctl \(arguments.joined(separator: " ")): \(result.messages)")
        }
        return result.output
    }

    /// The current revision of the store.
    package func revision() throws -> Int {
        let answer = try etcdctl("get", "none", "--write-out", "json")
        guard let start = answer.firstRange(of: #""revision":"#)?.upperBound,
            let number = Int(answer[start...].prefix(while: \.isNumber))
        else { throw TestSupportError("no revision in \(answer)") }
        return number
    }

    /// Removes the history before the current revision, and returns that revision.
    @discardableResult
    package func compact() throws -> Int {
        let revision = try revision()
        try etcdctl("compact", "\(revision)")
        return revision
    }
}
