import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// What a process meets that has used up what it may have. Each in a process of its own.
@Suite struct LimitTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("where no inotify instance is left, watching is refused with the limit and the setting", .needs(.unshare))
    func instances() throws {
        let probe = try Probe(in: folder, namespaceAfter: "echo 0 > /proc/sys/user/max_inotify_instances")
        let refusal = try probe.say("watch \(folder.path(of: "a"))", expecting: "refused")
        #expect(refusal.contains("instanceLimit"))
        #expect(refusal.contains("(limit 0); raise the limit: sysctl user.max_inotify_instances="))
        try probe.say("run echo 1 > /proc/sys/user/max_inotify_instances")
        try probe.watch("a")
        try probe.expectEdit("a")
        try probe.end()
    }

    @Test("where the watches are used up, one more is refused, and those that are there go on", .needs(.unshare))
    func watches() throws {
        // One for the root, one for each folder below it, and two for files.
        let limit = folder.path.split(separator: "/").count + 3
        let probe = try Probe(in: folder, namespaceAfter: "echo \(limit) > /proc/sys/user/max_inotify_watches")
        for name in ["a", "b", "c"] { try folder.write(name, "{}") }
        try probe.watch("a")
        try probe.watch("b")
        let refusal = try probe.say("watch \(folder.path(of: "c"))", expecting: "refused")
        #expect(refusal.contains("watchLimit"))
        #expect(refusal.contains("(limit \(limit)); raise the limit: sysctl user.max_inotify_watches="))
        try probe.expectEdit("a")
        try probe.expectEdit("b")

        // A file that appears needs a watch that is not to be had until another gives its own back.
        try probe.watch("d")
        try folder.write("d", "{}")
        try probe.expect("polling \(folder.path(of: "d")): watchLimit")
        try probe.expect("look \(folder.path(of: "d"))")
        try probe.say("cancel \(folder.path(of: "b"))")
        try probe.expect("live \(folder.path(of: "d"))")
        try probe.expectEdit("d")
        try probe.end()
    }

    @Test("where all the low descriptors are in use, watching is refused before the library would end the process")
    func highDescriptors() throws {
        let probe = try Probe(in: folder)
        try probe.say("open 1100")
        let refusal = try probe.say("watch \(folder.path(of: "a"))", expecting: "refused")
        #expect(refusal.contains("descriptorLimit"))
        #expect(refusal.contains("below 1024"))
        try probe.end()
    }

    @Test("where no descriptor is left, watching is refused with what would help")
    func noDescriptors() throws {
        let probe = try Probe(in: folder)
        try probe.say("allow 16")
        try probe.say("open 16")
        let refusal = try probe.say("watch \(folder.path(of: "a"))", expecting: "refused")
        #expect(refusal.contains("descriptorLimit"))
        #expect(refusal.contains("ulimit -n"))
        try probe.say("allow 64")
        try probe.watch("a")
        try probe.expectEdit("a")
        try probe.end()
    }
}
