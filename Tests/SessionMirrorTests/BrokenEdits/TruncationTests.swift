import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("A file that is cut off") struct TruncationTests {
    private static let sample = """
        // Where it listens.
        {
          "http": { "port": 9090, "tls": true, "host": "café" }, /* two
             lines */
          "ratios": [0.5, -1e3, 0],
          "text": "a \\"b\\" \\u00e9 → \\n",
          "off": false, "none": null,
        } // the end

        """

    /// What makes sense only whole: where it is cut, its beginning is the place. Everywhere else the end is.
    private static let wholes = ["/* two\n     lines */", "//", "true", "false", "null", "é", "→"]

    @Test("at whichever byte, the last good value stays, the place is told, and the rest arrives") func everywhere()
        throws
    {
        let folder = try TemporaryFolder(in: ScenarioPlace.parent)
        let (bytes, lastGood) = (Array(Self.sample.utf8), JSON.object(["http": ["port": 1]]))
        let whole = try JSON(parsing: bytes)
        for count in bytes.indices { try folder.write("\(count).json", #"{ "http": { "port": 1 } }"#) }
        var options = SessionOptions()
        // The disk may keep a writer waiting between emptying the file and writing it.
        options.settlingTime = .seconds(1)
        options.settlingLimit = .seconds(30)
        let onlookers = try bytes.indices.map {
            Onlooker(try Session<JSON>([:], at: folder.path(of: "\($0).json"), options: options))
        }
        for count in bytes.indices { try folder.write("\(count).json", Array(bytes[..<count])) }
        for (count, onlooker) in onlookers.enumerated() {
            if let place = Self.place(ofCutAt: count) {
                eventually("byte \(count): the problem is told") { onlooker.problems.count == 1 }
                #expect(onlooker.problems.first?.code == .syntax, "byte \(count)")
                #expect(onlooker.problems.first?.location?.description == place, "byte \(count)")
                #expect(onlooker.session[\.self] == lastGood, "byte \(count)")
                #expect(onlooker.changes.count == 0, "byte \(count)")
            } else {
                eventually("byte \(count): all that counts is there") {
                    onlooker.isUpToDate && onlooker.changes.count == 1
                }
                #expect(onlooker.session[\.self] == whole, "byte \(count)")
            }
        }
        for count in bytes.indices { try folder.write("\(count).json", bytes) }
        for (count, onlooker) in onlookers.enumerated() {
            eventually("byte \(count): the repair arrives") { onlooker.changes.items.last?.new == whole }
            eventually("byte \(count): and is told") { onlooker.recoveries == onlooker.problems }
            #expect(onlooker.session.mirror.status.content == .good, "byte \(count)")
            onlooker.checkChain()
        }
    }

    /// Line and column, counted anew; nil where the rest does not matter.
    private static func place(ofCutAt count: Int) -> String? {
        let bytes = Array(sample.utf8)
        let cut = wholes.flatMap { ranges(of: Array($0.utf8), in: bytes) }.first {
            $0.lowerBound < count && count < $0.upperBound
        }
        if count > bytes.lastIndex(of: UInt8(ascii: "}"))!, cut == nil { return nil }
        let before = String(decoding: bytes[..<(cut?.lowerBound ?? count)], as: UTF8.self)
        let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
        return "\(lines.count):\(lines.last!.count + 1)"
    }

    private static func ranges(of part: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
        bytes.indices.filter { bytes[$0...].starts(with: part) }.map { $0..<$0 + part.count }
    }
}
