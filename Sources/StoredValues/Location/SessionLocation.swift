public import SessionMirror
internal import StandardFolders

/// The file of a ``StandardSession``.
///
/// The standard location is the first of these that is set:
///
/// | | file |
/// | --- | --- |
/// | the environment variable `<PROGRAM>_SESSION_FILE`, for tests and administrators | its value |
/// | `STATE_DIRECTORY`, set by systemd for a service with `StateDirectory=` | `$STATE_DIRECTORY/session.json` |
/// | `XDG_STATE_HOME` | `$XDG_STATE_HOME/<program>/session.json` |
/// | the home directory: `HOME`, or else that of the password database | `~/.local/state/<program>/session.json` |
///
/// The last three are `Folders.state` of the module StandardFolders. `<program>` is the name that the program was
/// started by, or `Folders.program`. In the name of the variable it is in capitals, with an underscore for each byte
/// that is not an ASCII letter or digit: `NOTES_SERVER_SESSION_FILE` for `notes-server`. A relative `XDG_STATE_HOME` or
/// `HOME` is ignored; a relative path in `<PROGRAM>_SESSION_FILE` resolves against the working directory. A privileged
/// process that another user started (`AT_SECURE`) ignores the whole environment.
public struct SessionLocation: Sendable, Hashable {
    private enum Kind: Hashable {
        case standard(isOverridable: Bool)
        case file(String)
    }

    private let kind: Kind

    /// The standard location.
    public static let standard = SessionLocation(kind: .standard(isOverridable: true))

    /// The standard location; if it is not overridable, `<PROGRAM>_SESSION_FILE` is ignored.
    public static func standard(isOverridable: Bool) -> SessionLocation {
        SessionLocation(kind: .standard(isOverridable: isOverridable))
    }

    /// The file at `path`.
    public static func file(_ path: String) -> SessionLocation { SessionLocation(kind: .file(path)) }

    /// The path of the file. Neither the file nor its directory needs to exist.
    ///
    /// - Throws: A `SessionError` with the code `noLocation`, if no directory is known.
    public func path() throws(SessionError) -> String { try path(of: Folders.program, in: .current) }

    func path(of program: String, in environment: ProgramEnvironment) throws(SessionError) -> String {
        switch kind {
        case .file(let path): return path
        case .standard(let isOverridable):
            if isOverridable, let path = environment.variable(Self.overridingVariable(of: program)) { return path }
            let folder = Folders(of: program, isOwn: true, in: environment).state
            if folder.location.isKnown { return folder / "session.json" }
            throw SessionError(
                .noLocation,
                "there is no directory for the file: set XDG_STATE_HOME, or StateDirectory= in the unit of a service")
        }
    }

    /// `<PROGRAM>_SESSION_FILE`.
    private static func overridingVariable(of program: String) -> String {
        let name = program.uppercased().utf8.map { byte -> Character in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                Character(Unicode.Scalar(byte))
            default: "_"
            }
        }
        return String(name) + "_SESSION_FILE"
    }
}
