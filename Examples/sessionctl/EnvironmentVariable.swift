/// An environment variable that commands use.
struct EnvironmentVariable: Sendable {
    let name: String
    /// In sentences.
    let text: String

    static let visual = EnvironmentVariable(
        name: "VISUAL", text: "The editor, a shell command, which may have options.")
    static let editor = EnvironmentVariable(name: "EDITOR", text: "The editor, if `VISUAL` is not set.")
    static let temporaryDirectory = EnvironmentVariable(
        name: "TMPDIR", text: "The directory of the private copy for the editor, instead of `/tmp`.")
    static let noColor = EnvironmentVariable(
        name: "NO_COLOR", text: "If set and not empty, output on a terminal has no colors.")

    static let home = EnvironmentVariable(
        name: "HOME", text: "The home directory. If it is not set, that of the user database.")
    static let baseDirectories = EnvironmentVariable(
        name: "XDG_CONFIG_HOME , XDG_STATE_HOME , XDG_DATA_HOME , XDG_CACHE_HOME , XDG_RUNTIME_DIR",
        text: "Absolute paths of the directories in which programs have their own, instead of those below `HOME`.")

    static let etcd = EnvironmentVariable(
        name: "SESSIONMIRROR_ETCD",
        text: "The URLs of the members of etcd, separated by commas, if `--etcd` is not given.")

    /// Those of all commands.
    static let all = [visual, editor, temporaryDirectory, noColor, etcd, home, baseDirectories]
}
