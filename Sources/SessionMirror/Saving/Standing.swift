internal import LosslessJSON

/// How a session and its file stand to each other: what a look at the file or a save begins with.
struct Standing: Sendable {
    /// The last good text of the file.
    var document: JSONDocument?
    /// Whether there is no file any more, or yet.
    var isMissing: Bool
    /// The values that the session and the file both began with: what of them is another in memory is pending.
    var common: JSON
    /// What the session has in memory.
    var edition: AnyEdition
    var own: OwnValues
    /// Whether nobody has read anything of it yet.
    var isNew = false

    /// The version that comes next, and who makes it, when the file is what makes it.
    var next: (version: Version, origin: Origin) {
        isNew ? (.first, .initial) : (edition.version.next, .external)
    }

    /// A text of the file; unchanged parts are those of the last one.
    func document(of bytes: [UInt8], _ options: JSONDocument.Options) throws(JSONSyntaxError) -> JSONDocument {
        if let document { return try document.reparsed(bytes) }
        return try JSONDocument(parsing: bytes, options: options)
    }

    /// Whether what the file says is in memory already, as far as it counts.
    var isJudged: Bool { document.map { $0.value.isSame(as: common) } ?? true }
}
