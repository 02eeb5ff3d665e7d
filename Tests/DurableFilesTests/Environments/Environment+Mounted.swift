extension Environment {
    static let mounted = disks + overlays + mounts

    private static let disks = [
        Environment("the file system of temporary folders", "put there/a.json", replacing: .exchanged),
        Environment("tmpfs", "mount -t tmpfs tmpfs there && put there/a.json", replacing: .exchanged),
        Environment(
            "tmpfs that is full",
            """
            mount -t tmpfs -o size=16k tmpfs there && put there/a.json &&
            ! dd if=/dev/zero of=there/fill bs=4k status=none 2>/dev/null
            """,
            replacing: .full("write"), creating: .full("write"), neighbours: ["fill"]),
        Environment(
            "tmpfs that takes no more files", "mount -t tmpfs -o nr_inodes=2 tmpfs there && put there/a.json",
            replacing: .full("create"), creating: .full("create")),
    ]

    private static let overlays = [
        Environment(
            "overlay on tmpfs, the file still below",
            """
            mkdir on && mount -t tmpfs tmpfs on && mkdir on/low on/up on/work && put on/low/a.json &&
            \(overlay("on/low", "on/up", "on/work"))
            """, replacing: .exchanged),
        Environment(
            "overlay on tmpfs, the file above",
            """
            mkdir on && mount -t tmpfs tmpfs on && mkdir on/low on/up on/work && put on/low/a.json &&
            \(overlay("on/low", "on/up", "on/work")) && touch there/a.json && test -f on/up/a.json
            """, replacing: .exchanged),
        Environment(
            "overlay on the file system of temporary folders",
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
            "a file that is mounted by itself",
            "put real.json && touch there/a.json && mount --bind real.json there/a.json", replacing: .overwritten),
        Environment(
            "a file that is mounted by itself from where there is no room",
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
            "FUSE, by bindfs", "mkdir behind && put behind/a.json && bindfs behind there",
            // The kernel guesses when a name was taken away from a file, and is told otherwise by the program later.
            settings: "LOOSE_TIMES=1", replacing: .says("renamed, complete, lease held, lock held"))
    ]

    static let loopMounted = [
        Environment("xfs", image("mkfs.xfs"), replacing: .exchanged),
        Environment("btrfs", image("mkfs.btrfs"), replacing: .exchanged),
    ]

    private static func image(_ make: String) -> String {
        "truncate -s 320M image && \(make) -q -f image >/dev/null && mount -o loop image there && put there/a.json"
    }
}
