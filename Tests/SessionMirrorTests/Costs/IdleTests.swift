import CAllocationCount
import Glibc
import TestSupport
import Testing

// A sanitizer creates threads of its own.
@Suite("An idle session", .enabled(if: allocation_count_is_available())) struct IdleTests {
    @Test("An idle service has one thread beside the main one, and no thread wakes up in ten seconds") func idle()
        async throws
    {
        // All parent directories of the file are watched, so a file created in any of them wakes the service. Tests create
        // files below /tmp, where the package itself may be located, in /dev/shm and in /var/tmp; hardly any program does so
        // in /run, where root may.
        let folder = try TemporaryFolder(in: access("/run", W_OK) == 0 ? "/run" : "/dev/shm")
        try folder.write("settings.json", #"{ "port": 1 }"#)
        let service = try Program.built("SessionProbe").start(["idle", "settings.json"], in: folder)
        #expect(try service.line() == "ready 1")
        try folder.write("settings.json", #"{ "port": 2 }"#)
        #expect(try service.line() == "port 2")

        let process = ObservedProcess(identifier: service.identifier)
        try await eventually("the worker threads end", within: .seconds(15)) {
            try process.threads().count == 2
        }
        // Other programs may create files there as well, but not in every ten seconds.
        var isIdleInPeriod: [Bool] = []
        while isIdleInPeriod.last != true, isIdleInPeriod.count < 5 {
            let before = try process.threads()
            try await Task.sleep(for: .seconds(10))
            isIdleInPeriod.append(try process.threads() == before)
        }
        #expect(isIdleInPeriod.last == true, "wake-ups in each of \(isIdleInPeriod.count) periods of ten seconds")
        #expect(try process.threads().map(\.name) == ["SessionProbe", "FileWatching"])

        try folder.write("settings.json", #"{ "port": 3 }"#)
        #expect(try service.line() == "port 3", "the service no longer reacts")
    }
}
