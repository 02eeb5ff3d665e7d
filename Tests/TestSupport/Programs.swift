import Glibc
package import Testing

/// The programs of other people that tests compare with or play against.
///
/// A test that needs one says so with the trait `.needs(…)`. Where the program is missing, the test is skipped by name
/// with the way to get it, unless the environment variable SESSIONMIRROR_NO_SKIPS is 1: then it runs and fails.
package enum Programs: String, CaseIterable, Sendable {
    case bindfs, chattr, emacs, flock, git, mount, nano, node, nsenter, perl, python3, rsync, script, sed, setcap
    case setfacl, setfattr, setpriv, strace, tar, unshare, vim
    case makeBtrfs = "mkfs.btrfs"
    case makeXFS = "mkfs.xfs"

    /// The Debian package that holds it.
    package var package: String {
        switch self {
        case .chattr: "e2fsprogs"
        case .emacs: "emacs-nox"
        case .node: "nodejs"
        case .makeBtrfs: "btrfs-progs"
        case .makeXFS: "xfsprogs"
        case .script: "bsdutils"
        case .setcap: "libcap2-bin"
        case .setfacl: "acl"
        case .setfattr: "attr"
        case .flock, .nsenter, .setpriv, .unshare: "util-linux"
        default: rawValue
        }
    }

    /// What to say where it is missing.
    package var advice: String { "\(rawValue) is not installed: apt-get install \(package)" }

    /// Where it is; nil when it is not installed. What is made for root is not on everybody's PATH.
    package var path: String? {
        let folders = "\(getenv("PATH").map { String(cString: $0) } ?? ""):/usr/sbin:/sbin"
        return folders.split(separator: ":").map { "\($0)/\(rawValue)" }.first { access($0, X_OK) == 0 }
    }

    /// The program, to be run.
    package var program: Program {
        get throws { Program(try #require(path, "\(advice)")) }
    }

    /// Whether a test that needs it is to run: it can, or nothing may be skipped.
    package var isToBeTried: Bool { path != nil || Programs.nothingMayBeSkipped }

    package static var nothingMayBeSkipped: Bool {
        getenv("SESSIONMIRROR_NO_SKIPS").map { String(cString: $0) } == "1"
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test by name where one of the programs is missing, with the way to get it.
    package static func needs(_ programs: Programs...) -> Self {
        let missing = programs.filter { !$0.isToBeTried }
        return .enabled(if: missing.isEmpty, "\(missing.map(\.advice).joined(separator: "; "))")
    }
}
