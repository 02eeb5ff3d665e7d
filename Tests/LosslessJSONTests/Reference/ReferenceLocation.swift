/// The line and column of a byte, computed by counting the decoded scalars before it.
struct ReferenceLocation: Equatable {
    private(set) var line = 1
    private(set) var column = 1

    init(of offset: Int, in text: [UInt8]) {
        let hasMark = text.starts(with: [0xEF, 0xBB, 0xBF])
        let before = text[..<offset].dropFirst(hasMark ? 3 : 0)
        let scalars = Array(String(decoding: before, as: UTF8.self).unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isLast = index + 1 == scalars.count
            let isBeforeLineFeed = isLast ? text[offset...].first == 0x0A : scalars[index + 1] == "\n"
            if scalar == "\n" || (scalar == "\r" && !isBeforeLineFeed) {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
    }
}
