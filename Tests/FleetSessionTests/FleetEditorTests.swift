import EtcdTestSupport
import FleetSession
import Glibc
import LosslessJSON
import TestSupport
import Testing

/// Three bridges, each with a file that people edit with sed and vim.
@Suite("Hand edits in a fleet", .requiresEtcd, .ownThread, .needs(.vim), .serialized) struct FleetEditorTests {
    @Test("An edit on any machine reaches the others, and the comments of each machine stay")
    func editors() async throws {
        let cluster = try EtcdCluster()
        let machines = try ["a", "b", "c"].map { name in
            try Machine(
                name, text: "// The file of \(name).\n{\n  \"port\": 1, // of \(name)\n  \"host\": \"h\"\n}\n",
                endpoints: cluster.endpoints)
        }
        await eventually("all are connected") { machines.allSatisfy { $0.isConnected && $0.fleet.status.revision > 0 } }
        for (number, machine) in machines.enumerated() {
            let port = 100 + number
            let sed = try Program("/bin/sed").run(
                ["-i", "s/\"port\": [0-9]*/\"port\": \(port)/", "settings.json"], in: machine.folder)
            #expect(sed.code == 0)
            await eventually("sed's edit on \(machine.name) reaches all") {
                machines.allSatisfy { $0.value.port == port }
            }
            let vim = try Programs.vim.program.run(
                [
                    "-u", "NONE", "-es", "-c", "%s/\"host\": \"[^\"]*\"/\"host\": \"by \(machine.name)\"/", "-c", "wq",
                    "settings.json",
                ], in: machine.folder)
            #expect(vim.code == 0)
            await eventually("vim's edit on \(machine.name) reaches all") {
                machines.allSatisfy { $0.value.host == "by \(machine.name)" }
            }
        }
        for machine in machines {
            #expect(
                try machine.text == """
                    // The file of \(machine.name).
                    {
                      "port": 102, // of \(machine.name)
                      "host": "by c"
                    }

                    """)
            #expect(machine.conflicts.isEmpty)
        }
    }
}
