/// What a file held, and which version of it that was.
public struct FileContents: Sendable {
    /// All of its bytes.
    public let bytes: [UInt8]

    /// Which file and which version. Of an unstable one, what was there after the last try.
    public let identity: FileIdentity

    /// The permission bits, such as `0o644`.
    public let mode: UInt32

    /// Whether the file was the same before and after reading.
    ///
    /// When it is false somebody was writing during each try, and the bytes may be half of one version and half of
    /// another. When it is true, nothing of that could be seen.
    public let isStable: Bool
}
