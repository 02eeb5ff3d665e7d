import TestSupport
import Testing

/// Files on overlayfs, each in a separate process and namespace.
@Suite(.needs(.unshare, .mount)) struct OverlayTests {
    let folder: TemporaryFolder
    let probe: Probe

    init() throws {
        folder = try TemporaryFolder()
        probe = try Probe(in: folder, namespaceAfter: "true")
        try probe.say(
            """
            run mkdir on there && mount -t tmpfs tmpfs on && mkdir on/low on/up on/work && echo 1 > on/low/a && \
            mount -t overlay -o lowerdir=$PWD/on/low,upperdir=$PWD/on/up,workdir=$PWD/on/work overlay there
            """)
    }

    private var path: String { folder.path(of: "there/a") }

    @Test("Changes of the layers are detected by polling, and those through the mount by inotify")
    func reachableLayers() throws {
        let polling = try probe.say("watch \(path)", expecting: "polling \(path)")
        #expect(polling.contains("fileSystem") && polling.contains("overlayfs"))
        for number in 12...14 { try probe.say("run echo \(number) > on/low/a", expecting: "changed \(path)") }
        for number in 102...104 { try probe.say("run echo \(number) > there/a", expecting: "changed \(path)") }
        try probe.end()
    }

    @Test("An overlay whose layers are unreachable, as in a container, is not polled")
    func unreachableLayers() throws {
        try probe.say("run umount --lazy on")
        try probe.watch("there/a")
        #expect(try probe.say("statistics", expecting: "files 1").contains("polled 0"))
        for number in 102...104 { try probe.say("run echo \(number) > there/a", expecting: "changed \(path)") }
        try probe.say("run echo > there/b && mv there/b there/a", expecting: "changed \(path)")
        try probe.end()
    }

    @Test("An overlay is polled at its new path after a parent directory was renamed")
    func moved() throws {
        try probe.say(
            """
            run mkdir -p x/merged on/up2 on/work2 && \
            mount -t overlay -o lowerdir=$PWD/on/low,upperdir=$PWD/on/up2,workdir=$PWD/on/work2 overlay x/merged && mv x y
            """)
        let moved = folder.path(of: "y/merged/a")
        try probe.say("watch \(moved)", expecting: "polling \(moved)")
        try probe.say("run echo 12 > on/low/a", expecting: "changed \(moved)")
        try probe.say("run mkdir -p z/merged && echo > z/merged/a")
        try probe.watch("x/merged/a")
        try probe.say("run mv z x", expecting: "changed \(folder.path(of: "x/merged/a"))")
        #expect(try probe.say("statistics", expecting: "files 2").contains("polled 1 "))
        try probe.end()
    }

    @Test("Polling ends when the layers of an overlay become unreachable")
    func layersBecomeUnreachable() throws {
        try probe.say("watch \(path)", expecting: "polling \(path)")
        try probe.say("run umount --lazy on", expecting: "live \(path)")
        try probe.say("run echo 102 > there/a", expecting: "changed \(path)")
        try probe.end()
    }
}
