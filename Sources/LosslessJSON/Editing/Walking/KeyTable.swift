/// Which members of an object a revision is about, found by what stands between the quotes of a key.
struct KeyTable {
    enum Fate {
        case changes(Revision)
        case goes
    }

    private(set) var fates: [Fate] = []
    private var keys: [Text] = []
    /// Where there are many; a few are found sooner without.
    private var numbers: [ByteKey: Int] = [:]

    private static let few = 4

    init(_ revision: ObjectRevision) {
        for (key, change) in revision.changed {
            keys.append(key.text)
            fates.append(.changes(change))
        }
        for key in revision.removed {
            keys.append(key.text)
            fates.append(.goes)
        }
        if keys.count > KeyTable.few {
            for (number, key) in keys.enumerated() { numbers[ByteKey(key)] = number }
        }
    }

    /// The number of the key in the table; nil when the revision is not about it.
    func number(of contents: UnsafeBufferPointer<UInt8>) -> Int? {
        if contents.contains(UInt8(ascii: "\\")) {
            let key = Escapes.decoded(contents).withUnsafeBufferPointer { Text($0) }
            return keys.count > KeyTable.few ? numbers[ByteKey(key)] : keys.firstIndex { Text.sameBytes($0, key) }
        }
        if keys.count > KeyTable.few { return numbers[ByteKey(Text(contents))] }
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
