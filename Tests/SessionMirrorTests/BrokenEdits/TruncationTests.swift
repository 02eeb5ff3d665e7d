import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Truncated files") struct TruncationTests {
    private static let sample = """
        // The port.
        {
          "http": { "port": 9090, "tls": true, "host": "café" }, /* two
             lines */
          "ratios": [0.5, -1e3, 0],
          "text": "a \\"b\\" \\u00e9 → \\n",
          "off": false, "none": null,
        } // the end

        """

    /// Tokens that are reported at their beginning if they are truncated. All others are reported at their end.
    private static let reportedAtBeginning = ["/* two\n     lines */", "//", "true", "false", "null", "é", "→"]

    @Test("Truncation at any byte is reported with its location and keeps the last valid value") func everywhere()
        throws
    {
        let folder = try TemporaryFolder(in: ScenarioEnvironment.parent)
        let (bytes, lastGood) = (Array(Self.sample.utf8), JSON.object(["http": ["port": 1]]))
        let whole = try JSON(parsing: bytes)
        for count in bytes.indices { try folder.write("\(count).json", #"{ "http": { "port": 1 } }"#) }
        var options = SessionOptions()
        // The disk may delay a writer between truncating the file and writing it.
        options.settlingTime = .seconds(1)
        options.settlingLimit = .seconds(30)
        let observers = try bytes.indices.map {
            SessionObserver(try Session<JSON>([:], at: folder.path(of: "\($0).json"), options: options))
        }
        for count in bytes.indices { try folder.write("\(count).json", Array(bytes[..<count])) }
        for (count, observer) in observers.enumerated() {
            if let place = Self.place(ofCutAt: count) {
                eventually("byte \(count): the problem is reported") { observer.problems.count == 1 }
                #expect(observer.problems.first?.code == .syntax, "byte \(count)")
                #expect(observer.problems.first?.location?.description == place, "byte \(count)")
                #expect(observer.session[\.self] == lastGood, "byte \(count)")
                #expect(observer.changes.count == 0, "byte \(count)")
            } else {
                eventually("byte \(count): the complete value is loaded") {
                    observer.isUpToDate && observer.changes.count == 1
                }
                let hasValue = bytes[..<count].contains(UInt8(ascii: "{"))
                #expect(observer.session[\.self] == (hasValue ? whole : [:]), "byte \(count)")
            }
        }
        for count in bytes.indices { try folder.write("\(count).json", bytes) }
        for (count, observer) in observers.enumerated() {
            eventually("byte \(count): the repair is loaded") { observer.changes.items.last?.new == whole }
            eventually("byte \(count): the repair is reported") { observer.recoveries == observer.problems }
            #expect(observer.session.mirror.status.content == .good, "byte \(count)")
            observer.checkChain()
        }
    }

    /// The expected line and column, counted independently; nil if the missing rest does not matter, or if there is no
    /// value before it.
    private static func place(ofCutAt count: Int) -> String? {
        let bytes = Array(sample.utf8)
        let cut = reportedAtBeginning.flatMap { ranges(of: Array($0.utf8), in: bytes) }.first {
            $0.lowerBound < count && count < $0.upperBound
        }
        if count > bytes.lastIndex(of: UInt8(ascii: "}"))!, cut == nil { return nil }
        if count <= bytes.firstIndex(of: UInt8(ascii: "{"))!, cut == nil { return nil }
        // The end of a text is reported after its last character, that of a string where it is cut.
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
        let quoteCount = bytes[..<count].filter { $0 == UInt8(ascii: "\"") }.count
        let last = quoteCount.isMultiple(of: 2) ? bytes[..<count].lastIndex { !isSpace($0) } : nil
        let end = cut?.lowerBound ?? last.map { $0 + 1 } ?? count
        let before = String(decoding: bytes[..<end], as: UTF8.self)
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        return "\(lines.count):\(lines.last!.count + 1)"
    }

    private static func ranges(of part: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
        bytes.indices.filter { bytes[$0...].starts(with: part) }.map { $0..<$0 + part.count }
    }
}
