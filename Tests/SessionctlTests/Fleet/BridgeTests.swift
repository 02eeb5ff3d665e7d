import EtcdTestSupport
import Glibc
import LosslessJSON
import TestSupport
import Testing

@Suite("sessionctl bridge and fleet status", .requiresEtcd, .ownThread, .serialized)
struct BridgeTests {
    private let folder: TemporaryFolder
    private let cluster: EtcdCluster
    private static let key = "/shop/settings"
    private static let text = "{\n  // of one\n  \"a\": 1,\n  \"b\": 2\n}\n"

    init() throws {
        folder = try TemporaryFolder()
        cluster = try EtcdCluster(members: 1)
    }

    private var store: [String] { ["--key", Self.key] + cluster.endpoints.map { "--etcd=\($0)" } }

    /// Starts a bridge of a file, which has the name of the machine.
    private func bridge(_ name: String, _ options: String...) throws -> RunningProgram {
        let command = ["bridge", "\(name).json", "--machine", name]
        return try Program.sessionctl.start(command + options + store, in: folder)
    }

    private func status(_ options: String...) throws -> Program.Result {
        try Program.sessionctl.run(["fleet", "status"] + options + store, in: folder)
    }

    private func event(_ name: String, of bridge: RunningProgram) throws -> JSON {
        try JSON(parsing: bridge.line(with: "{\"event\":\"\(name)\""))
    }

    private func awaitMessage(_ text: String, of bridge: RunningProgram) throws {
        try eventually("the bridge writes \(text)") { try bridge.readMessages().contains(text) }
    }

    private func awaitFile(_ name: String, _ text: String) {
        eventually("\(name) has the text \(text)") { (try? folder.read(name)) == text }
    }

    @Test("An edit of one file reaches the other, the comments of each stay, and SIGTERM ends both")
    func edits() throws {
        try folder.put("one.json", Self.text)
        let one = try bridge("one")
        try awaitMessage("one.json: connected, /shop/settings has revision ", of: one)
        try folder.put("two.json", "// of two\n{\"a\": 1, \"b\": 2}\n")
        let two = try bridge("two")
        try awaitMessage("two.json: connected", of: two)
        try folder.put("one.json", Self.text.replacing("1", with: "10"))
        awaitFile("two.json", "// of two\n{\"a\": 10, \"b\": 2}\n")
        try folder.put("two.json", "// of two\n{\"a\": 10, \"b\": 20}\n")
        awaitFile("one.json", Self.text.replacing("1", with: "10").replacing("2", with: "20"))
        for (program, number) in [(one, SIGTERM), (two, SIGINT)] {
            program.send(number)
            let result = try program.end(within: .seconds(20))
            #expect(result.code == 128 + number && result.output == "", "\(result)")
        }
    }

    @Test("A bridge and the status have a certificate for members that require one", .needs(.openssl))
    func certificates() throws {
        let certificates = try TestCertificates(in: folder)
        let cluster = try EtcdCluster(members: 1) {
            $0.certificates = certificates
            $0.requiresClientCertificates = true
        }
        let client = try certificates.issue("shop")
        let store =
            ["--key", Self.key, "--etcd", cluster.endpoints[0], "--ca", certificates.authority]
            + ["--cert", client.certificate, "--cert-key", client.key]
        try folder.put("one.json", Self.text)
        let one = try Program.sessionctl.start(["bridge", "one.json", "--machine", "one"] + store, in: folder)
        try awaitMessage("one.json: connected", of: one)
        try eventually("the machine is on the list") {
            let status = try Program.sessionctl.run(["fleet", "status"] + store, in: folder)
            return status.code == 0 && status.output.hasPrefix("one")
        }
    }

    @Test("A missing file is created from the value, without the values that are local to the machine")
    func creation() throws {
        try cluster.etcdctl("put", Self.key, Self.text)
        let revision = try cluster.revision()
        let two = try bridge("two", "--json")
        #expect(try event("connected", of: two)["revision"]?.int == revision)
        awaitFile("two.json", Self.text)
        let one = try bridge("one", "--local=b")
        try awaitMessage("one.json: connected", of: one)
        #expect(try folder.sessionctl("keys", "one.json") == Program.Result(code: 0, output: "a\n"))
    }

    @Test("An outage is announced once, with a reason, and its end") func outage() throws {
        try folder.put("one.json", Self.text)
        let (lines, objects) = (try bridge("one"), try bridge("two", "--json"))
        try awaitMessage("one.json: connected", of: lines)
        #expect(try event("connected", of: objects)["revision"] != nil)
        cluster.kill(0)
        try awaitMessage("one.json: disconnected: ", of: lines)
        #expect(try event("disconnected", of: objects)["reason"]?.string?.contains("http://127.0.0.1:") == true)
        let status = try status()
        #expect(status.code == 3 && status.messages.hasPrefix("sessionctl: http://127.0.0.1:"), "\(status)")
        try folder.put("one.json", Self.text.replacing("1", with: "3"))
        try cluster.restart(0)
        #expect(try event("connected", of: objects)["revision"] != nil)
        awaitFile("two.json", Self.text.replacing("1", with: "3"))
        try eventually("the bridge is connected again") {
            try lines.readMessages().split(separator: "\n").count { $0.contains(": connected") } == 2
        }
        #expect(try lines.readMessages().split(separator: "\n").count { $0.contains(": disconnected") } == 1)
        lines.send(SIGTERM)
        objects.send(SIGTERM)
        #expect(try lines.end().code == 128 + SIGTERM)
        #expect(try objects.end().code == 128 + SIGTERM)
    }

