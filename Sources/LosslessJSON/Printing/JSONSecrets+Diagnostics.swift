internal import VisibleText

// Errors and warnings without secrets.
extension JSONSecrets {
    /// Returns the error without anything quoted from the text: where a text is not valid JSON, its secrets are
    /// unknown.
    public func redacting(_ error: JSONSyntaxError) -> JSONSyntaxError {
        if isEmpty { return error }
        var redacted = error
        redacted.excerpt = nil
        if error.isFoundQuoted {
            redacted.found = JSONSecrets.shownPlaceholder
            if error.hint?.contains(error.found) ?? false { redacted.hint = nil }
        }
        return redacted
    }

    /// Returns the warning without its excerpt: duplicates of secrets that are ignored have no path.
    public func redacting(_ warning: JSONWarning) -> JSONWarning {
        if isEmpty { return warning }
        var redacted = warning
        redacted.excerpt = nil
        return redacted
    }

    /// Returns the error with every secret replaced in its message and its excerpt. ``JSONCodingError/underlying``
    /// stays.
    ///
    /// - Parameters:
    ///   - error: An error of decoding `document`.
    ///   - document: The document.
    public func redacting(_ error: JSONCodingError, in document: JSONDocument) -> JSONCodingError {
        if isEmpty { return error }
        var redacted = redacting(error, in: document.value)
        if error.excerpt != nil { redacted.excerpt = excerpt(of: error.path, in: document) }
        return redacted
    }

    /// Returns the error with every secret replaced in its message. ``JSONCodingError/underlying`` stays.
    ///
    /// - Parameters:
    ///   - error: An error of decoding `value`.
    ///   - value: The whole value.
    public func redacting(_ error: JSONCodingError, in value: JSON) -> JSONCodingError {
        if isEmpty { return error }
        var redacted = error
        redacted.message = redacting(error.message, in: value)
        redacted.excerpt = nil
        return redacted
    }

    /// Returns a message about a value, on one line, in which every secret of the value is replaced, also if it is
    /// truncated or escaped.
    ///
    /// For messages of other code, which may quote values. Numbers, Booleans and strings of fewer than four characters
    /// are replaced only where no letter or digit adjoins.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - value: The whole value.
    public func redacting(_ message: String, in value: JSON) -> String {
        if isEmpty { return message }
        let secrets = redacting(value).difference(from: value).compactMap(\.old)
        let message = message.visible
        guard let texts = SecretText.list(of: secrets, upTo: message.unicodeScalars.count) else {
            return JSONSecrets.shownPlaceholder
        }
        return texts.reduce(message) { message, text in
            text.replaced(in: message, by: JSONSecrets.shownPlaceholder)
        }
    }

    /// Returns the line with the value at `path`, in which secrets are replaced; nil if it may contain others.
    package func excerpt(of path: JSONPointer, in document: JSONDocument) -> JSONExcerpt? {
        if isEmpty { return document.excerpt(at: document.nearestLocation(of: path).offset) }
        // Neither duplicates that are ignored nor comments beside a secret are part of the value.
        guard !contains(path), document.warnings.isEmpty else { return nil }
        let changes = redacting(document.value).difference(from: document.value)
        guard let redacted = try? document.applying(changes) else { return nil }
        return redacted.excerpt(at: redacted.nearestLocation(of: path).offset)
    }

    fileprivate static let shownPlaceholder = "<redacted>"
}

extension JSONSyntaxError {
    /// Whether ``found`` is part of the text rather than a description such as `a line end`.
    fileprivate var isFoundQuoted: Bool { found.contains("\"") || found.contains("\\") || found.contains("0x") }
}

/// A form in which a secret may occur in a message.
private struct SecretText {
    private let scalars: [Unicode.Scalar]
    /// The number of scalars that identify the text; what follows may be truncated.
    private let requiredCount: Int
    private let isWholeWord: Bool

    /// The most values whose texts are searched.
    private static let limit = 1_000

    /// The forms of all scalar values inside of `secrets`, truncated to `count` scalars; nil if there are too many.
    static func list(of secrets: [JSON], upTo count: Int) -> [SecretText]? {
        var remaining = secrets
        var texts: [SecretText] = []
        var visited = 0
        while let value = remaining.popLast() {
            visited += 1
            if visited + remaining.count > limit { return nil }
            switch value {
            case .object(let members):
                if members.count > limit { return nil }
                remaining += members.values
            case .array(let elements):
                if elements.count > limit { return nil }
                remaining += elements
            case .null: break
            case .bool, .number: texts.append(SecretText(value.text(upTo: count), isWholeWord: true))
            case .string(let contents):
                let quoted = value.text(upTo: count + 2)
                let escaped = quoted.dropFirst().dropLast()
                let plain = String(contents.string.unicodeScalars.prefix(count)).visible
                texts += [quoted, plain, String(escaped)].map { SecretText($0, isWholeWord: $0.utf8.count < 4) }
            }
        }
        return texts.filter { !$0.scalars.isEmpty }
    }

    private init(_ text: String, isWholeWord: Bool) {
        scalars = Array(text.unicodeScalars)
        requiredCount = min(scalars.count, 16)
        self.isWholeWord = isWholeWord
    }

    func replaced(in message: String, by placeholder: String) -> String {
        let message = Array(message.unicodeScalars)
        var result = String.UnicodeScalarView()
        var index = 0
        while index < message.count {
            let end = index + message[index...].commonPrefixCount(with: scalars)
            if end - index >= requiredCount, !isWholeWord || message.isWord(index..<end) {
                result += placeholder.unicodeScalars
                index = end
            } else {
                result.append(message[index])
                index += 1
            }
        }
        return String(result)
    }
}

extension ArraySlice<Unicode.Scalar> {
    fileprivate func commonPrefixCount(with other: [Unicode.Scalar]) -> Int {
        zip(self, other).prefix { $0 == $1 }.count
    }
}

extension [Unicode.Scalar] {
    /// Whether neither a letter nor a digit precedes or follows the range.
    fileprivate func isWord(_ range: Range<Int>) -> Bool {
        func isBoundary(_ index: Int) -> Bool {
            !indices.contains(index)
                || !(self[index].properties.isAlphabetic || self[index].properties.numericType != nil)
        }
        return isBoundary(range.lowerBound - 1) && isBoundary(range.upperBound)
    }
}
