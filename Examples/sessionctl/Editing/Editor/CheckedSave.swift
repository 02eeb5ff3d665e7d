import DurableFiles

/// Lets a save write only bytes that a check has accepted.
///
/// The check runs between two attempts to replace the file, so that nobody waits for it. An attempt whose bytes are
/// unchecked writes nothing. If others change the file during the check, the next attempt has other bytes, which are
/// checked in turn.
struct CheckedSave {
    /// A text that the last attempt would have written.
    struct Unchecked {
        let bytes: [UInt8]
        /// What the file held; nil if it was missing.
        let current: [UInt8]?
    }

    private let isRequired: Bool
    private var accepted: Set<[UInt8]> = []
    private(set) var unchecked: Unchecked?

    /// The bytes that an attempt has already written, before edits of others came to light that have to be merged.
    private(set) var written: [UInt8]?
    /// These edits; only the attempt that displaced them knows their base.
    private var displaced: [DisplacedEdit] = []

    /// - Parameter isRequired: Whether there is a check; without one, all bytes are written.
    init(isRequired: Bool) { self.isRequired = isRequired }

    mutating func accept(_ text: Unchecked) { accepted.insert(text.bytes) }

    /// The bytes to write: those of `edit`, unless they are unchecked.
    mutating func bytes(for found: FoundFile, _ edit: (FoundFile) throws -> [UInt8]?) throws -> [UInt8]? {
        unchecked = nil
        let found = continuing(found)
        let next = try edit(found)
        guard isRequired, let bytes = next, bytes != found.contents?.bytes, !accepted.contains(bytes) else {
            return next
        }
        unchecked = Unchecked(bytes: bytes, current: found.contents?.bytes)
        if found.written != nil { (written, displaced) = (found.written, found.displaced) }
        return nil
    }

    /// What was found, with what earlier attempts know of it.
    private func continuing(_ found: FoundFile) -> FoundFile {
        let others = found.displaced.filter { edit in !displaced.contains { $0.bytes == edit.bytes } }
        return FoundFile(contents: found.contents, written: found.written ?? written, displaced: displaced + others)
    }
}
