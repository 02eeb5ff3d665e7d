internal import Glibc

extension FileWatchReason {
    static func invalidPath(_ summary: String) -> Self { Self(.invalidPath, summary) }

    static func nameTooLong() -> Self {
        Self(
            .invalidPath, "the path, or a name in it, is longer than the system allows", errorNumber: ENAMETOOLONG)
    }

    static func watchLimit() -> Self {
        Self(
            .watchLimit, InotifyLimit.watches.summary("watches"), advice: InotifyLimit.watches.advice,
            errorNumber: ENOSPC)
    }

    /// The reason for a failure of `inotify_init`, which reports two limits by the same error number.
    static func start(_ error: SystemError) -> Self {
        guard error.number == EMFILE, !isOutOfDescriptors else { return descriptorLimitOrSystem(error) }
        return Self(
            .instanceLimit, InotifyLimit.instances.summary("instances"), advice: InotifyLimit.instances.advice,
            errorNumber: EMFILE)
    }

    private static func descriptorLimitOrSystem(_ error: SystemError) -> Self {
        switch error.number {
        case EMFILE:
            Self(
                .descriptorLimit, "the limit of open files of this process is reached",
                advice: "raise it: ulimit -n, or LimitNOFILE= of a systemd service", errorNumber: EMFILE)
        case ENFILE:
            Self(
                .descriptorLimit, "the limit of open files of this machine is reached",
                advice: "raise it: sysctl fs.file-max",
                errorNumber: ENFILE)
        default: system(error, "inotify cannot be started")
        }
    }

    private static var isOutOfDescriptors: Bool {
        let descriptor = open("/", O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 { close(descriptor) }
        return descriptor < 0
    }

    static func highDescriptor(_ descriptor: Int32) -> Self {
        Self(
            .descriptorLimit,
            "libinotifytools requires a descriptor below \(FD_SETSIZE), and all of those are in use (got \(descriptor))",
            advice: "watch a first file before the process opens so many others")
    }

    static func unreadableDirectory(_ directory: String) -> Self {
        Self(
            .unreadableDirectory, "directory \(directory) is not readable, so the kernel does not report its changes",
            advice: "grant this user read permission: chmod o+r, or setfacl", errorNumber: EACCES)
    }

    static func fileSystem(_ kind: FileSystemKind) -> Self {
        switch kind.changeSource {
        case .external:
            Self(.fileSystem, "the path leads to \(kind.name), where files change without notice to this kernel")
        case .kernel:
            Self(.fileSystem, "the path leads to \(kind.name), whose files the kernel generates when they are read")
        case .layers:
            Self(.fileSystem, "the path leads to \(kind.name), whose layers can change without notice")
        }
    }

    static func requested() -> Self { Self(.requested, "polling was requested") }

    static func forked() -> Self {
        Self(
            .forked, "this process is a fork of the process that watches, and watches nothing itself",
            advice: "watch a first file after the fork")
    }

    static func system(_ error: SystemError, _ summary: String) -> Self {
        Self(.system, "\(summary): \(error)", errorNumber: error.number)
    }
}

/// A limit of inotify resources per user.
struct InotifyLimit {
    static let watches = InotifyLimit(name: "max_user_watches", perNamespace: "max_inotify_watches")
    static let instances = InotifyLimit(name: "max_user_instances", perNamespace: "max_inotify_instances")

    let name: String
    /// The name of the limit in a user namespace, which applies in containers that have one.
    let perNamespace: String

    private var machineWide: Int? { Self.read("/proc/sys/fs/inotify/\(name)") }
    private var namespaceWide: Int? { Self.read("/proc/sys/user/\(perNamespace)") }

    var value: Int? { [machineWide, namespaceWide].compactMap { $0 }.min() }

    func summary(_ resource: String) -> String {
        "the limit of inotify \(resource) per user is reached\(value.map { " (\($0))" } ?? "")"
    }

    var advice: String {
        let isNamespace = (namespaceWide ?? .max) < (machineWide ?? .max)
        let setting = isNamespace ? "user.\(perNamespace)" : "fs.inotify.\(name)"
        return "raise it: sysctl \(setting)=\(max(2 * (value ?? 0), 128))"
    }

    private static func read(_ path: String) -> Int? { Int(ProcFile.read(path).prefix { $0 != "\n" }) }
}
