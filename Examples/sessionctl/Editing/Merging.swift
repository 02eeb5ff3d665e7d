import LosslessJSON

extension JSONDocument {
    /// This text with what `theirs` changed since `base`, and where both changed it differently: there it stays as it is.
    func merging(base: JSON, theirs: JSON, title: String) throws(Failure) -> (JSONDocument, [JSONConflict]) {
        let merge = JSON.merge(base: base, ours: value, theirs: theirs)
        do throws(JSONEditError) {
            return (try applying(merge.value.difference(from: value)), merge.conflicts)
        } catch {
            throw .refused("\(title): \(error.description)")
        }
    }
}

extension [UInt8] {
    /// Whether a JSON text of these bytes has no value.
    var isBlank: Bool { allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
