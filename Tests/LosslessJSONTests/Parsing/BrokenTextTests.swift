import LosslessJSON
import TestSupport
import Testing

/// Texts truncated and changed at every byte: each is parsed as the reference does, or rejected with a valid location.
@Suite struct BrokenTextTests {
    private static let samples: [(text: [UInt8], dialect: JSONDocument.Dialect)] = [
        (SampleTexts.json, .json), (SampleTexts.json, .jsonc), (SampleTexts.jsonc, .jsonc), (SampleTexts.jsonc, .json),
    ]

    /// Checks one text; returns whether it was accepted.
    @discardableResult
    private func check(_ text: [UInt8], _ dialect: JSONDocument.Dialect) -> Bool {
        let agreement = ReferenceComparison(on: text, dialect)
        #expect(agreement.holds, "\(String(decoding: text, as: UTF8.self).debugDescription)")
        guard case .failure(let error) = agreement.document else { return true }
        let position = error.position
        #expect((0...text.count).contains(position.offset))
        let plain = ReferenceLocation(of: position.offset, in: text)
        #expect((position.line, position.column) == (plain.line, plain.column))
        #expect(error.excerpt!.indentation <= error.excerpt!.line.unicodeScalars.count)
        return false
    }

    @Test("Every proper prefix of a text is rejected unless only white space is cut off", arguments: samples)
    func beginnings(text: [UInt8], dialect: JSONDocument.Dialect) {
        for count in 0..<text.count {
            let beginning = Array(text[..<count])
            if check(beginning, dialect) { #expect(text[count...].allSatisfy { $0 == 0x0A }, "cut at \(count)") }
        }
    }

    @Test("The text before the location of an error is a prefix of a valid text", arguments: samples)
    func beforeErrors(text: [UInt8], dialect: JSONDocument.Dialect) {
        let options = JSONDocument.Options(dialect: dialect)
        for position in text.indices {
            for byte in ["\"", "\\", "}", "]", ",", ":", "0", "x", "/", "\n"].map({ $0.utf8.first! }) + [0x80, 0xFF] {
                var changed = text
                changed[position] = byte
                let error = syntaxError(in: changed, options)
                guard let error else { continue }
                let before = syntaxError(in: Array(changed[..<error.position.offset]), options)
                #expect(before == nil || before?.code == .unexpectedEnd, "\(byte) at \(position)")
            }
        }
    }

    @Test("A text with any byte replaced by any other is parsed like the reference parser does", arguments: samples)
    func replacements(text: [UInt8], dialect: JSONDocument.Dialect) {
        for position in text.indices {
            // Where a step costs much, every eighth byte, beginning with another one at each position.
            let step = Thoroughness.isFull ? 1 : 8
            for byte in stride(from: position % step, through: 255, by: step) where byte != text[position] {
                var changed = text
                changed[position] = UInt8(byte)
                check(changed, dialect)
            }
        }
    }

    @Test("A text with any byte removed or doubled is parsed like the reference parser does", arguments: samples)
    func removals(text: [UInt8], dialect: JSONDocument.Dialect) {
        for position in text.indices {
            check(Array(text[..<position]) + text[(position + 1)...], dialect)
            check(Array(text[...position]) + text[position...], dialect)
        }
    }
}
