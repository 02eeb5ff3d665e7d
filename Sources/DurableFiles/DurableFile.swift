public struct DurableFile: Sendable {
    public let path: String
    public init(_ path: String) { self.path = path }
    public func read(limit: Int) throws(FileError) -> FileContents { throw .init() }
}
public struct FileContents { public var bytes: [UInt8], isStable = true }
public struct FileError: Error {
    public enum Code: Sendable { case missing, directory, notRegular, tooLarge, system }
    public var code = Code.missing
    public var reason = ""
}
