import LosslessJSON
import Testing

/// Texts cut off and changed at every byte: each is read as the reference reads it, or refused at a place inside it.
@Suite struct BrokenTextTests {
    private static let samples: [(text: [UInt8], dialect: JSONDocument.Dialect)] = [
        (Sample.json, .json), (Sample.json, .jsonc), (Sample.jsonc, .jsonc), (Sample.jsonc, .json),
    ]

    /// Checks one text, and says whether it was accepted.
    @discardableResult
    private func check(_ text: [UInt8], _ dialect: JSONDocument.Dialect) -> Bool {
        let agreement = Agreement(on: text, dialect)
        #expect(agreement.holds, "\(String(decoding: text, as: UTF8.self).debugDescription)")
        guard case .failure(let error) = agreement.document else { return true }
        let place = error.position
        #expect((0...text.count).contains(place.offset))
        let plain = ReferenceLocation(of: place.offset, in: text)
        #expect((place.line, place.column) == (plain.line, plain.column))
        #expect(error.excerpt!.indentation <= error.excerpt!.line.unicodeScalars.count)
        return false
    }

    @Test("every beginning of a text is refused, unless only white space or comments are missing", arguments: samples)
    func beginnings(text: [UInt8], dialect: JSONDocument.Dialect) {
        for count in 0..<text.count {
            let beginning = Array(text[..<count])
            if check(beginning, dialect) { #expect(text[count...].allSatisfy { $0 == 0x0A }, "cut at \(count)") }
        }
    }

    @Test("what stands before a mistake is the beginning of a valid text", arguments: samples)
    func beforeMistakes(text: [UInt8], dialect: JSONDocument.Dialect) {
        let options = JSONDocument.Options(dialect: dialect)
        for place in text.indices {
            for byte in ["\"", "\\", "}", "]", ",", ":", "0", "x", "/", "\n"].map({ $0.utf8.first! }) + [0x80, 0xFF] {
                var changed = text
                changed[place] = byte
                let error = refusal(of: changed, options)
                guard let error else { continue }
                let before = refusal(of: Array(changed[..<error.position.offset]), options)
                #expect(before == nil || before?.code == .unexpectedEnd, "\(byte) at \(place)")
            }
        }
    }

    private func refusal(of text: [UInt8], _ options: JSONDocument.Options) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            _ = try JSONDocument(parsing: text, options: options)
            return nil
        } catch { return error }
    }

    @Test("every byte at every place is read as the reference reads it", arguments: samples)
    func replacements(text: [UInt8], dialect: JSONDocument.Dialect) {
        for place in text.indices {
            for byte in UInt8.min...UInt8.max where byte != text[place] {
                var changed = text
                changed[place] = byte
                check(changed, dialect)
            }
        }
    }

    @Test("every byte left out or doubled is read as the reference reads it", arguments: samples)
    func removals(text: [UInt8], dialect: JSONDocument.Dialect) {
        for place in text.indices {
            check(Array(text[..<place]) + text[(place + 1)...], dialect)
            check(Array(text[...place]) + text[place...], dialect)
        }
    }
}
