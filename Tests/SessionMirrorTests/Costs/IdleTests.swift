import CAllocationCount
import Glibc
import TestSupport
import Testing

// A sanitizer has threads of its own.
@Suite("A session at rest", .enabled(if: allocation_count_is_available())) struct IdleTests {
    @Test("one thread beside the main one, and no wake-up of any thread in ten seconds") func rest() async throws {
        // Every folder on the way to the file is watched, so whoever makes files in one of them wakes the service. Tests
        // do that below /tmp, where the package itself may lie; hardly anybody does it here.
        let folder = try TemporaryFolder(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/var/tmp")
        try folder.write("settings.json", #"{ "port": 1 }"#)
        let service = try Program.built("SessionProbe").start(["idle", "settings.json"], in: folder)
        #expect(try service.line() == "ready 1")
        try folder.write("settings.json", #"{ "port": 2 }"#)
        #expect(try service.line() == "port 2")

        let process = ObservedProcess(identifier: service.identifier)
        try await eventually("the threads that did the work end", within: .seconds(15)) {
            try process.threads().count == 2
        }
        // Other programs may make something there as well; not in every ten seconds.
        var windows: [Bool] = []
        while windows.last != true, windows.count < 5 {
            let before = try process.threads()
            try await Task.sleep(for: .seconds(10))
            windows.append(try process.threads() == before)
        }
        #expect(windows.last == true, "\(windows.count) times ten seconds with wake-ups")
        #expect(try process.threads().map(\.name) == ["SessionProbe", "FileWatching"])

        try folder.write("settings.json", #"{ "port": 3 }"#)
        #expect(try service.line() == "port 3", "it was asleep, not gone")
    }
}
