import LosslessJSON

/// Invariants of the library for arbitrary input. A failed check traps and names the failure.
package struct ParserChecks {
    private let text: [UInt8]

    /// Checks everything about one text.
    package static func run(_ text: [UInt8]) {
        let checks = ParserChecks(text: text)
        guard let strict = checks.examine(.json) else {
            _ = checks.examine(.jsonc)
            return
        }
        guard case .success(let lenient) = checks.read(text, .jsonc) else {
            fatalError("JSONC rejects a text that strict JSON accepts")
        }
        require(lenient.value.description == strict.value.description, "the dialects read different values")
        require(lenient.warnings == strict.warnings, "the dialects have different warnings")
    }

    private func read(_ text: [UInt8], _ dialect: JSONDocument.Dialect) -> Result<JSONDocument, JSONSyntaxError> {
        Result { () throws(JSONSyntaxError) in
            try JSONDocument(parsing: text, options: JSONDocument.Options(dialect: dialect))
        }
    }

    private func examine(_ dialect: JSONDocument.Dialect) -> JSONDocument? {
        let reference = ReferenceJSON(parsing: text, isLenient: dialect == .jsonc)
        switch read(text, dialect) {
        case .failure(let error):
            require(reference == nil, "a text that the reference accepts is rejected")
            examine(error, dialect)
            return nil
        case .success(let document):
            guard let reference else { fatalError("a text that the reference rejects is accepted") }
            require(reference.agrees(with: document.value), "the value differs from that of the reference")
            examine(document, dialect)
            return document
        }
    }

    // MARK: Errors

    private func examine(_ error: JSONSyntaxError, _ dialect: JSONDocument.Dialect) {
        let place = error.position
        require((0...text.count).contains(place.offset), "an error is outside the text")
        let plain = ReferenceLocation(of: place.offset, in: text)
        require(place.line == plain.line && place.column == plain.column, "the line or column of an error is wrong")
        let excerpt = error.excerpt!
        require(excerpt.indentation <= excerpt.line.unicodeScalars.count, "the caret is beyond the end of the line")
        require(!excerpt.line.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "an excerpt contains control characters")
        require(!error.report(file: "x").isEmpty, "an error has no report")
        if case .failure(let earlier) = read(Array(text[..<place.offset]), dialect) {
            require(earlier.code == .unexpectedEnd, "the text before an error has an earlier error")
        }
    }

    // MARK: Documents

    private func examine(_ document: JSONDocument, _ dialect: JSONDocument.Dialect) {
        require(document.bytes == text, "a document changed its text")
        require(document.warnings.count <= 100, "more than a hundred warnings are listed")
        for warning in document.warnings {
            require(
                warning.location.map { warning.earlier < $0 } == true, "a warning is not located after the earlier key")
            require(
                document.value[at: warning.path] != nil || document.warnings.count > 1,
                "the path of the only warning has no value")
        }
        examinePrinting(of: document.value)
        examineRanges(in: document, dialect)
        examineNextVersion(of: document)
    }

    private func examinePrinting(of value: JSON) {
        let compact = JSONPrinter(layout: .compact).bytes(value)
        for printed in [compact, JSONPrinter().bytes(value)] {
            guard case .success(let read) = read(printed, .json) else { fatalError("a printed text is not JSON") }
            require(read.value == value, "a printed text reads as a different value")
            require(read.value.hashValue == value.hashValue, "equal values have different hashes")
            require(read.value.difference(from: value).isEmpty, "equal values have a difference")
            require(
                JSONPrinter(layout: .compact).bytes(read.value) == compact, "printing changed the order or the spelling"
            )
            require(read.warnings.isEmpty, "a printed text has repeated keys")
        }
    }

    private func examineRanges(in document: JSONDocument, _ dialect: JSONDocument.Dialect) {
        for (path, value) in document.value.everything(atMost: 32) {
            guard let range = document.range(of: path), case .success(let part) = read(Array(text[range]), dialect)
            else {
                fatalError("a value has no valid range")
            }
            require(part.value == value, "the range of a value contains a different value")
            require(part.range(of: "") == 0..<range.count, "the range of a value contains more than the value")
            require(
                document.location(of: path) == document.location(at: range.lowerBound),
                "the location of a value is not the beginning of its range")
            require(
                (try? JSONPointer(parsing: path.description)) == path, "a path does not survive printing and parsing")
            require(document.value[at: path] == value, "a path leads to a different value")
            if let key = document.locationOfKey(of: path) {
                require(text[key.offset] == UInt8(ascii: "\""), "the location of a key has no quote")
            }
            examineViews(of: value)
        }
    }

    private func examineViews(of value: JSON) {
        switch value {
        case .number(let number):
            let spelling = number.spelling
            require(JSONNumber(spelling: spelling) == number, "a number differs from its spelling")
            if let int = Int(spelling) { require(number.int == int, "a whole number is inexact") }
            if let double = number.double { require(double == Double(spelling), "a number is not the nearest double") }
            if let uint64 = number.uint64 { require(JSONNumber(uint64) == number, "a converted number is inexact") }
        case .object(let object):
            for (key, member) in object {
                require(object[key]?.isIdentical(to: member) == true, "a member is not found by its key")
            }
            for (key, member) in object.prefix(4) {
                var copy = object
                copy[key] = nil
                require(copy.count == object.count - 1 && copy[key] == nil, "a member cannot be removed")
                copy[key] = member
                require(copy == object, "a removed member cannot be added again")
            }
        case .array(let array):
            require(JSONArray(array.reversed().reversed()) == array, "the elements are not in order")
        case .null, .bool, .string: break
        }
    }

    private func examineNextVersion(of document: JSONDocument) {
        var random = RandomJSON(seed: text.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        let next = random.mutated(text)
        let fresh = read(next, document.options.dialect)
        let reparsed = Result { () throws(JSONSyntaxError) in try document.reparsed(next) }
        switch (fresh, reparsed) {
        case (.failure(let fresh), .failure(let reparsed)):
            require(fresh == reparsed, "reparsing and parsing have different errors")
        case (.success(let fresh), .success(let reparsed)):
            require(fresh.value == reparsed.value, "reparsing and parsing have different values")
            require(
                fresh.value.description == reparsed.value.description, "reparsing and parsing have different spellings")
            require(fresh.warnings == reparsed.warnings, "reparsing and parsing have different warnings")
            let changes = reparsed.value.difference(from: document.value)
            require(changes.isEmpty == (reparsed.value == document.value), "the difference of two versions is wrong")
            for change in changes where change.kind != .removed {
                require(reparsed.value[at: change.path] == change.new, "a change has the wrong new value")
            }
        default: fatalError("only one of reparsing and parsing accepts a text")
        }
    }
}
