import Glibc
package import Testing

/// Third-party programs that tests use.
///
/// A test that needs one has the trait `.needs(…)`. If the program is missing, the test is skipped with the name of the
/// Debian package, unless the environment variable SESSIONMIRROR_NO_SKIPS is 1: then it runs and fails.
package enum Programs: String, CaseIterable, Sendable {
    case bash, bindfs, chattr, emacs, etcd, etcdctl, fish, flock, git, jq, man, mandoc, mount, nano, node,
        nsenter,
        openssl, perl, python3, rsync
    case script, sed, setcap, setfacl, setfattr, setpriv, setsid, shellcheck, strace, tar, tmux, unshare, vim, zsh
    case makeBtrfs = "mkfs.btrfs"
    case makeXFS = "mkfs.xfs"

    /// The Debian package that contains it.
    package var package: String {
        switch self {
        case .chattr: "e2fsprogs"
        case .emacs: "emacs-nox"
        case .etcd: "etcd-server"
        case .etcdctl: "etcd-client"
        case .man: "man-db"
        case .node: "nodejs"
        case .makeBtrfs: "btrfs-progs"
        case .makeXFS: "xfsprogs"
        case .script: "bsdutils"
        case .setcap: "libcap2-bin"
        case .setfacl: "acl"
        case .setfattr: "attr"
        case .flock, .nsenter, .setpriv, .setsid, .unshare: "util-linux"
        default: rawValue
        }
    }

    /// The message if the program is missing.
    package var advice: String { "\(rawValue) is not installed: apt-get install \(package)" }

    /// Its path; nil if it is not installed. Searches `PATH` and the `sbin` directories.
    package var path: String? {
        let folders = "\(getenv("PATH").map { String(cString: $0) } ?? ""):/usr/sbin:/sbin"
        return folders.split(separator: ":").map { "\($0)/\(rawValue)" }.first { access($0, X_OK) == 0 }
    }

    /// The program; throws if it is not installed.
    package var program: Program {
        get throws { Program(try #require(path, "\(advice)")) }
    }

    /// Whether tests that need it should run: it is installed, or skips count as failures.
    package var shouldRun: Bool { path != nil || Programs.skipsAreFailures }

    package static var skipsAreFailures: Bool {
        getenv("SESSIONMIRROR_NO_SKIPS").map { String(cString: $0) } == "1"
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test if one of the programs is missing, and says which package provides it.
    package static func needs(_ programs: Programs...) -> Self {
        let missing = programs.filter { !$0.shouldRun }
        return .enabled(if: missing.isEmpty, "\(missing.map(\.advice).joined(separator: "; "))")
    }
}
