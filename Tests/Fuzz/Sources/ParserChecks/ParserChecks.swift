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
        checks.require(lenient.value.description == strict.value.description, "and reads the same")
        checks.require(lenient.warnings == strict.warnings, "and warns of the same")
    }

    private func require(_ condition: Bool, _ statement: String) {
        if !condition { fatalError(statement) }  // unlike a precondition it says so in an optimised build too
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
        examineEditing(of: document, dialect)
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

    // MARK: Edits

    private func examineEditing(of document: JSONDocument, _ dialect: JSONDocument.Dialect) {
        for (path, value) in document.value.everything(atMost: 8) {
            for change in changes(of: value, at: path) {
                guard let edited = try? document.applying([change]) else { fatalError("what is there can be edited") }
                require((try? document.value.applying([change])) == edited.value, "a text is edited like its value")
                requireAgreement(edited, dialect)
                guard let undone = try? edited.applying(document.value.difference(from: edited.value)) else {
                    fatalError("an edit can be undone")
                }
                require(undone.value == document.value, "and leads back")
                requireAgreement(undone, dialect)
            }
        }
        examineFormatting(of: document, dialect)
    }

    private func changes(of value: JSON, at path: JSONPointer) -> [JSONChange] {
        var changes = [JSONChange(at: path, from: value, to: ["fuzz": [1, "\\u0000"]])]
        if !path.isRoot { changes.append(JSONChange(at: path, from: value, to: nil)) }
        if let array = value.array {
            changes += [0, array.count].map { JSONChange(at: path.appending($0), from: nil, to: [:]) }
        }
        if let object = value.object {
            var key = "fuzz"
            while object[key] != nil as JSON? { key += "z" }
            changes.append(JSONChange(at: path.appending(key), from: nil, to: [[]]))
        }
        return changes.filter { $0.new.map { _ in path.tokens.count < 500 } ?? true }
    }

    private func requireAgreement(_ document: JSONDocument, _ dialect: JSONDocument.Dialect) {
        guard case .success(let read) = read(document.bytes, dialect) else { fatalError("an edited text is valid") }
        require(read.value.description == document.value.description, "and says what its value is")
        require(read.warnings == document.warnings, "and warns of the same")
    }

    private func examineFormatting(of document: JSONDocument, _ dialect: JSONDocument.Dialect) {
        guard let formatted = try? document.formatted() else { fatalError("a text can be laid out") }
        requireAgreement(formatted, dialect)
        require(formatted.value.description == document.value.description, "and means the same")
        require((try? formatted.formatted())?.bytes == formatted.bytes, "and is laid out then")
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
        require(formatted.bytes.filter { !isBlank($0) } == text.filter { !isBlank($0) }, "nothing but space differs")
    }
}
