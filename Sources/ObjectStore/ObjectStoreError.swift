public import DurableFiles
public import FoundationEssentials
public import LosslessJSON
public import SessionMirror
public import StandardFolders
internal import VisibleText

/// An error of an ``ObjectStore``.
public struct ObjectStoreError: Error, Sendable {
    /// The kind of an error.
    public enum Code: Sendable {
        /// The identifier is empty, or has more than 4,096 bytes.
        case invalidIdentifier
        /// The object cannot be encoded as JSON.
        case unencodable(JSONCodingError)
        /// The file of the object cannot be decoded: it is damaged, or has an object of another type.
        case unusable(SessionProblem)
        /// The object's file would exceed the limit of the store, or the size limit of all files of a store.
        case overLimit(bytes: Int, limit: Int)
        /// The object is nested deeper than a JSON text may be.
        case nestedTooDeep
        /// The index names a file that does not exist.
        case missingFile
        /// The entry of the index is not the name of an object's file.
        case invalidEntry
        /// The index cannot be opened or saved: a `SessionProblem` or a `SessionError`.
        case index(any Error)
        /// The folder of the store is not known, because the user has no home directory.
        case folder(FolderError)
        /// Reading or writing failed.
        case file(FileError)
    }

    /// The kind of the error.
    public let code: Code
    /// The identifier, if the error belongs to one.
    public let identifier: String?
    /// The path of the object's file or of the index, if the error is about one; otherwise a directory of the store.
    public let path: String

    init(_ code: Code, _ identifier: String?, _ path: String) {
        (self.code, self.identifier, self.path) = (code, identifier, path)
    }

    init(_ error: FileError, _ identifier: String?) { self.init(.file(error), identifier, error.path) }
}

extension ObjectStoreError: CustomStringConvertible {
    /// The error on one line, safe to print on a terminal.
    public var description: String {
        let name = identifier.map { "\"\($0.visible(upTo: 200))\"" } ?? "an object"
        let path = path.visible(upTo: 8_000)
        return switch code {
        case .invalidIdentifier: "\(name) cannot be an identifier: it needs 1 to 4,096 bytes"
        case .unencodable(let error): "\(name) cannot be encoded: \(error)"
        case .unusable(let problem): "\(problem) (object \(name))"
        case .overLimit(let bytes, let limit):
            "\(path): \(name) needs \(bytes) bytes, and the limit of the store is \(limit)"
        case .nestedTooDeep: "\(name) is nested more than \(ObjectFile.depthLimit) levels deep"
        case .missingFile: "\(path): the file of \(name) does not exist"
        case .invalidEntry: "\(path): the entry of \(name) is not the name of a file of this store"
        case .index(let error): "\(error)"
        case .folder(let error): "\(error)"
        case .file(let error): "\(error)"
        }
    }
}

extension ObjectStoreError: LocalizedError {
    /// The same as ``description``, so that `localizedDescription` of Foundation has it.
    public var errorDescription: String? { description }
}
