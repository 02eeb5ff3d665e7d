internal import Glibc

extension FileWatchReason {
    /// Whether a watch that meets it at its beginning can still begin, and is polled.
    var allowsBeginning: Bool { code != .invalidPath }

    static func invalidPath(_ summary: String) -> Self { Self(.invalidPath, summary) }

    static func nameTooLong() -> Self {
        Self(.invalidPath, "it, or a name in it, is longer than the system takes", errorNumber: ENAMETOOLONG)
    }

    static func watchLimit() -> Self {
        let limit = KernelLimit.watches.value
        return Self(
            .watchLimit, "this user's inotify watches are used up\(limit.map { " (limit \($0))" } ?? "")",
            advice: KernelLimit.watches.advice, errorNumber: ENOSPC)
    }

    /// Why `inotify_init` failed: it gives one number for two limits.
    static func start(_ error: SystemError) -> Self {
        guard error.number == EMFILE, !isOutOfDescriptors else { return descriptorsOrSystem(error) }
        let limit = KernelLimit.instances.value
        return Self(
            .instanceLimit, "this user's inotify instances are used up\(limit.map { " (limit \($0))" } ?? "")",
            advice: KernelLimit.instances.advice, errorNumber: EMFILE)
    }

    private static func descriptorsOrSystem(_ error: SystemError) -> Self {
        switch error.number {
        case EMFILE:
            Self(
                .descriptorLimit, "this process has as many files open as it may",
                advice: "raise the limit: ulimit -n, or LimitNOFILE= of a systemd service", errorNumber: EMFILE)
        case ENFILE:
            Self(
                .descriptorLimit, "this machine has as many files open as it may",
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
            "libinotifytools can work with descriptors below \(FD_SETSIZE) only, and those are all in use (got \(descriptor))",
            advice: "watch a first file before the process opens that many others")
    }

    static func unreadableFolder(_ folder: String) -> Self {
        Self(
            .unreadableFolder, "the folder \(folder) may not be read, so that the kernel does not tell of its changes",
            advice: "give this user the right to read it: chmod o+r, or setfacl", errorNumber: EACCES)
    }

    static func fileSystem(_ kind: FileSystemKind) -> Self {
        switch kind.author {
        case .others:
            Self(.fileSystem, "the path leads to \(kind.name), where files change without this kernel's noticing")
        case .kernel:
            Self(.fileSystem, "the path leads to \(kind.name), whose files the kernel makes up when they are read")
        case .layers:
            Self(.fileSystem, "the path leads to \(kind.name), whose layers can be changed without its noticing")
        }
    }

    static func requested() -> Self { Self(.requested, "polling was asked for") }

    static func forked() -> Self {
        Self(
            .forked, "this process was forked from the one that watches; nothing is watched here",
            advice: "watch a first file after the fork")
    }

    static func system(_ error: SystemError, _ summary: String) -> Self {
        Self(.system, "\(summary): \(error)", errorNumber: error.number)
    }
}

/// One of the numbers of inotify things that a user may have.
struct KernelLimit {
    static let watches = KernelLimit(name: "max_user_watches", perNamespace: "max_inotify_watches")
    static let instances = KernelLimit(name: "max_user_instances", perNamespace: "max_inotify_instances")

    let name: String
    /// In containers with users of their own it is this one that counts.
    let perNamespace: String

    private var machineWide: Int? { Self.read("/proc/sys/fs/inotify/\(name)") }
    private var namespaceWide: Int? { Self.read("/proc/sys/user/\(perNamespace)") }

    var value: Int? { [machineWide, namespaceWide].compactMap { $0 }.min() }

    var advice: String {
        let isNamespace = (namespaceWide ?? .max) < (machineWide ?? .max)
        let setting = isNamespace ? "user.\(perNamespace)" : "fs.inotify.\(name)"
        return "raise the limit: sysctl \(setting)=\(max(2 * (value ?? 0), 128))"
    }

    private static func read(_ path: String) -> Int? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text = [UInt8](repeating: 0, count: 32)
        let count = Glibc.read(descriptor, &text, text.count)
        return Int(String(decoding: text.prefix(max(count, 0)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
