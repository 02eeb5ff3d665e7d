import LosslessJSON

/// What must be true of the library for any bytes whatever. A check that fails traps, with words for it.
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
            fatalError("what strict JSON accepts, the other dialect accepts")
        }
        require(lenient.value.description == strict.value.description, "and reads the same")
        require(lenient.warnings == strict.warnings, "and warns of the same")
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
            require(reference == nil, "what the reference accepts is accepted")
            examine(error, dialect)
            return nil
        case .success(let document):
            guard let reference else { fatalError("what the reference refuses is refused") }
            require(reference.agrees(with: document.value), "the value is the one the reference reads")
            examine(document, dialect)
            return document
        }
    }

    // MARK: Errors

    private func examine(_ error: JSONSyntaxError, _ dialect: JSONDocument.Dialect) {
        let place = error.position
        require((0...text.count).contains(place.offset), "a mistake is inside the text")
        let plain = ReferenceLocation(of: place.offset, in: text)
        require(place.line == plain.line && place.column == plain.column, "line and column are counted right")
        let excerpt = error.excerpt!
        require(excerpt.indentation <= excerpt.line.unicodeScalars.count, "the caret stands under the line")
        require(!excerpt.line.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "an excerpt has no control characters")
        require(!error.report(file: "x").isEmpty, "there are words for a mistake")
        if case .failure(let earlier) = read(Array(text[..<place.offset]), dialect) {
            require(earlier.code == .unexpectedEnd, "what stands before a mistake can be gone on with")
        }
    }

    // MARK: Documents

    private func examine(_ document: JSONDocument, _ dialect: JSONDocument.Dialect) {
        require(document.bytes == text, "a document keeps its text")
        require(document.warnings.count <= 100, "at most a hundred warnings are listed")
        for warning in document.warnings {
            require(warning.location.map { warning.earlier < $0 } == true, "the key that counts stands last")
            require(
                document.value[at: warning.path] != nil || document.warnings.count > 1, "a warning is about a value")
        }
        examinePrinting(of: document.value)
        examinePlaces(in: document, dialect)
        examineNextVersion(of: document)
    }

    private func examinePrinting(of value: JSON) {
        let compact = JSONPrinter(layout: .compact).bytes(value)
        for printed in [compact, JSONPrinter().bytes(value)] {
            guard case .success(let read) = read(printed, .json) else { fatalError("what is printed is JSON") }
            require(read.value == value, "what is printed reads back as the same value")
            require(read.value.hashValue == value.hashValue, "equal values have equal hashes")
            require(read.value.difference(from: value).isEmpty, "equal values do not differ")
            require(JSONPrinter(layout: .compact).bytes(read.value) == compact, "with order and spelling as they were")
            require(read.warnings.isEmpty, "what is printed has no repeated keys")
        }
    }

    private func examinePlaces(in document: JSONDocument, _ dialect: JSONDocument.Dialect) {
        for (path, value) in document.value.everything(atMost: 32) {
            guard let range = document.range(of: path), case .success(let part) = read(Array(text[range]), dialect)
            else {
                fatalError("every value has a place")
            }
            require(part.value == value, "the place of a value holds the value")
            require(part.range(of: "") == 0..<range.count, "and nothing else")
            require(document.location(of: path) == document.location(at: range.lowerBound), "where the value begins")
            require((try? JSONPointer(parsing: path.description)) == path, "a path can be written down")
            require(document.value[at: path] == value, "and leads back")
            if let key = document.locationOfKey(of: path) {
                require(text[key.offset] == UInt8(ascii: "\""), "a key begins with a quote")
            }
            examineViews(of: value)
        }
    }

    private func examineViews(of value: JSON) {
        switch value {
        case .number(let number):
            let spelling = number.spelling
            require(JSONNumber(spelling: spelling) == number, "a number is what it is spelled")
            if let int = Int(spelling) { require(number.int == int, "a whole number is exact") }
            if let double = number.double { require(double == Double(spelling), "the nearest double") }
            if let uint64 = number.uint64 { require(JSONNumber(uint64) == number, "a view is exact or says no") }
        case .object(let object):
            for (key, member) in object {
                require(object[key]?.isIdentical(to: member) == true, "a member is found by its key")
            }
            for (key, member) in object.prefix(4) {
                var copy = object
                copy[key] = nil
                require(copy.count == object.count - 1 && copy[key] == nil, "and can be removed")
                copy[key] = member
                require(copy == object, "and put back, at the end")
            }
        case .array(let array): require(JSONArray(array.reversed().reversed()) == array, "elements are in order")
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
            require(fresh == reparsed, "a next version has the mistakes of a new text")
        case (.success(let fresh), .success(let reparsed)):
            require(fresh.value == reparsed.value, "a next version means what a new text means")
            require(fresh.value.description == reparsed.value.description, "and is spelled like it")
            require(fresh.warnings == reparsed.warnings, "and warns of the same")
            let changes = reparsed.value.difference(from: document.value)
            require(changes.isEmpty == (reparsed.value == document.value), "only different values differ")
            for change in changes where change.kind != .removed {
                require(reparsed.value[at: change.path] == change.new, "a change says what is there now")
            }
        default: fatalError("a next version is accepted when a new text is")
        }
    }
}
