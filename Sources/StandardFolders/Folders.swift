internal import Locking

/// The standard directories of a program.
///
/// ```swift
/// Folders.state.path                        // ~/.local/state/<program>
/// Folders.config / "server.json"            // ~/.config/<program>/server.json
/// Folders(of: "other-program").cache.path
/// ```
///
/// For each folder, the first column that is set determines the directory. The last column is appended, except to a
/// directory from systemd:
///
/// | | systemd | XDG | otherwise | appended |
/// | --- | --- | --- | --- | --- |
/// | `config` | `CONFIGURATION_DIRECTORY` | `XDG_CONFIG_HOME` | `~/.config` | `/<program>` |
/// | `state` | `STATE_DIRECTORY` | `XDG_STATE_HOME` | `~/.local/state` | `/<program>` |
/// | `data` | | `XDG_DATA_HOME` | `~/.local/share` | `/<program>` |
/// | `cache` | `CACHE_DIRECTORY` | `XDG_CACHE_HOME` | `~/.cache` | `/<program>` |
/// | `runtime` | `RUNTIME_DIRECTORY` | `XDG_RUNTIME_DIR` | `/run/user/<ID>`, of root `/run` | `/<program>` |
/// | `logs` | `LOGS_DIRECTORY` | `XDG_STATE_HOME` with `log` | `~/.local/state/log` | `/<program>` |
/// | `documents` | | `XDG_DOCUMENTS_DIR` in `user-dirs.dirs` | `~/Documents` | |
/// | `temporary` | | `TMPDIR` | `/tmp` | |
/// | `home` | | `HOME` | the password database | |
///
/// The variables of systemd apply to the running program only; of a list, the first absolute path is used. A relative
/// path in a variable is ignored. A privileged process that another user started (`AT_SECURE`) ignores the environment.
/// Without a home directory, paths below it begin with `/nonexistent`, and ``Folder/create()`` throws an error.
///
/// The environment is read each time, so keep a folder that is used often.
public struct Folders: Sendable {
    private let program: String
    /// Whether the variables of systemd apply.
    private let isOwn: Bool
    private let environment: ProgramEnvironment

    package init(of program: String, isOwn: Bool, in environment: ProgramEnvironment) {
        (self.program, self.isOwn, self.environment) = (program, isOwn, environment)
    }

    /// Creates the folders that a program uses if this user starts it in this environment. A program started by systemd
    /// uses the directories of its unit instead.
    ///
    /// - Parameter program: The name of the program.
    /// - Precondition: The name is valid: see ``isValid(program:)``.
    public init(of program: String) {
        precondition(Self.isValid(program: program), "the name of a program must be one component of a path")
        self.init(of: program, isOwn: false, in: .current)
    }

    /// Whether a text can be the name of a program: one component of a path.
    public static func isValid(program: String) -> Bool { FolderName.isValid(program) }

    private static let givenProgram = Lock<String?>(nil)

    /// The name of this program: the last component of the path that it was started by, unless it is set. Set it before
    /// anything uses a folder: objects created earlier, such as `ObjectStore.shared`, keep the old name.
    ///
    /// - Precondition: The new name is valid: see ``isValid(program:)``.
    public static var program: String {
        get { givenProgram.withLock { $0 } ?? ProgramEnvironment.startedProgram }
        set {
            precondition(isValid(program: newValue), "the name of a program must be one component of a path")
            givenProgram.withLock { $0 = newValue }
        }
    }

    /// The folders of this program.
    package static var own: Folders { Folders(of: program, isOwn: true, in: .current) }
}

extension Folders {
    /// The folder for settings that people write.
    public var config: ConfigFolder {
        ConfigFolder(location: location("CONFIGURATION_DIRECTORY", "XDG_CONFIG_HOME", ".config"))
    }

    /// The folder for what the program remembers between runs.
    public var state: StateFolder {
        StateFolder(location: location("STATE_DIRECTORY", "XDG_STATE_HOME", ".local/state"))
    }

    /// The folder for data that matters to the user.
    public var data: DataFolder { DataFolder(location: location(nil, "XDG_DATA_HOME", ".local/share")) }

    /// The folder for files that can be created again.
    public var cache: CacheFolder { CacheFolder(location: location("CACHE_DIRECTORY", "XDG_CACHE_HOME", ".cache")) }

    /// The folder for sockets and locks, which is empty after a restart of the system.
    public var runtime: RuntimeFolder {
        let standard = environment.user == 0 ? "/run" : "/run/user/\(environment.user)"
        return RuntimeFolder(
            location: ownDirectory("RUNTIME_DIRECTORY")
                ?? FolderLocation(environment.directory("XDG_RUNTIME_DIR") ?? standard, program))
    }

