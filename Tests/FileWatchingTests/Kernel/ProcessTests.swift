import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// Properties of the process: forks, closed descriptors, mounts. Each test runs in a separate process.
@Suite struct ProcessTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("a", "{}")
    }

    @Test("In a forked child nothing is watched, no signal arrives, and the parent continues")
    func fork() throws {
        let probe = try Probe(in: folder)
        try probe.watch("a")
        for _ in 0..<3 {
            let path = folder.path(of: "a")
            #expect(try probe.say("fork", expecting: "child: \(path)") == "child: \(path) not live signals 0")
            #expect(try probe.expect("child: files").contains("files 0"))
            #expect(try probe.expect("refused").contains("forked"))
            #expect(try probe.expect("child ended") == "child ended 0")
            try probe.expectEdit("a")
        }
        #expect(try probe.say("statistics", expecting: "files").hasPrefix("files 1 polled 0"))
        try probe.end()
    }

    @Test("A descriptor that other code has closed is opened again, and all paths are armed again")
    func closedDescriptor() throws {
        let probe = try Probe(in: folder)
        try probe.watch("a")
        try probe.expectEdit("a")
        try probe.say("close inotify")
        // The sleeping thread detects this at the next request.
        try folder.write("b", "{}")
        try probe.watch("b")
        try probe.expectEdit("a")
        try probe.expectEdit("b")
        #expect(try probe.say("statistics", expecting: "files").contains("restarts 1 "))
        try probe.end()
    }

    @Test("After other code has closed all descriptors, mounts are reported again too", .needs(.unshare, .mount))
    func closedDescriptors() throws {
        let probe = try Probe(in: folder, namespaceAfter: "true")
        try folder.createFolder("x")
        try folder.write("x/b", "{}")
        for name in ["a", "x/b"] { try probe.watch(name) }
        try probe.say("close all")
        for _ in 0..<3 { try probe.expectEdit("a") }
        try probe.say("run mount -t tmpfs tmpfs x", expecting: "changed \(folder.path(of: "x/b"))")
        for _ in 0..<3 { try probe.say("run echo >> x/b", expecting: "changed \(folder.path(of: "x/b"))") }
        try probe.say(
            "run until umount x 2>/dev/null; do sleep 0.01; done", expecting: "changed \(folder.path(of: "x/b"))")
        try probe.expectEdit("x/b")
        try probe.end()
    }

    @Test("Without /proc the descriptor of libinotifytools is found by counting", .needs(.unshare))
    func noProc() throws {
        let probe = try Probe(in: folder, namespaceAfter: "true")
        try probe.say("open 40")
        try probe.say("run mount -t tmpfs none /proc")
        try probe.watch("a")
        for _ in 0..<3 { try probe.expectEdit("a") }
        // The leak check of the address sanitizer needs /proc when the process exits.
        try probe.say("run umount /proc")
        try probe.end()
    }

    @Test("A new watch works after all others were cancelled")
    func beginAgain() throws {
        let probe = try Probe(in: folder)
        for _ in 0..<3 {
            try probe.watch("a")
            try probe.expectEdit("a")
            try probe.say("cancel \(folder.path(of: "a"))")
        }
        try probe.end()
    }

    @Test("After an unmount the file below the mount point is watched", .needs(.unshare))
    func unmount() throws {
        try folder.createFolder("mnt")
        let mount = "mount -t tmpfs none '\(folder.path)/mnt'"
        let probe = try Probe(in: folder, namespaceAfter: mount)
        let file = folder.path(of: "mnt/a")
        try probe.say("run echo 1 > '\(file)'")
        try probe.watch("mnt/a")
        try probe.say("run echo 2 >> '\(file)'", expecting: "changed \(file)")
        try probe.say(
            "run until umount '\(folder.path)/mnt' 2>/dev/null; do sleep 0.01; done", expecting: "changed \(file)")
        for _ in 0..<3 {
            try probe.say("run echo 3 > '\(file)'", expecting: "changed \(file)")
            try probe.say("run rm '\(file)'", expecting: "changed \(file)")
        }
        try probe.end()
    }

    @Test("Edits of a bind-mounted file through either path are reported", .needs(.unshare))
    func bindMount() throws {
        try folder.write("b", "{}")
        let probe = try Probe(in: folder, namespaceAfter: "mount --bind '\(folder.path)/a' '\(folder.path)/b'")
        let bound = folder.path(of: "b")
        try probe.watch("b")
        try probe.say("run echo 1 >> '\(bound)'", expecting: "changed \(bound)")
        try folder.append("a", " ")
        try probe.expect("changed \(bound)")
        try probe.end()
    }

    @Test("A file that is not readable is watched through its directory", .asAnyUser)
    func unreadable() throws {
        #expect(chmod(folder.path, 0o755) == 0 && chmod(folder.path(of: "a"), 0o600) == 0)
        let probe = try Probe(in: folder)
        try probe.say("leave root")
        try probe.watch("a")
        for _ in 0..<3 { try probe.expectEdit("a") }
        #expect(chmod(folder.path(of: "a"), 0o644) == 0)
        try probe.expect("changed \(folder.path(of: "a"))")
        for _ in 0..<3 { try probe.expectEdit("a") }
        #expect(try probe.say("statistics", expecting: "files").hasPrefix("files 1 polled 0"))
        try probe.end()
    }
}
