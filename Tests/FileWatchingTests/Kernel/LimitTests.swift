import Glibc
import TestSupport
import Testing

@testable import FileWatching

/// Limits of resources. Each test runs in a separate process.
@Suite struct LimitTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Without an inotify instance files are polled, and the limit and the setting are reported", .needs(.unshare))
    func instances() throws {
        let probe = try Probe(in: folder, namespaceAfter: "echo 0 > /proc/sys/user/max_inotify_instances")
        let polling = try probe.say("watch \(folder.path(of: "a"))", expecting: "polling")
        #expect(polling.contains("instanceLimit"))
        #expect(polling.contains("(0); raise it: sysctl user.max_inotify_instances="))
        try probe.expectEdit("a")
        try probe.say(
            "run echo 1 > /proc/sys/user/max_inotify_instances", expecting: "live \(folder.path(of: "a"))")
        try probe.expectEdit("a")
        try probe.end()
    }

    @Test("At the limit of watches one more file is polled, and existing watches continue", .needs(.unshare))
    func watches() throws {
        // One watch for the root, one for each directory below it, and two for files.
        let limit = folder.path.split(separator: "/").count + 3
        let probe = try Probe(in: folder, namespaceAfter: "echo \(limit) > /proc/sys/user/max_inotify_watches")
        for name in ["a", "b", "c"] { try folder.write(name, "{}") }
        try probe.watch("a")
        try probe.watch("b")
        let polling = try probe.say("watch \(folder.path(of: "c"))", expecting: "polling")
        #expect(polling.contains("watchLimit"))
        #expect(polling.contains("(\(limit)); raise it: sysctl user.max_inotify_watches="))
        for name in ["a", "b", "c"] { try probe.expectEdit(name) }

        // A new file needs a watch, which is unavailable until another one is removed.
        try probe.watch("d")
        try folder.write("d", "{}")
        try probe.expect("changed \(folder.path(of: "d"))")
        try probe.expect("polling \(folder.path(of: "d")): watchLimit")
        try probe.say("cancel \(folder.path(of: "c"))")
        try probe.say("cancel \(folder.path(of: "b"))", expecting: "live \(folder.path(of: "d"))")
        try probe.expectEdit("d")
        try probe.end()
    }

    #if InotifyTools
    @Test("libinotifytools works in a process with a thousand open files")
    func manyDescriptors() throws {
        let probe = try Probe(in: folder)
        try probe.say("open 1000")
        try probe.watch("a")
        #expect(try probe.say("statistics", expecting: "files 1").hasSuffix("by inotifyTools"))
        try probe.expectEdit("a")
        try probe.end()
    }

    @Test("When all low descriptors are in use, inotify is used without libinotifytools")
    func highDescriptors() throws {
        let probe = try Probe(in: folder)
        try probe.say("open 1100")
        try probe.watch("a")
        let fallbackReason = try probe.say("statistics", expecting: "files 1")
        #expect(fallbackReason.contains("by kernelInotify, because libinotifytools requires a descriptor below 1024"))
        try probe.expectEdit("a")
        try probe.expectEdit("a")
        try probe.end()
    }

    @Test("A program that uses libinotifytools itself keeps its events, and its files are watched")
    func otherUser() throws {
        let probe = try Probe(in: folder)
        try probe.say("use library")
        try probe.watch("a")
        let fallbackReason = try probe.say("statistics", expecting: "files 1")
        #expect(fallbackReason.contains("by kernelInotify, because another part of this process uses libinotifytools"))
        try probe.expectEdit("a")
        try probe.end()
    }
    #endif

    @Test("Without a descriptor watching fails with advice")
    func noDescriptors() throws {
        let probe = try Probe(in: folder)
        try probe.say("allow 16")
        try probe.say("open 16")
        let failure = try probe.say("watch \(folder.path(of: "a"))", expecting: "refused")
        #expect(failure.contains("descriptorLimit"))
        #expect(failure.contains("ulimit -n"))
        try probe.say("allow 64")
        try probe.watch("a")
        try probe.expectEdit("a")
        try probe.end()
    }

    @Test(
        "With one free descriptor files are polled until there are more",
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
        // Mounts are reported too, at most a second later.
        try probe.watch("x/b")
        try probe.say("run mount -t tmpfs tmpfs x", expecting: "changed \(folder.path(of: "x/b"))")
        try probe.say("run echo > x/b", expecting: "changed \(folder.path(of: "x/b"))")
        try probe.end()
    }

    /// Starts a process as the user nobody, whose threads can be limited.
    private func limited() throws -> Probe {
        try folder.write("a", "{}")
        for (name, mode) in [("", 0o777), ("a", 0o666)] { chmod(folder.path(of: name), mode_t(mode)) }
        let probe = try Probe(in: folder)
        if geteuid() == 0 { try probe.say("leave root") }
        return probe
    }

    @Test("Watching fails while no thread can be created, and works when one can")
    func noThread() throws {
        let probe = try limited()
        try probe.say("threads no")
        let failure = try probe.say("watch \(folder.path(of: "a"))", expecting: "refused")
        #expect(failure.contains("the watching thread cannot be started"))
        try probe.say("threads yes")
        try probe.watch("a")
        try probe.expectEdit("a")
        try probe.end()
    }

    @Test("While no polling thread can be created a change of all files is reported once a second")
    func noPollingThread() throws {
        let probe = try limited()
        try probe.watch("b")
        try probe.say("threads no")
        try probe.say("poll \(folder.path(of: "a"))", expecting: "polling")
        for _ in 0..<2 { try probe.expect("changed \(folder.path(of: "a"))") }
        try probe.say("threads yes")
        for _ in 0..<3 { try probe.expectEdit("a") }
        try probe.end()
    }

    @Test("Requests are served again when descriptors are available after all were closed")
    func lostDescriptors() throws {
        let probe = try Probe(in: folder)
        try probe.watch("a")
        try probe.say("allow 3")
        try probe.say("close all")
        try folder.append("a", " ")
        // The status may be printed before the command is done.
        try eventually("the file is polled") {
            try probe.say("statistics", expecting: "files 1").contains("polled 1 ")
        }
        try probe.say("allow 64", expecting: "live \(folder.path(of: "a"))")
        try probe.watch("b")
        try probe.expectEdit("b")
        try probe.end()
    }

    @Test("Edits are reported while no follower can be created")
    func noFollower() throws {
        let probe = try limited()
        try probe.watch("a")
        try probe.say("threads no")
        for _ in 0..<3 { try probe.expectEdit("a") }
        try probe.say("threads yes")
        try probe.expectEdit("a")
        try probe.end()
    }
}
