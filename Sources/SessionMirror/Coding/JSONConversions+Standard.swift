internal import FoundationEssentials
public import LosslessJSON

extension JSONConversions {
    /// Readable forms of Foundation's types.
    ///
    /// | type | in the file | |
    /// | --- | --- | --- |
    /// | `URL` | `"https://example.org/path"` | relative URLs are resolved against their base |
    /// | `Date` | `"2026-01-31T12:00:00.25Z"` | RFC 3339; any offset is accepted, UTC is written |
    /// | `Data` | `"aGVsbG8="` | Base64 |
    /// | `Decimal` | `0.10` | an exact number; a number that `Decimal` cannot represent is rejected, never rounded |
    ///
    /// A date keeps up to nine fractional digits, as far as `Date` can represent them: currently about 0.1 µs.
    public static let standard = {
        var conversions = JSONConversions()
        conversions.addURL()
        conversions.addDate()
        conversions.addData()
        conversions.addDecimal()
        return conversions
    }()

    private mutating func addURL() {
        add(URL.self) { url in
            JSON(url.absoluteString)
        } decode: { json in
            guard let url = json.string.flatMap({ URL(string: $0) }) else {
                throw JSONMismatch(expected: "a URL like https://example.org/path")
            }
            return url
        }
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
