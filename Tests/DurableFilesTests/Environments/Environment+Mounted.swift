import Foundation
import Glibc
import TestSupport
import Testing

extension Environment {
    static let mounted = disks + overlays + mounts

    private static let disks = [
        Environment("the temporary directory's file system", "put there/a.json", replacing: .exchanged),
        Environment("tmpfs", "mount -t tmpfs -o mode=755 tmpfs there && put there/a.json", replacing: .exchanged),
        Environment(
            "full tmpfs",
            """
            mount -t tmpfs -o size=16k,mode=755 tmpfs there && put there/a.json &&
            ! dd if=/dev/zero of=there/fill bs=4k status=none 2>/dev/null
            """,
            replacing: .full("write"), creating: .full("write"), otherFiles: ["fill"]),
        Environment(
            "tmpfs without free inodes", "mount -t tmpfs -o nr_inodes=2,mode=755 tmpfs there && put there/a.json",
            replacing: .full("create"), creating: .full("create")),
    ]

    private static let overlays = [
        Environment(
            "overlay on tmpfs, file in the lower directory",
            """
            mkdir on && mount -t tmpfs tmpfs on && mkdir on/low on/up on/work && put on/low/a.json &&
            \(overlay("on/low", "on/up", "on/work"))
            """, replacing: .exchanged),
        Environment(
            "overlay on tmpfs, file in the upper directory",
            """
            mkdir on && mount -t tmpfs tmpfs on && mkdir on/low on/up on/work && put on/low/a.json &&
            \(overlay("on/low", "on/up", "on/work")) && touch there/a.json && test -f on/up/a.json
            """, replacing: .exchanged),
        Environment(
            "overlay on the temporary directory's file system",
            "mkdir low up work && put low/a.json && \(overlay("low", "up", "work"))", replacing: .exchanged),
        Environment(
            "overlay of two file systems",
            """
            mkdir low on && put low/a.json && mount -t tmpfs tmpfs on && mkdir on/up on/work &&
            \(overlay("low", "on/up", "on/work"))
            """, replacing: .exchanged),
    ]

    private static func overlay(_ low: String, _ up: String, _ work: String) -> String {
        "mount -t overlay overlay -o lowerdir=\(low),upperdir=\(up),workdir=\(work) there"
    }

    private static let mounts = [
        Environment(
            "a bind-mounted file",
            "put real.json && touch there/a.json && mount --bind real.json there/a.json", replacing: .overwritten),
        Environment(
            "a file bind-mounted from a full file system",
            """
            mkdir on && mount -t tmpfs -o size=16k tmpfs on && put on/real.json && head -c 4096 /dev/zero > on/real.json &&
            touch there/a.json && mount --bind on/real.json there/a.json &&
            ! dd if=/dev/zero of=on/fill bs=4k status=none 2>/dev/null
            """,
            replacing: .full("write")),
        Environment(
            "a read-only mount",
            "put there/a.json && mount --bind there there && mount -o remount,bind,ro there",
            replacing: .readOnly("write"), creating: .readOnly("create")),
    ]

    static let fuse = [
        Environment(
            "FUSE (bindfs)", "mkdir behind && put behind/a.json && bindfs behind there",
            // The kernel estimates the change time of an unlinked file, and the FUSE program corrects it later.
            settings: "LOOSE_TIMES=1", replacing: .succeeds("renamed, complete, lease held, lock held"))
    ]

    static let loopMounted = [
        Environment("xfs", image("mkfs.xfs"), replacing: .exchanged),
        Environment("btrfs", image("mkfs.btrfs"), replacing: .exchanged),
    ]

    private static func image(_ make: String) -> String {
        "truncate -s 320M image && \(make) -q -f image >/dev/null && mount -o loop image there && put there/a.json"
    }
}

/// Loop devices, used as disks.
enum LoopDevices {
    static var areAvailable: Bool { access("/dev/loop-control", R_OK | W_OK) == 0 }

    /// Returns the backing files in use on the whole machine.
    static func files() throws -> [String] {
        let devices = try FileManager.default.contentsOfDirectory(atPath: "/sys/block")
        return devices.filter { $0.hasPrefix("loop") }.compactMap { device in
            (try? Descriptor.contents(of: "/sys/block/\(device)/loop/backing_file")).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test if no file can be mounted.
    static var needsLoopDevices: Self {
        .enabled(
            if: LoopDevices.areAvailable || Programs.skipsAreFailures,
            "there are no loop devices (/dev/loop-control): load the module loop, or pass them to the container")
    }
}
