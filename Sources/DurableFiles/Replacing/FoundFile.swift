/// What a replacement found at its path; the input for the bytes to write.
public struct FoundFile: Sendable {
    /// The current contents of the file; nil if there is no file.
    public let contents: FileContents?

    /// The bytes that this replacement has already written to the file; nil before.
    ///
    /// Readers have seen them, so they are the base of every later edit of others. A caller that counts or appends has
    /// done so already and must not repeat it.
    public let written: [UInt8]?

    /// Edits of other writers that are no longer in the file and have to be part of what is written next.
    public let displaced: [DisplacedEdit]

    /// Creates a value, for tests of code that handles it.
    public init(contents: FileContents?, written: [UInt8]? = nil, displaced: [DisplacedEdit] = []) {
        (self.contents, self.written, self.displaced) = (contents, written, displaced)
    }
}

/// An edit by another writer in a version of the file that has been replaced.
public struct DisplacedEdit: Sendable, Hashable {
    /// The contents that the writer started from; nil if unknown because the edit was left by a crash.
    public let base: [UInt8]?

    /// The edited contents.
    public let bytes: [UInt8]

    /// The file that holds the edit until the next version is written; nil if it has no name.
    public let path: String?

    /// Creates a value, for tests of code that handles it.
    public init(base: [UInt8]?, bytes: [UInt8], path: String? = nil) {
        (self.base, self.bytes, self.path) = (base, bytes, path)
    }
}
