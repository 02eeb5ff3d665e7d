/// The members of an object that a revision changes or removes, looked up by the raw contents of a key.
struct KeyTable {
    enum Action {
        case revise(Revision)
        case remove
    }

    private(set) var actions: [Action] = []
    private var keys: [Text] = []
    /// The index of each key, if there are many; a few are found faster by linear search.
    private var numbers: [ByteKey: Int] = [:]

    private static let linearSearchLimit = 4

    init(_ revision: ObjectRevision) {
        for (key, change) in revision.changed {
            keys.append(key.text)
            actions.append(.revise(change))
        }
        for key in revision.removed {
            keys.append(key.text)
            actions.append(.remove)
        }
        if keys.count > KeyTable.linearSearchLimit {
            for (number, key) in keys.enumerated() { numbers[ByteKey(key)] = number }
        }
    }

    /// The index of a key in the table; nil if the revision does not affect it.
    func number(of contents: UnsafeBufferPointer<UInt8>) -> Int? {
        if contents.contains(UInt8(ascii: "\\")) {
            let key = Escapes.decoded(contents).withUnsafeBufferPointer { Text($0) }
            if keys.count > KeyTable.linearSearchLimit { return numbers[ByteKey(key)] }
            return keys.firstIndex { Text.sameBytes($0, key) }
        }
        if keys.count > KeyTable.linearSearchLimit { return numbers[ByteKey(Text(contents))] }
        return keys.firstIndex { key in
            key.withStoredBytes { bytes in
                guard bytes.count == contents.count, let mine = bytes.baseAddress, let theirs = contents.baseAddress
                else {
                    return bytes.count == contents.count
                }
                return equalBytes(mine, theirs, bytes.count)
            }
        }
    }
}
