import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// What a process meets that has used up what it may have. Each in a process of its own.
@Suite struct LimitTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("where no inotify instance is left, files are polled and the limit and the setting told", .needs(.unshare))
    func instances() throws {
        let probe = try Probe(in: folder, namespaceAfter: "echo 0 > /proc/sys/user/max_inotify_instances")
        let polling = try probe.say("watch \(folder.path(of: "a"))", expecting: "polling")
        #expect(polling.contains("instanceLimit"))
        #expect(polling.contains("(limit 0); raise the limit: sysctl user.max_inotify_instances="))
        try probe.expectEdit("a")
        try probe.say(
            "run echo 1 > /proc/sys/user/max_inotify_instances", expecting: "live \(folder.path(of: "a"))")
        try probe.expectEdit("a")
        try probe.end()
    }

    @Test("where the watches are used up, one more file is polled, and those that are there go on", .needs(.unshare))
    func watches() throws {
        // One for the root, one for each folder below it, and two for files.
        let limit = folder.path.split(separator: "/").count + 3
        let probe = try Probe(in: folder, namespaceAfter: "echo \(limit) > /proc/sys/user/max_inotify_watches")
        for name in ["a", "b", "c"] { try folder.write(name, "{}") }
        try probe.watch("a")
        try probe.watch("b")
        let polling = try probe.say("watch \(folder.path(of: "c"))", expecting: "polling")
        #expect(polling.contains("watchLimit"))
        #expect(polling.contains("(limit \(limit)); raise the limit: sysctl user.max_inotify_watches="))
        for name in ["a", "b", "c"] { try probe.expectEdit(name) }

        // A file that appears needs a watch that is not to be had until another gives its own back.
        try probe.watch("d")
        try folder.write("d", "{}")
        try probe.expect("look \(folder.path(of: "d"))")
        try probe.expect("polling \(folder.path(of: "d")): watchLimit")
        try probe.say("cancel \(folder.path(of: "c"))")
        try probe.say("cancel \(folder.path(of: "b"))", expecting: "live \(folder.path(of: "d"))")
        try probe.expectEdit("d")
        try probe.end()
    }

    #if InotifyTools
    @Test("a thousand open files are no obstacle to the library")
    func manyDescriptors() throws {
        let probe = try Probe(in: folder)
        try probe.say("open 1000")
        try probe.watch("a")
        #expect(try probe.say("statistics", expecting: "files 1").hasSuffix("by inotifyTools"))
        try probe.expectEdit("a")
        try probe.end()
    }

    @Test("where all the low descriptors are in use, the kernel's own interface is used instead of the library")
    func highDescriptors() throws {
        let probe = try Probe(in: folder)
        try probe.say("open 1100")
        try probe.watch("a")
        let detour = try probe.say("statistics", expecting: "files 1")
        #expect(detour.contains("by kernelInotify, because libinotifytools can work with descriptors below 1024"))
        try probe.expectEdit("a")
        try probe.expectEdit("a")
        try probe.end()
    }

    @Test("a program that uses the library itself keeps its events, and has its files watched")
    func otherUser() throws {
        let probe = try Probe(in: folder)
        try probe.say("use library")
        try probe.watch("a")
        let detour = try probe.say("statistics", expecting: "files 1")
        #expect(detour.contains("by kernelInotify, because another part of this process uses libinotifytools"))
        try probe.expectEdit("a")
        try probe.end()
    }
    #endif

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

    @Test(
        "where one descriptor is left, for the hub to be woken by, files are polled until there are more",
        .needs(.unshare, .mount))
    func oneDescriptor() throws {
        let probe = try Probe(in: folder, namespaceAfter: "true")
        try folder.createFolder("x")
        try probe.say("allow 16")
        try probe.say("open 16")
        try probe.say("close one")
        let polling = try probe.say("watch \(folder.path(of: "a"))", expecting: "polling")
        #expect(polling.contains("descriptorLimit"))
        try probe.expectEdit("a")
        try probe.say("allow 64", expecting: "live \(folder.path(of: "a"))")
        try probe.expectEdit("a")
        // What is mounted is heard of as well, a second later at most.
        try probe.watch("x/b")
        try probe.say("run mount -t tmpfs tmpfs x", expecting: "look \(folder.path(of: "x/b"))")
        try probe.say("run echo > x/b", expecting: "look \(folder.path(of: "x/b"))")
        try probe.end()
    }
}
