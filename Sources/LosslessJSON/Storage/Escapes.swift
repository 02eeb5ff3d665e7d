/// The escapes of JSON strings.
enum Escapes {
    /// Decodes the contents of a string that the scanner has accepted.
    static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                result.append(bytes[index])
                index += 1
                continue
            }
            if bytes[index + 1] == UInt8(ascii: "u") {
                result.append(contentsOf: UTF8.encode(scalar(bytes, &index))!)
            } else {
                result.append(meaning(of: bytes[index + 1]))
                index += 2
            }
        }
        return result
    }

    /// The scalar of a `\uXXXX` at `index`, or of a surrogate pair.
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Unicode.Scalar {
        var value = hex(bytes, index + 2)
        index += 6
        if value & 0xFC00 == 0xD800 {
            value = 0x1_0000 + (value & 0x3FF) << 10 + (hex(bytes, index + 2) & 0x3FF)
            index += 6
        }
        return Unicode.Scalar(value)!
    }

    private static func hex(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt32 {
        bytes[index..<index + 4].reduce(0) { $0 << 4 | hexDigit($1)! }
    }

    @inline(__always)
    static func hexDigit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    private static func meaning(of letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "r"): 0x0D
        default: letter
        }
    }

    /// Appends `bytes` as the contents of a JSON string, with only the escapes that RFC 8259 requires.
    static func appendEncoded(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        var plain = 0
        for index in bytes.indices {
            let byte = bytes[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            output.append(contentsOf: bytes[plain..<index])
            appendEscape(byte, to: &output)
            plain = index + 1
        }
        output.append(contentsOf: bytes[plain...])
    }

    private static func appendEscape(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0..<0x20:
            output.append(contentsOf: "u00".utf8)
            let digits = Array("0123456789abcdef".utf8)
            output.append(digits[Int(byte >> 4)])
            output.append(digits[Int(byte & 15)])
        default: output.append(byte)
        }
    }
}