    @Test("A deleted key is announced, and that it exists again") func deletedKey() throws {
        try folder.put("one.json", Self.text)
        let (lines, objects) = (try bridge("one"), try bridge("two", "--json"))
        try awaitMessage("one.json: connected", of: lines)
        awaitFile("two.json", Self.text)
        try cluster.etcdctl("del", Self.key)
        try awaitMessage("one.json: there is no \(Self.key); the next change of the file creates it\n", of: lines)
        #expect(try event("key", of: objects)["exists"] == false)
        try folder.put("one.json", Self.text.replacing("1", with: "3"))
        try awaitMessage("one.json: \(Self.key) exists again\n", of: lines)
        #expect(try event("key", of: objects)["exists"] == true)
        awaitFile("two.json", Self.text.replacing("1", with: "3"))
    }

    @Test("Without etcd, a bridge says so, and a signal ends it") func unreachable() throws {
        cluster.kill(0)
        let one = try bridge("one")
        try awaitMessage("one.json: disconnected: ", of: one)
        one.send(SIGTERM)
        #expect(try one.end(within: .seconds(20)).code == 128 + SIGTERM)
    }

    @Test("A problem of the file, and its end, are printed as other commands print them") func problems() throws {
        try folder.put("one.json", Self.text)
        let one = try bridge("one")
        try awaitMessage("one.json: connected", of: one)
        try folder.put("one.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n")
        try awaitMessage("one.json:3:3: error: expected \",\" or \"}\"", of: one)
        try awaitMessage("\n  ^\n", of: one)
        try folder.put("one.json", Self.text)
        try awaitMessage("one.json: solved: expected", of: one)
    }

    @Test("The same change on two machines is a conflict, which --conflicts decides", arguments: ["fleet", "machine"])
    func conflicts(winner: String) throws {
        try folder.put("one.json", Self.text)
        let one = try bridge("one")
        try awaitMessage("one.json: connected", of: one)
        let two = try bridge("two")
        awaitFile("two.json", Self.text)
        try awaitMessage("two.json: connected", of: two)
        two.send(SIGTERM)
        _ = try two.end()
        try folder.put("two.json", Self.text.replacing("1", with: "22"))
        let revision = try cluster.revision()
        try folder.put("one.json", Self.text.replacing("1", with: "11"))
        try eventually("the edit is sent") { try cluster.revision() > revision }
        let again = try bridge("two", "--conflicts", winner)
        let kept = winner == "fleet" ? "the other machine's" : "this machine's"
        try awaitMessage(
            "two.json: warning: \"a\" was changed to 22 on this machine and to 11 by one: kept \(kept) value", of: again
        )
        awaitFile("one.json", Self.text.replacing("1", with: winner == "fleet" ? "11" : "22"))
        awaitFile("two.json", Self.text.replacing("1", with: winner == "fleet" ? "11" : "22"))
    }

    @Test("Values of --redact are in no message") func secrets() throws {
        try folder.put("one.json", #"{"token": "secret"}"#)
        let one = try bridge("one", "--redact=token")
        try awaitMessage("one.json: connected", of: one)
        try folder.put("one.json", #"{"token": "secret" "secret"}"#)
        try awaitMessage("one.json:1:20: error:", of: one)
        #expect(try !one.readMessages().contains("secret"))
    }

    @Test("A second bridge of a file stands by, and takes over") func standby() throws {
        try folder.put("one.json", Self.text)
        let first = try bridge("one")
        try awaitMessage("one.json: connected", of: first)
        let second = try bridge("one")
        try awaitMessage("one.json: standing by", of: second)
        first.send(SIGKILL)
        try awaitMessage("one.json: connected", of: second)
    }

    @Test("A bridge whose reader has gone ends with 3") func closedOutput() throws {
        let arguments = (["bridge", "one.json", "--json"] + store).map { "'\($0)'" }.joined(separator: " ")
        let script = #"{ "$0" \#(arguments); echo $? >code; } | head -n 1"#
        let program = try Program.shell.start(["-c", script, Program.sessionctl.path], in: folder)
        // Each has two events.
        var texts = ["{}", "]"]
        try eventually("the bridge ends") {
            try folder.put("one.json", texts[0])
            texts.reverse()
            usleep(200_000)
            return (try? folder.read("code")) == "3\n"
        }
        #expect(try program.end().code == 0)
    }

    @Test("fleet status shows the machines and the value") func overview() throws {
        let none = try status()
        #expect(none == Program.Result(code: 1, messages: "sessionctl: there is no value at /shop/settings\n"))
        #expect(
            try status("--json")
                == Program.Result(code: 1, output: #"{"key":"/shop/settings","revision":0,"machines":[]}"# + "\n"))
        try folder.put("one.json", Self.text)
        let one = try bridge("one")
        try awaitMessage("one.json: connected", of: one)
        let two = try bridge("two")
        try awaitMessage("two.json: connected", of: two)
        let object = try JSON(parsing: status("--json").output)
        let revision = try #require(object["revision"]?.int)
        #expect(object["author"] == "one" && object["size"] == JSON(Self.text.utf8.count))
        #expect(object["machines"]?.array?.map { $0["name"] } == ["one", "two"])
        let lines = try status().output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0].hasPrefix("one: revision ") && lines[1].hasPrefix("two: revision "))
        #expect(lines.last == "/shop/settings: revision \(revision), by one, \(Self.text.utf8.count) bytes")
    }
}
