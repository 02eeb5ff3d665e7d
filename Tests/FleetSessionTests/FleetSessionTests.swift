import EtcdTestSupport
import FleetSession
import TestSupport
import Testing

@Suite("fleet sessions", .requiresEtcd, .ownThread, .serialized)
struct FleetSessionTests {
    @Test(
        "A commit counts from a change of its machine that is not sent yet, without a conflict",
        arguments: [true, false])
    func unsentChange(machineWins: Bool) async throws {
        let cluster = try EtcdCluster(members: 1)
        var options = SessionOptions()
        options.conflicts = machineWins ? .memoryWins : .fileWins
        let one = try Machine("one", text: "{\"next\": 5}", endpoints: cluster.endpoints, options: options)
        // Before the first exchange, perhaps, and after it.
        #expect(try await one.fleet.commit(Machine.increment) == 6)
        for round in 1...5 {
            try one.session.update { $0.next += 10 }
            #expect(try await one.fleet.commit(Machine.increment) == 6 + 11 * round)
            #expect(one.value.next == 6 + 11 * round)
        }
        await eventually("all is sent") { one.isConnected && !one.fleet.status.hasUnsentChanges }
        #expect(try await one.fleet.commit { $0.next } == 61)
        #expect(try one.text.contains("\"next\": 61"))
        #expect(one.conflicts.isEmpty)
    }

    @Test("The first machine's file becomes the value of the key, and the file of the others")
    func firstFile() async throws {
        let cluster = try EtcdCluster(members: 1)
        let text = "{\n  // Our port.\n  \"port\": 81\n}\n"
        let one = try Machine("one", text: text, endpoints: cluster.endpoints)
        await eventually("the key has the text") { one.fleet.status.revision > 0 }
        #expect(try cluster.text == text)
        let two = try Machine("two", endpoints: cluster.endpoints)
        await eventually("the second machine has the value") { two.value.port == 81 }
        #expect(try two.text == text)
    }

