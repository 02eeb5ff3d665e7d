/// A file by its path.
public struct DurableFile: Sendable { public let path: String }
