import Glibc
import TestSupport
import Testing

/// A FUSE file system, which can change without the kernel and stop responding: bindfs mounts the directory `source` at
/// `mounted`. Each test runs in a separate process and namespace.
@Suite(.needs(.unshare, .bindfs, .mount)) struct ServerTests {
    let folder: TemporaryFolder
    let probe: Probe

    init() throws {
        folder = try TemporaryFolder()
        for name in ["source", "mounted"] { try folder.createFolder(name) }
        try folder.write("source/a", "{}")
        try folder.write("local", "{}")
        probe = try Probe(in: folder, namespaceAfter: "true")
    }

    private var mounting: String {
        """
        run bindfs -f -o attr_timeout=0,nonempty source mounted & echo $! > server; \
        until grep -q ' \(folder.path)/mounted ' /proc/self/mountinfo; do sleep 0.01; done
        """
    }

    private func mount() throws { try probe.say(mounting) }

    private func unmount() throws {
        // The mount is busy during a check.
        try probe.say(
            "run until umount mounted 2>/dev/null; do sleep 0.01; done",
            expecting: "live \(folder.path(of: "mounted/a"))")
    }

    private func expectPolling(_ status: String) {
        #expect(status.contains("fileSystem") && status.contains("FUSE"))
        #expect(status.hasSuffix("watched by the kernel again when the path leads elsewhere"))
    }

    private func watchMounted() throws {
        expectPolling(try probe.say("watch \(folder.path(of: "mounted/a"))", expecting: "polling "))
    }

    /// Performs a change that bypasses the mount and waits until it is reported.
    private func expectChange(_ action: () throws -> Void) throws {
        try action()
        try probe.expect("changed \(folder.path(of: "mounted/a"))")
    }

    @Test("Changes on a FUSE server are detected by polling until it is unmounted")
    func polled() throws {
        try mount()
        try watchMounted()
        for text in ["{ }", "{  }", "{   }"] { try expectChange { try folder.write("source/a", text) } }
        try expectChange {
            try folder.write("source/b", "[]")
            try folder.rename("source/b", to: "source/a")
        }
        try unmount()
        try probe.say("run echo > mounted/a", expecting: "changed \(folder.path(of: "mounted/a"))")
        try probe.end()
    }

    @Test("Mounting over a directory of the path is detected, and so is unmounting")
    func mountedOver() throws {
        try folder.write("mounted/a", "{}")
        try probe.watch("mounted/a")
        for _ in 0..<3 {
            expectPolling(try probe.say(mounting, expecting: "polling "))
            try expectChange { try folder.append("source/a", " ") }
            try unmount()
            try probe.expectEdit("mounted/a")
        }
        try probe.end()
    }

    @Test(
        "An unresponsive server below an unwatched overlay does not block other files")
    func unresponsiveLayer() throws {
        try mount()
        for name in ["up", "work", "merged", "x"] { try folder.createFolder(name) }
        let layers = "lowerdir=$PWD/mounted,upperdir=$PWD/up,workdir=$PWD/work"
        try probe.say("run mount -t overlay -o \(layers) overlay merged")
        #expect(try probe.say("run ls merged; echo; echo there", expecting: "there") == "there")
        try probe.watch("local")
        try probe.say("run kill -STOP $(cat server)")
        for _ in 0..<3 {
            // This makes the service read the mount table.
            try probe.say("run mount -t tmpfs tmpfs x")
            try probe.expectEdit("local")
            try probe.say("run umount x")
            try probe.expectEdit("local")
        }
        try probe.watch("new")
        try probe.say("run kill -CONT $(cat server)")
        try probe.say("run umount merged; until umount mounted 2>/dev/null; do sleep 0.01; done")
        try probe.end()
    }

    @Test("An unresponsive server blocks neither local files nor new watches")
    func unresponsive() throws {
        try mount()
        try probe.watch("local")
        try watchMounted()
        try probe.say("run kill -STOP $(cat server)")
        // Longer than the polling interval, so that a check has begun and is blocked.
        for _ in 0..<30 { try probe.expectEdit("local") }
        try folder.append("source/a", " ")
        try probe.watch("mounted/b")
        try folder.write("new", "{}")
        try probe.watch("new")
        for _ in 0..<3 {
            try probe.expectEdit("new")
            try probe.expectEdit("local")
        }
        try probe.say("run kill -CONT $(cat server)")
        try probe.expect("changed \(folder.path(of: "mounted/a"))")
        try expectChange { try folder.append("source/a", " ") }
        try unmount()
        try probe.end()
    }
}
