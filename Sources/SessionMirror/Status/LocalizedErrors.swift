public import DurableFiles
public import FileWatching
public import FoundationEssentials
public import LosslessJSON

// `localizedDescription` of Foundation is the description.

extension SessionError: LocalizedError {
    public var errorDescription: String? { description }
}

extension SessionProblem: LocalizedError {
    public var errorDescription: String? { description }
}

extension ValidationError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ChildProcessError: LocalizedError {
    public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
    public var errorDescription: String? { description }
}

extension FileWatchError: LocalizedError {
    public var errorDescription: String? { description }
}

extension FileWatchReason: LocalizedError {
    public var errorDescription: String? { description }
}

extension JSONCodingError: LocalizedError {
    public var errorDescription: String? { description }
}

extension JSONEditError: LocalizedError {
    public var errorDescription: String? { description }
}

extension JSONMismatch: LocalizedError {
    public var errorDescription: String? { description }
}

extension JSONPointerError: LocalizedError {
    public var errorDescription: String? { description }
}

extension JSONSyntaxError: LocalizedError {
    public var errorDescription: String? { description }
}
