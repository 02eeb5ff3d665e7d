/// Base64 of RFC 4648 with padding, as the gateway writes bytes.
enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The value of each digit; 0xFF for other bytes.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        let count = (bytes.count + 2) / 3 * 4
        return [UInt8](unsafeUninitializedCapacity: count) { output, initializedCount in
            // Pointers, because a value can have a megabyte: each index below is less than the count of its buffer.
            bytes.withUnsafeBufferPointer { input in
                digits.withUnsafeBufferPointer { digits in
                    var (from, to) = (0, 0)
                    while from < input.count {
                        let rest = input.count - from
                        let second = rest > 1 ? input[from + 1] : 0
                        let third = rest > 2 ? input[from + 2] : 0
                        let group = Int(input[from]) << 16 | Int(second) << 8 | Int(third)
                        output[to] = digits[group >> 18]
                        output[to + 1] = digits[group >> 12 & 63]
                        output[to + 2] = rest > 1 ? digits[group >> 6 & 63] : UInt8(ascii: "=")
                        output[to + 3] = rest > 2 ? digits[group & 63] : UInt8(ascii: "=")
                        from += 3
                        to += 4
                    }
                }
            }
            initializedCount = count
        }
    }

    /// Returns nil if the text is not base64.
    static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode($0) }
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        if text.isEmpty { return [] }
        let padding = text[text.count - 1] != UInt8(ascii: "=") ? 0 : text[text.count - 2] != UInt8(ascii: "=") ? 1 : 2
        let count = text.count / 4 * 3 - padding
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { output, initializedCount in
            values.withUnsafeBufferPointer { values in
                var to = 0
                for from in stride(from: 0, to: text.count, by: 4) {
                    let isLast = from + 4 == text.count
                    var group = 0
                    for index in 0..<4 {
                        let isPadding = isLast && index >= 4 - padding
                        let value = isPadding ? 0 : values[Int(text[from + index])]
                        if value == 0xFF { isValid = false }
                        group = group << 6 | Int(value & 63)
                    }
                    for shift in [16, 8, 0] where to < count {
                        output[to] = UInt8(truncatingIfNeeded: group >> shift)
                        to += 1
                    }
                }
            }
            initializedCount = count
        }
        return isValid ? bytes : nil
    }
}
