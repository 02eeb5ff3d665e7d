#if canImport(TestSupport)
// The fuzzers compile this file and the generator in a package of their own.
import TestSupport
#endif

/// Generates random valid JSON texts, reproducibly by seed: unusual spacing, every escape, unusual spellings of
/// numbers, deep and wide shapes and, on request, duplicate keys, comments and trailing commas.
struct RandomJSON {
    private var random: SeededGenerator
    private let isLenient: Bool
    private let duplicatesKeys: Bool
    private var text: [UInt8] = []

    init(seed: UInt64, isLenient: Bool = false, duplicatesKeys: Bool = false) {
        random = SeededGenerator(seed)
        self.isLenient = isLenient
        self.duplicatesKeys = duplicatesKeys
    }

    /// The next text.
    mutating func document() -> [UInt8] {
        text = chance(20) ? [0xEF, 0xBB, 0xBF] : []
        space()
        switch below(40) {
        case 0: deep(levels: 1 + below(300))
        case 1: wide(members: 33 + below(200))
        case 2: scalar()
        default: value(depth: 0)
        }
        space()
        return text
    }

    /// A copy of `text` with a few bytes changed: mostly invalid, but close to JSON.
    mutating func mutated(_ text: [UInt8]) -> [UInt8] {
        var copy = text
        for _ in 0...below(3) {
            let place = below(copy.count + 1)
            let rest = place..<min(copy.count, place + 1 + below(3))
            switch below(5) {
            case 0: copy.replaceSubrange(rest, with: [])
            case 1: copy.insert(UInt8(below(256)), at: place)
            case 2: copy.replaceSubrange(rest, with: Array(pick(["\"", "{", "[", "}", "]", ",", ":", "\\", "/"]).utf8))
            case 3: copy.insert(contentsOf: copy[rest], at: below(copy.count + 1))
            default:
                copy.insert(
                    contentsOf: pick(["\\u", "/*", "*/", "//", "\n", "0", ".", "e", "-", "\u{7F}"]).utf8, at: place)
            }
        }
        return copy
    }
}

// MARK: - Random numbers

extension RandomJSON {
    private mutating func below(_ limit: Int) -> Int { random.below(limit) }
    private mutating func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }
    private mutating func pick<Element>(_ choices: [Element]) -> Element { random.pick(choices) }
}

// MARK: - Texts

extension RandomJSON {
    private mutating func write(_ string: String) { text.append(contentsOf: string.utf8) }

    private mutating func space() {
        guard chance(3) else { return }
        for _ in 0...below(4) { write(pick([" ", "\t", "\n", "\r\n", "\r", "          "])) }
        if isLenient && chance(3) { comment() }
    }

    private mutating func comment() {
        if chance(2) {
            write(pick(["//", "// \"no\" {[", "///*", "// ü€😀"]) + pick(["\n", "\r", "\r\n"]))
        } else {
            write(pick(["/**/", "/***/", "/* // * / \" */", "/*\n}],*/", "/* ü€😀 */"]))
        }
        space()
    }

    private mutating func value(depth: Int) {
        switch below(depth > 6 ? 4 : 8) {
        case 0...3: scalar()
        case 4, 5: list("[", "]", count: below(6)) { $0.value(depth: depth + 1) }
        default: members(below(6)) { $0.value(depth: depth + 1) }
        }
    }

    private mutating func list(_ open: String, _ close: String, count: Int, item: (inout RandomJSON) -> Void) {
        write(open)
        space()
        for index in 0..<count {
            if index > 0 {
                write(",")
                space()
            }
            item(&self)
            space()
        }
        if isLenient && count > 0 && chance(3) {
            write(",")
            space()
        }
        write(close)
    }

    private mutating func members(_ count: Int, value: (inout RandomJSON) -> Void) {
        var number = 0
        list("{", "}", count: count) { random in
            number += 1
            if random.duplicatesKeys && random.chance(4) {
                random.write(random.pick(["\"a\"", "\"\\u0061\"", "\"a key of some length\"", "\"\""]))
            } else {
                // A number in the key avoids accidental duplicates.
                random.string(ending: "\(number)")
            }
            random.space()
            random.write(":")
            random.space()
            value(&random)
        }
    }

    private mutating func deep(levels: Int) {
        var closers: [String] = []
        for _ in 0..<levels {
            let isObject = chance(2)
            write(isObject ? "{\"k\":" : "[")
            closers.append(isObject ? "}" : "]")
            space()
        }
        scalar()
        for closer in closers.reversed() {
            space()
            write(closer)
        }
    }

    private mutating func wide(members count: Int) {
        if chance(3) {
            list("[", "]", count: count) { $0.scalar() }
        } else {
            members(count) { $0.scalar() }
        }
    }

    private mutating func scalar() {
        switch below(10) {
        case 0: write("null")
        case 1: write("true")
        case 2: write("false")
        case 3...5: number()
        default: string(ending: "")
        }
    }

    private mutating func number() {
        if chance(2) { write("-") }
        if chance(4) { write("0") } else { digits(first: 1, upTo: pick([1, 1, 5, 20, 60])) }
        if chance(2) {
            write(".")
            digits(first: 0, upTo: pick([1, 3, 20]))
        }
        if chance(3) {
            write(pick(["e", "E"]) + pick(["", "+", "-"]))
            digits(first: 0, upTo: pick([1, 2, 3, 20]))
        }
    }

    private mutating func digits(first: Int, upTo most: Int) {
        text.append(UInt8(0x30 + first + below(10 - first)))
        for _ in 0..<below(most) { text.append(UInt8(0x30 + below(10))) }
    }

    private mutating func string(ending: String) {
        write("\"")
        // Lengths around fourteen matter: texts up to that length are stored inline.
        for _ in 0..<pick([0, 1, 3, 7, below(20), 12 + below(5), below(90)]) {
            switch below(12) {
            case 0: write(pick(["\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t"]))
            case 1: unicodeEscape()
            case 2:
                write(
                    pick([
                        "ü", "€", "😀", "u\u{308}", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}",
                        "\u{2028}", "\u{10FFFF}", "\u{D7FF}", "\u{E000}",
                    ]))
            default: write(pick(["a", "b", "Z", " ", "/", "{", "]", ",", ":", "0", "~", "."]))
            }
        }
        write(ending + "\"")
    }

    private mutating func unicodeEscape() {
        let value = pick([
            UInt32(below(0x80)), UInt32(below(0x800)), UInt32(below(0xD800)), UInt32(0xE000 + below(0x2000)), 0,
        ])
        if chance(3) {
            unit(0xD800 + UInt32(below(0x400)))
            unit(0xDC00 + UInt32(below(0x400)))
        } else {
            unit(value)
        }
    }

    private mutating func unit(_ value: UInt32) {
        let digits = String(value, radix: 16, uppercase: chance(2))
        write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
    }
}
