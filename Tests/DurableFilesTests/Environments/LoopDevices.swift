import Foundation
import Glibc
import TestSupport
import Testing

/// Files that take the place of disks.
enum LoopDevices {
    static var areThere: Bool { access("/dev/loop-control", R_OK | W_OK) == 0 }

    /// Those that are in use now, on the whole machine.
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
    /// Skips the test by name where no file can be mounted.
    static var needsLoopDevices: Self {
        .enabled(
            if: LoopDevices.areThere || Programs.nothingMayBeSkipped,
            "there are no loop devices (/dev/loop-control): load the module loop, or give them to the container")
    }
}
