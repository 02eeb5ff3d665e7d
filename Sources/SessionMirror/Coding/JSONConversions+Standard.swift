internal import FoundationEssentials
public import LosslessJSON

extension JSONConversions {
    /// Readable forms of durations and of Foundation's types.
    ///
    /// | type | in the file | |
    /// | --- | --- | --- |
    /// | `Duration` | `"1h30m"` | units `d` (24 hours), `h`, `m`, `s`, `ms`, `us` or `µs`, `ns`; or a number of seconds |
    /// | `URL` | `"https://example.org/path"` | a URL with a scheme, or an absolute path |
    /// | `Date` | `"2026-01-31T12:00:00.25Z"` | RFC 3339; any offset is accepted, UTC is written |
    /// | `Data` | `"aGVsbG8="` | Base64 |
    /// | `Decimal` | `0.10` | an exact number; a number that `Decimal` cannot represent is rejected, never rounded |
    ///
    /// The units of a duration descend, and the last may have a fraction: `"250ms"`, `"1.5s"`, `"-2d"`. A duration is
    /// exact; one finer than an attosecond or out of range is rejected. A session writes a duration as a number of
    /// seconds where the file has a number.
    ///
    /// A URL contains neither spaces nor other invalid characters; non-ASCII ones are percent-encoded. A URL that is
    /// relative to a base is written as its absolute URL; one without a base that is no absolute path cannot be
    /// written.
    ///
    /// A date keeps up to nine fractional digits, as far as `Date` can represent them: currently about seven.
    public static let standard = {
        var conversions = JSONConversions()
        conversions.addDuration()
        conversions.addURL()
        conversions.addDate()
        conversions.addData()
        conversions.addDecimal()
        return conversions
    }()

    private mutating func addDuration() {
        add(Duration.self) { duration in
            JSON(DurationForm.text(of: duration))
        } decode: { json in
            let duration =
                json.string.flatMap { DurationForm.duration(of: $0) }
                ?? json.number.flatMap { DurationForm.duration(ofSeconds: $0) }
            guard let duration else {
                throw JSONMismatch(expected: "a duration like 250ms, 5s or 1h30m, or a number of seconds")
            }
            return duration
        }
    }

    private mutating func addURL() {
        add(URL.self) { url in
            let text = url.absoluteString
            guard JSONConversions.url(text)?.absoluteString == text else {
                throw JSONMismatch(expected: "a URL like https://example.org/path")
            }
            return JSON(text)
        } decode: { json in
            guard let url = json.string.flatMap(JSONConversions.url) else {
                throw JSONMismatch(expected: "a URL like https://example.org/path")
            }
            return url
        }
    }

    /// Foundation takes any text for a relative URL, once it has encoded the invalid characters.
    private static func url(_ text: String) -> URL? {
        guard let url = URL(string: text, encodingInvalidCharacters: false) else { return nil }
        // The path //a/b would be the host a with the path /b.
        let isAbsolutePath = text.hasPrefix("/") && !text.hasPrefix("//")
        return isAbsolutePath || url.scheme?.isEmpty == false ? url : nil
    }

    private mutating func addDate() {
        add(Date.self) { date in
            guard let text = RFC3339.text(of: date) else {
                throw JSONMismatch(expected: "a date between the years 0 and 9999")
            }
            return JSON(text)
        } decode: { json in
            guard let date = json.string.flatMap({ RFC3339.date(from: $0) }) else {
                throw JSONMismatch(expected: "a date like 2026-01-31T12:00:00Z")
            }
            return date
        }
    }

    private mutating func addData() {
        add(Data.self) { data in
            JSON(data.base64EncodedString())
        } decode: { json in
            // Foundation decodes "====" to one byte, so the text must equal what it would encode.
            guard let text = json.string, let data = Data(base64Encoded: text),
                data.base64EncodedString() == text
            else { throw JSONMismatch(expected: "bytes in Base64, like aGVsbG8=") }
            return data
        }
    }

    private mutating func addDecimal() {
        add(Decimal.self) { decimal in
            guard let number = JSONNumber(spelling: decimal.description) else {
                throw JSONMismatch(expected: "a number")
            }
            return .number(number)
        } decode: { json in
            // Foundation rounds a number that it cannot represent.
            guard let number = json.number, let decimal = Decimal(string: number.spelling),
                JSONNumber(spelling: decimal.description) == number
            else { throw JSONMismatch(expected: "a number of at most 38 digits") }
            return decimal
        }
    }
}
