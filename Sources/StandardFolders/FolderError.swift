public import DurableFiles
internal import VisibleText

/// An error of a ``Folder``.
public struct FolderError: Error, Sendable, Hashable {
    /// The kind of an error.
    public enum Code: Sendable, Hashable {
        /// The user has no home directory, and no variable names another.
        case noHome
        /// The name is not one component of a path.
        case invalidName
        /// The folder is a base directory, which is never removed.
        case baseDirectory
        /// Creating, listing or removing the folder failed.
        case file(FileError)
    }

    /// The kind of the error.
    public let code: Code
    /// The path of the folder, or the name if it is invalid.
    public let path: String

    package init(_ code: Code, _ path: String) { (self.code, self.path) = (code, path) }
}

extension FolderError: CustomStringConvertible {
    /// The error on one line, safe to print on a terminal.
    public var description: String {
        let path = path.visible(upTo: 8_000)
        return switch code {
        case .noHome:
            "there is no home directory for \(path): set HOME, or StateDirectory= and the like in the unit of a service"
        case .invalidName: "\"\(path)\" cannot be the name of a directory: a name is one component of a path"
        case .baseDirectory: "\(path) is a base directory, which is not removed: remove the folders in it"
        case .file(let error): "\(error)"
        }
    }
}
