public import SessionMirror

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
/// `<program>` is the name that the program was started by. In the name of the variable it is in capitals, with underscores
/// for everything that is no letter or digit: `NOTES_SERVER_SESSION_FILE` for `notes-server`. A relative `XDG_STATE_HOME` or
/// `HOME` is ignored. A privileged process that another user started (`AT_SECURE`) ignores the whole environment.
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

    /// The path of the file. It need not exist, nor its directory.
    ///
    /// - Throws: A `SessionError` with the code `noLocation`, if no directory is known.
    public func path() throws(SessionError) -> String { try path(in: .current) }

    func path(in environment: @autoclosure () -> ProgramEnvironment) throws(SessionError) -> String {
        switch kind {
        case .file(let path): return path
        case .standard(let isOverridable):
            let environment = environment()
            if isOverridable, let path = environment.variable(environment.overridingVariable) { return path }
            if let directory = environment.firstDirectory("STATE_DIRECTORY") { return "\(directory)/session.json" }
            if let directory = environment.userStateDirectory {
                return "\(directory)/\(environment.program)/session.json"
            }
            throw SessionError(
                .noLocation,
                "there is no directory for the file: set XDG_STATE_HOME, or StateDirectory= in the unit of a service")
        }
    }
}

extension ProgramEnvironment {
    /// `<PROGRAM>_SESSION_FILE`.
    var overridingVariable: String {
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