    @Test("A hand edit reaches the files of other machines, whose comments stay")
    func edit() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 81, \"host\": \"a\"}", endpoints: cluster.endpoints)
        await eventually("the key has the text") { one.fleet.status.revision > 0 }
        let two = try Machine(
            "two", text: "// Two's own comment.\n{\"port\": 81, \"host\": \"a\"}\n", endpoints: cluster.endpoints)
        await eventually("the second machine is connected") { two.isConnected }
        try one.edit("{\"port\": 82, \"host\": \"a\"}")
        await eventually("the edit arrives") { two.value.port == 82 }
        #expect(try two.text == "// Two's own comment.\n{\"port\": 82, \"host\": \"a\"}\n")
        try two.edit("// Two's own comment.\n{\"port\": 82, \"host\": \"b\"}\n")
        await eventually("the answer arrives") { one.value.host == "b" }
        #expect(try one.text == "{\"port\": 82, \"host\": \"b\"}")
        #expect(one.conflicts.isEmpty && two.conflicts.isEmpty)
    }

    @Test("An update and a commit of a program reach the other machines")
    func programs() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", endpoints: cluster.endpoints)
        let two = try Machine("two", endpoints: cluster.endpoints)
        try one.session.update { $0.host = "updated" }
        await eventually("the update arrives") { two.value.host == "updated" }
        #expect(
            try await two.fleet.commit {
                $0.next += 1
                return $0.next
            } == 1)
        #expect(two.value.next == 1)
        #expect(
            try await one.fleet.commit {
                $0.next += 1
                return $0.next
            } == 2)
        #expect(one.value.next == 2)
        await eventually("the commits arrive") { two.value.next == 2 }
    }

    @Test("What both sides changed without a connection is merged when it is back, and conflicts are told")
    func offline() async throws {
        let cluster = try EtcdCluster(members: 1)
        let tags = Dictionary(uniqueKeysWithValues: (0..<200).map { ("t\($0)", 0) })
        let one = try Machine("one", endpoints: cluster.endpoints)
        try await one.session.commit { $0.tags = tags }
        let two = try Machine("two", endpoints: cluster.endpoints)
        await eventually("both have the value") { two.value.tags == tags && one.fleet.status.revision > 0 }
        await two.fleet.close()
        try two.session.update { for number in 0..<100 { $0.tags["t\(number)"] = 2 } }
        try await two.session.flush()
        _ = try await one.fleet.commit { for number in 90..<190 { $0.tags["t\(number)"] = 1 } }
        let folder = two.folder
        let again = try Machine("two", in: folder, endpoints: cluster.endpoints)
        await eventually("the changes of both are merged") {
            again.fleet.status.revision > 0 && again.isConnected && one.value == again.value
        }
        let expected = Dictionary(
            uniqueKeysWithValues: (0..<200).map { ("t\($0)", $0 < 90 ? 2 : $0 < 190 ? 1 : 0) })
        #expect(one.value.tags == expected)
        #expect(again.conflicts.count == 10)
        #expect(again.conflicts.first?.message.contains("by one: kept the other machine's value") == true)
        #expect(one.conflicts.isEmpty)
    }

    @Test("A machine connects after the history of the value was compacted")
    func compacted() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", text: "{\"port\": 81}", endpoints: cluster.endpoints)
        await eventually("the key has the text") { one.fleet.status.revision > 0 }
        for number in 0..<3 { try cluster.etcdctl("put", "other", "\(number)") }
        try cluster.compact()
        let two = try Machine("two", endpoints: cluster.endpoints)
        await eventually("the second machine is connected") { two.isConnected }
        try one.edit("{\"port\": 82}")
        await eventually("the edit arrives") { two.value.port == 82 }
        #expect(two.isConnected)
    }

    @Test("Local values are neither sent nor overwritten")
    func localValues() async throws {
        let cluster = try EtcdCluster(members: 1)
        var options = FleetOptions()
        options.localPaths = ["/http/address"]
        let one = try Machine(
            "one", text: "{\"http\": {\"address\": \"10.0.0.1\"}, \"port\": 1}", endpoints: cluster.endpoints, options)
        await eventually("the key has the text") { one.fleet.status.revision > 0 }
        let two = try Machine(
            "two", text: "{\"http\": {\"address\": \"10.0.0.2\"}}", endpoints: cluster.endpoints, options)
        await eventually("the second machine has the port") { two.value.port == 1 }
        #expect(two.value.http.address == "10.0.0.2")
        #expect(try !cluster.text.contains("10.0.0"))
        let version = try version(in: cluster)
        try await two.session.commit { $0.http.address = "10.0.0.3" }
        _ = try await two.fleet.commit { value in
            value.port = 2
            value.http.address = "10.0.0.4"
        }
        await eventually("the port arrives") { one.value.port == 2 }
        #expect(one.value.http.address == "10.0.0.1")
        #expect(two.value.http.address == "10.0.0.4")
        #expect(try self.version(in: cluster) == version + 1)
        #expect(try !cluster.text.contains("10.0.0"))
        for next in 1...5 {
            #expect(try await one.fleet.commit(Machine.increment) == next)
            #expect(one.value.http.address == "10.0.0.1")
        }
        #expect(try one.text.contains("10.0.0.1"))
    }

    @Test("A commit counts from what the program has set before there was a file")
    func withoutFile() async throws {
        let cluster = try EtcdCluster(members: 1)
        let one = try Machine("one", endpoints: cluster.endpoints)
        try one.session.update { $0.next = 5 }
        #expect(try await one.fleet.commit(Machine.increment) == 6)
        await eventually("the file has the number") { (try? one.text.contains("\"next\": 6")) == true }
        #expect(try await one.fleet.commit { $0.next } == 6)
        #expect(one.conflicts.isEmpty)
    }

    /// How often the value was changed.
    private func version(in cluster: EtcdCluster) throws -> Int {
        let fields = try cluster.etcdctl("get", Machine.key, "--write-out", "fields")
        let line = try #require(fields.split(separator: "\n").first { $0.hasPrefix("\"Version\"") })
        return try #require(line.split(separator: " ").last.flatMap { Int($0) })
    }
}
