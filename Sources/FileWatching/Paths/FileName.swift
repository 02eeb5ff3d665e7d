/// One component of a path, byte for byte: names of files need not be UTF-8, and `String` takes the composed and the
/// decomposed é for one name, while they are two files.
struct FileName: Sendable {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    static let here = FileName(".".utf8)
    static let above = FileName("..".utf8)
}

extension FileName: Hashable {
    static func == (a: FileName, b: FileName) -> Bool { a.bytes == b.bytes }

    // The default feeds the hasher byte by byte, which costs several times as much.
    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension FileName: ExpressibleByStringLiteral, CustomStringConvertible {
    init(stringLiteral text: String) { self.init(text.utf8) }

    var description: String { String(decoding: bytes, as: UTF8.self) }
}
