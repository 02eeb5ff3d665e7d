internal import LosslessJSON

/// The starting point of a load or a save: what memory and file last agreed on, and what memory has now.
struct SyncBase: Sendable {
    /// The last valid text of the file.
    var document: JSONDocument?
    /// Whether the file does not exist.
    var isMissing: Bool
    /// The base of the three-way merge. Values of memory that differ from it are pending.
    var baseTree: JSON
    /// What memory has.
    var snapshot: AnySnapshotStorage
    var ownWrites: OwnWriteLog
    /// Whether the file was not loaded yet.
    var isInitial = false
    /// Whether a text without a value counts as an empty object: when the session is opened, and after the text has
    /// stayed unchanged for the settling time, because a writer truncates the file for a moment.
    var acceptsBlankText = false

    /// The version and origin of the next snapshot, if the file is its source.
    var next: (version: Version, origin: Origin) {
        isInitial ? (.first, .initial) : (snapshot.version.next, .external)
    }

    /// Parses a text of the file, reusing the unchanged parts of the last one.
    func document(of text: JSONText, _ options: JSONDocument.Options) throws(JSONSyntaxError) -> JSONDocument {
        if let document { return try document.reparsed(text) }
        return try JSONDocument(parsing: text, options: options)
    }

    /// The last valid text; nil if the file does not exist.
    var existingDocument: JSONDocument? { isMissing ? nil : document }

    /// Whether the values of the last valid text have been merged into memory.
    var isReconciled: Bool { document.map { $0.value.isSame(as: baseTree) } ?? true }
}
