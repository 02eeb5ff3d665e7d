import LosslessJSON

extension ReferenceJSON {
    /// Whether the library read the same: the same spellings, the same order, and of repeated keys the last.
    func agrees(with value: JSON) -> Bool {
        switch (self, value) {
        case (.null, .null): return true
        case (.bool(let expected), .bool(let bool)): return expected == bool
        case (.number(let expected), .number(let number)): return expected == number.spelling
        case (.string(let expected), .string(let string)): return string.string.utf8.elementsEqual(expected)
        case (.array(let expected), .array(let array)):
            return expected.count == array.count && zip(expected, array).allSatisfy { $0.agrees(with: $1) }
        case (.object(let expected), .object(let object)):
            let counting = ReferenceJSON.lastOfEachKey(expected)
            return counting.count == object.count
                && zip(counting, object).allSatisfy { member, ours in
                    ours.key.utf8.elementsEqual(member.key) && member.value.agrees(with: ours.value)
                }
        default: return false
        }
    }

    static func lastOfEachKey(_ members: [Member]) -> [Member] {
        var seen: Set<[UInt8]> = []
        return members.reversed().filter { seen.insert($0.key).inserted }.reversed()
    }
}
