import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// What a process does to itself, or has around it. Each in a process of its own.
@Suite struct ProcessTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a", "{}")
    }

    @Test("in a forked child nothing is watched, nobody is told, and the parent goes on")
    func fork() throws {
        let probe = try Probe(in: folder)
        try probe.watch("a")
        for _ in 0..<3 {
            let path = folder.path(of: "a")
            #expect(try probe.say("fork", expecting: "child: \(path)") == "child: \(path) not live looks 0")
            #expect(try probe.expect("child: files").contains("files 0"))
            #expect(try probe.expect("refused").contains("forked"))
            #expect(try probe.expect("child ended") == "child ended 0")
            try probe.expectEdit("a")
        }
        #expect(try probe.say("statistics", expecting: "files").hasPrefix("files 1 polled 0"))
        try probe.end()
    }

    @Test("a descriptor that somebody else has closed is opened again, and everything watched anew")
    func closedDescriptor() throws {
        let probe = try Probe(in: folder)
        try probe.watch("a")
        try probe.expectEdit("a")
        try probe.say("close inotify")
        // The sleeping thread learns of it with the next wish.
        try folder.write("b", "{}")
        try probe.watch("b")
        try probe.expectEdit("a")
        try probe.expectEdit("b")
        #expect(try probe.say("statistics", expecting: "files").contains("restarts 1 "))
        try probe.end()
    }

    @Test("when somebody has closed all descriptors, mounts are heard of again as well", .needs(.unshare, .mount))
    func closedDescriptors() throws {
        let probe = try Probe(in: folder, namespaceAfter: "true")
        try folder.createFolder("x")
        try folder.write("x/b", "{}")
        for name in ["a", "x/b"] { try probe.watch(name) }
        try probe.say("close all")
        for _ in 0..<3 { try probe.expectEdit("a") }
        try probe.say("run mount -t tmpfs tmpfs x", expecting: "look \(folder.path(of: "x/b"))")
        for _ in 0..<3 { try probe.say("run echo >> x/b", expecting: "look \(folder.path(of: "x/b"))") }
        try probe.say(
            "run until umount x 2>/dev/null; do sleep 0.01; done", expecting: "look \(folder.path(of: "x/b"))")
        try probe.expectEdit("x/b")
        try probe.end()
    }

    @Test("without /proc the library's descriptor is found by counting", .needs(.unshare))
    func noProc() throws {
        let probe = try Probe(in: folder, namespaceAfter: "true")
        try probe.say("open 40")
        try probe.say("run mount -t tmpfs none /proc")
        try probe.watch("a")
        for _ in 0..<3 { try probe.expectEdit("a") }
        // The address sanitizer looks there for leaks when a process ends.
        try probe.say("run umount /proc")
        try probe.end()
    }

    @Test("all watches are closed, and a new one begins")
    func beginAgain() throws {
        let probe = try Probe(in: folder)
        for _ in 0..<3 {
            try probe.watch("a")
            try probe.expectEdit("a")
            try probe.say("cancel \(folder.path(of: "a"))")
        }
        try probe.end()
    }

    @Test("a file system is unmounted, and what is below it counts", .needs(.unshare))
    func unmount() throws {
        try folder.createFolder("mnt")
        let mount = "mount -t tmpfs none '\(folder.path)/mnt'"
        let probe = try Probe(in: folder, namespaceAfter: mount)
        let file = folder.path(of: "mnt/a")
        try probe.say("run echo 1 > '\(file)'")
        try probe.watch("mnt/a")
        try probe.say("run echo 2 >> '\(file)'", expecting: "look \(file)")
        try probe.say(
            "run until umount '\(folder.path)/mnt' 2>/dev/null; do sleep 0.01; done", expecting: "look \(file)")
        for _ in 0..<3 {
            try probe.say("run echo 3 > '\(file)'", expecting: "look \(file)")
            try probe.say("run rm '\(file)'", expecting: "look \(file)")
        }
        try probe.end()
    }

    @Test("a single file is mounted over another, and edited by either name", .needs(.unshare))
    func bindMount() throws {
        try folder.write("b", "{}")
        let probe = try Probe(in: folder, namespaceAfter: "mount --bind '\(folder.path)/a' '\(folder.path)/b'")
        let bound = folder.path(of: "b")
        try probe.watch("b")
        try probe.say("run echo 1 >> '\(bound)'", expecting: "look \(bound)")
        try folder.append("a", " ")
        try probe.expect("look \(bound)")
        try probe.end()
    }

    @Test("a file that nobody else may read is watched by its folder", .enabled(if: getuid() == 0, "not root"))
    func unreadable() throws {
        #expect(chmod(folder.path, 0o755) == 0 && chmod(folder.path(of: "a"), 0o600) == 0)
        let probe = try Probe(in: folder)
        try probe.say("leave root")
        try probe.watch("a")
        for _ in 0..<3 { try probe.expectEdit("a") }
        #expect(chmod(folder.path(of: "a"), 0o644) == 0)
        try probe.expect("look \(folder.path(of: "a"))")
        for _ in 0..<3 { try probe.expectEdit("a") }
        #expect(try probe.say("statistics", expecting: "files").hasPrefix("files 1 polled 0"))
        try probe.end()
    }
}
