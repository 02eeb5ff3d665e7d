/// What a replacement finds at its path, from which the caller makes the bytes to write.
public struct FoundFile: Sendable {
    /// What the file holds now; nil where there is none.
    public let contents: FileContents?

    /// The bytes that this replacement has put into the file already, if it has.
    ///
    /// They were in it for everybody to see, so that they are what others began with who changed it since. Whoever
    /// counts or appends has done so, and must not again.
    public let confirmed: [UInt8]?

    /// What others wrote that is no longer in the file: it belongs into what is written next.
    public let displaced: [DisplacedEdit]

    /// For tests of what is made of it.
    public init(contents: FileContents?, confirmed: [UInt8]? = nil, displaced: [DisplacedEdit] = []) {
        (self.contents, self.confirmed, self.displaced) = (contents, confirmed, displaced)
    }
}

/// What somebody wrote into a version of a file that is not in its place any more.
public struct DisplacedEdit: Sendable, Hashable {
    /// What its writer began with; nil when that is not known: a crash left it behind.
    public let base: [UInt8]?

    /// What its writer made of it.
    public let bytes: [UInt8]

    /// Where it lies until what is written next has been written; nil when it has no name.
    public let path: String?

    /// For tests of what is made of it.
    public init(base: [UInt8]?, bytes: [UInt8], path: String? = nil) {
        (self.base, self.bytes, self.path) = (base, bytes, path)
    }
}
