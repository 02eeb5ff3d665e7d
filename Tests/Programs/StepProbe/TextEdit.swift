import LosslessJSON

/// Edits of a text as people and other programs make them.
enum TextEdit {
    static func edited(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        switch random.below(20) {
        case 0..<9: digitReplaced(text, &random)
        case 9..<14: elementChanged(text, &random)
        case 14, 15: commented(text, &random)
        case 16: printed(text, &random)
        case 17, 18: digitReplaced(elementChanged(text, &random), &random)
        default: damaged(text, &random)
        }
    }

    private static func digitReplaced(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let start = random.below(text.count + 1)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let index = text[start...].firstIndex(where: digits.contains) else { return text }
        var copy = text
        copy[index] = UInt8(ascii: "1") + UInt8(random.below(9))
        return copy
    }

    /// Copies or removes elements or members, at any depth.
    private static func elementChanged(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        guard var document = try? JSONDocument(parsing: text) else { return text }
        for _ in 0...random.below(3) {
            if let change = change(in: document.value, &random), let next = try? document.applying([change]) {
                document = next
            }
        }
        return document.bytes
    }

    private static func change(in root: JSON, _ random: inout SeededGenerator) -> JSONChange? {
        var (path, container) = ([String](), root)
        while let (keys, values) = parts(of: container), !keys.isEmpty {
            let (from, to) = (random.below(keys.count), random.below(keys.count))
            if random.chance(60), parts(of: values[from]) != nil {
                (path, container) = (path + [keys[from]], values[from])
                continue
            }
            // The members of a small object are probably those of a struct, which rejects other ones.
            let isCollection = keys.count > 3 || random.chance(5)
            func change(_ key: String, from old: JSON?, to new: JSON?) -> JSONChange {
                JSONChange(at: JSONPointer(path + [key]), from: old, to: new)
            }
            switch random.below(5) {
            case 0 where isCollection: return change(keys[from], from: values[from], to: nil)
            case 1 where isCollection:
                if case .array = container { return change(keys[to], from: nil, to: values[from]) }
                return change("key \(random.below(80))", from: nil, to: values[from])
            case 2 where random.chance(4): return change(keys[to], from: values[to], to: random.pick([.null, 7, [:]]))
            default:
                let isSameKind = values[from].kind == values[to].kind
                return isSameKind || random.chance(2) ? change(keys[to], from: values[to], to: values[from]) : nil
            }
        }
        return nil
    }

    private static func parts(of value: JSON) -> (keys: [String], values: [JSON])? {
        switch value {
        case .object(let object): (object.map(\.key), object.map(\.value))
        case .array(let array): (array.indices.map(String.init), Array(array))
        default: nil
        }
    }

    private static func commented(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        let start = random.below(text.count + 1)
        guard let comma = text[start...].firstIndex(of: UInt8(ascii: ",")) else { return text }
        let comment = random.pick([" // a note, \"quoted\"\n", "/* ] */", "\n\n", " "])
        return text[...comma] + Array(comment.utf8) + text[(comma + 1)...]
    }

    /// The whole text in another layout.
    private static func printed(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        guard let value = try? JSON(parsing: text) else { return text }
        return JSONPrinter(layout: random.chance(50) ? .lines : .compact).bytes(value)
    }

    private static let fragments = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "//", "/*", "*/", "\n", "-", ".", "null", "\"a\": 1, ", ", 7",
        "\u{FEFF}",
    ]

    /// Replaces a few bytes by some that rarely fit.
    private static func damaged(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var copy = text
        let start = random.below(copy.count + 1)
        let end = start + random.below(min(copy.count - start, 8) + 1)
        copy.replaceSubrange(start..<end, with: random.pick(fragments).utf8)
        return copy
    }
}
