import Glibc
package import Testing

/// What only root may do, and in a container not even root.
package enum Root {
    /// Whether this process may mount file systems, and be any user it likes.
    package static var mayMount: Bool {
        guard geteuid() == 0, let status = try? Descriptor.contents(of: "/proc/self/status") else { return false }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        let capabilities = lines.first { $0.hasPrefix("CapEff:") }?.split(separator: "\t").last
        return capabilities.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << administration != 0 } ?? false
    }

    /// CAP_SYS_ADMIN
    private static let administration = 21
}

extension Trait where Self == ConditionTrait {
    /// Skips the test by name where nothing may be mounted.
    package static var asRoot: Self {
        .enabled(
            if: Root.mayMount || Programs.nothingMayBeSkipped,
            "only root may mount file systems: run the tests with sudo, and in a container with --privileged")
    }
}
