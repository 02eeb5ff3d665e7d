import Glibc
import TestSupport
import Testing

/// A file system that is a program, and so can be changed behind the kernel's back, and stop answering: bindfs shows the
/// folder `source` as `mounted`. Each in a process and a namespace of its own.
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
        // It is busy while somebody looks at it.
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

    /// Waits for a look at what is mounted after something was done past the mount.
    private func expectLook(_ action: () throws -> Void) throws {
        try action()
        try probe.expect("look \(folder.path(of: "mounted/a"))")
    }

    @Test("what others change there is found by looking, and when it is unmounted the kernel watches again")
    func polled() throws {
        try mount()
        try watchMounted()
        for text in ["{ }", "{  }", "{   }"] { try expectLook { try folder.write("source/a", text) } }
        try expectLook {
            try folder.write("source/b", "[]")
            try folder.rename("source/b", to: "source/a")
        }
        try unmount()
        try probe.say("run echo > mounted/a", expecting: "look \(folder.path(of: "mounted/a"))")
        try probe.end()
    }

    @Test("a mount over a folder on the way is noticed, and so is its end")
    func mountedOver() throws {
        try folder.write("mounted/a", "{}")
        try probe.watch("mounted/a")
        for _ in 0..<3 {
            expectPolling(try probe.say(mounting, expecting: "polling "))
            try expectLook { try folder.append("source/a", " ") }
            try unmount()
            try probe.expectEdit("mounted/a")
        }
        try probe.end()
    }

    @Test(
        "a server under a layer of an overlay, which nobody watches, does not hold up others either when it is silent")
    func silentLayer() throws {
        try mount()
        for name in ["up", "work", "merged", "x"] { try folder.createFolder(name) }
        let layers = "lowerdir=$PWD/mounted,upperdir=$PWD/up,workdir=$PWD/work"
        try probe.say("run mount -t overlay -o \(layers) overlay merged")
        #expect(try probe.say("run ls merged; echo; echo there", expecting: "there") == "there")
        try probe.watch("local")
        try probe.say("run kill -STOP $(cat server)")
        for _ in 0..<3 {
            // Everything that is mounted is read anew.
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

    @Test("a server that does not answer holds up neither the files of this machine nor new watches")
    func silent() throws {
        try mount()
        try probe.watch("local")
        try watchMounted()
        try probe.say("run kill -STOP $(cat server)")
        // Longer than the times between two looks, so that one has begun and waits.
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
        try probe.expect("look \(folder.path(of: "mounted/a"))")
        try expectLook { try folder.append("source/a", " ") }
        try unmount()
        try probe.end()
    }
}
