import LosslessJSON

extension JSON {
    /// The value on one line with its types: numbers as spelled after `#`, strings as the hexadecimal digits
    /// of their bytes after a quote. `dump.py` produces the same output.
    var canonicalDump: String {
        switch self {
        case .null: "null"
        case .bool(let bool): bool ? "true" : "false"
        case .number(let number): "#" + number.spelling
        case .string(let string): JSON.hexadecimal(string.string)
        case .array(let array): "[" + array.map(\.canonicalDump).joined(separator: ",") + "]"
        case .object(let object):
            "{" + object.map { JSON.hexadecimal($0) + ":" + $1.canonicalDump }.joined(separator: ",") + "}"
        }
    }

    private static func hexadecimal(_ string: String) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: [UInt8(ascii: "\"")] + string.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self)
    }
}
