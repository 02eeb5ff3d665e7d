import Glibc
package import Testing

/// Checks for privileges that only root has, and in a container not even root.
package enum Root {
    /// Whether this process can mount file systems and change its user.
    package static var canMount: Bool {
        guard geteuid() == 0, let status = try? Descriptor.contents(of: "/proc/self/status") else { return false }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        let capabilities = lines.first { $0.hasPrefix("CapEff:") }?.split(separator: "\t").last
        return capabilities.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << administration != 0 } ?? false
    }

    /// CAP_SYS_ADMIN
    private static let administration = 21
}

extension Trait where Self == ConditionTrait {
    /// Skips the test if this process cannot mount file systems.
    package static var requiresRoot: Self {
        .enabled(
            if: Root.canMount || Programs.skipsAreFailures,
            "only root may mount file systems: run the tests with sudo, and in a container with --privileged")
    }

    /// Skips the test unless this process is root, which can act as any user and change owners.
    package static var asAnyUser: Self { .enabled(if: getuid() == 0, "only root can act as any user") }
}