    /// The folder for logs.
    public var logs: LogsFolder {
        LogsFolder(
            location: ownDirectory("LOGS_DIRECTORY")
                ?? userDirectory("XDG_STATE_HOME", ".local/state").appending("log").appending(program))
    }

    /// The user's folder for documents, which belongs to no program.
    public var documents: DocumentsFolder {
        let config = userDirectory("XDG_CONFIG_HOME", ".config")
        let home = environment.homeDirectory
        let chosen = home.flatMap { UserDirectories.directory("DOCUMENTS", in: config.path, home: $0) }
        let standard = homeLocation.appending("Documents")
        return DocumentsFolder(
            location: chosen.map { FolderLocation($0) } ?? FolderLocation(standard.path, isKnown: standard.isKnown))
    }

    /// The folder for temporary files, which users usually share: see `Folders.withTemporary`.
    public var temporary: SharedTemporaryFolder {
        SharedTemporaryFolder(location: FolderLocation(environment.directory("TMPDIR") ?? "/tmp"))
    }

    /// The user's home directory.
    public var home: HomeFolder { HomeFolder(location: homeLocation) }

    /// The first directory in a variable of systemd.
    private func ownDirectory(_ variable: String) -> FolderLocation? {
        isOwn ? environment.firstDirectory(variable).map { FolderLocation($0) } : nil
    }

    /// The folder of the program.
    private func location(_ own: String?, _ variable: String, _ standard: String) -> FolderLocation {
        own.flatMap(ownDirectory) ?? userDirectory(variable, standard).appending(program)
    }

    /// The directory that the folders of all programs are in.
    private func userDirectory(_ variable: String, _ standard: String) -> FolderLocation {
        if let directory = environment.directory(variable) { return FolderLocation(directory) }
        let home = homeLocation
        return FolderLocation(FolderLocation.path(home.path, standard), isKnown: home.isKnown)
    }

    private var homeLocation: FolderLocation {
        environment.homeDirectory.map { FolderLocation($0) } ?? FolderLocation("/nonexistent", isKnown: false)
    }
}

// The folders of this program.
extension Folders {
    /// The folder for settings that people write: `~/.config/<program>`.
    public static var config: ConfigFolder { own.config }

    /// The folder for what the program remembers between runs: `~/.local/state/<program>`.
    public static var state: StateFolder { own.state }

    /// The folder for data that matters to the user: `~/.local/share/<program>`.
    public static var data: DataFolder { own.data }

    /// The folder for files that can be created again: `~/.cache/<program>`.
    public static var cache: CacheFolder { own.cache }

    /// The folder for sockets and locks, which is empty after a restart of the system: `/run/user/<ID>/<program>`.
    public static var runtime: RuntimeFolder { own.runtime }

    /// The folder for logs: `~/.local/state/log/<program>`.
    public static var logs: LogsFolder { own.logs }

    /// The user's folder for documents: `~/Documents`.
    public static var documents: DocumentsFolder { own.documents }

    /// The folder for temporary files: `/tmp`. See `Folders.withTemporary`.
    public static var temporary: SharedTemporaryFolder { own.temporary }

    /// The user's home directory.
    public static var home: HomeFolder { own.home }
}

/// A name for folders that several programs share; by default that of the type, as for a ``Folder``.
public protocol FolderGroup {
    /// The name.
    ///
    /// - Precondition: One component of a path, as the name of a program.
    static var name: String { get }
}

extension FolderGroup {
    /// The name of the type, in lower case, with hyphens between its words.
    public static var name: String { FolderName.of(Self.self) }
}

/// The folders that several programs of a user share.
///
/// ```swift
/// enum NotesSuite: FolderGroup {}
/// GroupFolders<NotesSuite>.data.path         // ~/.local/share/notes-suite
/// ```
///
/// Their paths are those of ``Folders/init(of:)`` with the group's name. The variables of systemd do not apply.
public enum GroupFolders<Group: FolderGroup> {
    private static var folders: Folders { Folders(of: Group.name) }

    /// The folder for settings that people write.
    public static var config: ConfigFolder { folders.config }

    /// The folder for what the programs remember between runs.
    public static var state: StateFolder { folders.state }

    /// The folder for data that matters to the user.
    public static var data: DataFolder { folders.data }

    /// The folder for files that can be created again.
    public static var cache: CacheFolder { folders.cache }

    /// The folder for sockets and locks, which is empty after a restart of the system.
    public static var runtime: RuntimeFolder { folders.runtime }

    /// The folder for logs.
    public static var logs: LogsFolder { folders.logs }
}
