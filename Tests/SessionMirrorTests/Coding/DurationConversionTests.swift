import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Duration conversion") struct DurationConversionTests {
    private let encoder = JSONValueEncoder(conversions: .standard)
    private let decoder = JSONValueDecoder(conversions: .standard)

    private func read(_ text: String) throws -> Duration { try decoder.decode(Duration.self, from: JSON(text)) }

    private func read(number: String) throws -> Duration {
        try decoder.decode(Duration.self, from: JSON(parsing: number))
    }

    private func write(_ duration: Duration) throws -> JSON { try encoder.encode(duration) }

    @Test(
        "A text of descending units is their exact sum",
        arguments: [
            ("0s", .zero), ("-0s", .zero), ("250ms", .milliseconds(250)), ("5s", .seconds(5)),
            ("1h30m", .seconds(5_400)),
            ("1.5s", .milliseconds(1_500)), ("2d", .seconds(172_800)), ("1h05m", .seconds(3_900)),
            ("90m", .seconds(5_400)), ("1d25h61m61s", .seconds(180_121)), ("0.1m", .seconds(6)),
            ("1h0.25s", .milliseconds(3_600_250)), ("7us", .microseconds(7)), ("7µs", .microseconds(7)),
            ("7μs", .microseconds(7)), ("-1m1ns", .nanoseconds(-60_000_000_001)),
            ("0.000000001ns", Duration(attoseconds: 1)),
            ("1.000000000000000001s", .seconds(1) + Duration(attoseconds: 1)),
            ("1d1h1m1s1ms1us1ns", .nanoseconds(90_061_001_001_001)), ("0007.50s", .milliseconds(7_500)),
        ] as [(String, Duration)])
    func texts(text: String, duration: Duration) throws { #expect(try read(text) == duration) }

    @Test(
        "A number is an exact count of seconds",
        arguments: [
            ("0", .zero), ("-0.0", .zero), ("5", .seconds(5)), ("0.25", .milliseconds(250)),
            ("-1.5", .milliseconds(-1_500)),
            ("1e3", .seconds(1_000)), ("2.5E-3", .microseconds(2_500)), ("1e-18", Duration(attoseconds: 1)),
            ("170141183460469231731.687303715884105727", Duration(attoseconds: .max)),
            ("-170141183460469231731.687303715884105728", Duration(attoseconds: .min)),
        ] as [(String, Duration)])
    func numbers(text: String, duration: Duration) throws { #expect(try read(number: text) == duration) }

    @Test(
        "Anything else is rejected with examples in the message",
        arguments: [
            #""""#, #""-""#, #""5""#, #""s""#, #"".5s""#, #""5.s""#, #""1..5s""#, #""1.5h30m""#, #""5 s""#, #"" 5s""#,
            #""5s ""#,
            #""30m1h""#, #""1s1s""#, #""1us1µs""#, #""+5s""#, #""--5s""#, #""1h-5m""#, #""5S""#, #""5sec""#, #""1w""#,
            #""1e3s""#,
            #""٥s""#, #""5s\u0301""#, #""5s\u0000""#, #""1ms0.0000000001ns""#, #""0.0000000000000000001s""#,
            #""1969226660422098d""#, #""170141183460469231731.687303715884105728s""#, "1e-19", "1e20000000000000000000",
            "170141183460469231731.687303715884105728", "-170141183460469231731.687303715884105729",
            "1e9223372036854775807",
            "-1e-9223372036854775808", "true", "[0, 5]", #"{"s": 1}"#,
        ])
    func rejected(text: String) throws {
        let json = try JSON(parsing: #"{"at": \#(text)}"#)
        let error = #expect(throws: JSONCodingError.self) { try decoder.decode([String: Duration].self, from: json) }
        let expected = #""at" must be a duration like 250ms, 5s or 1h30m, or a number of seconds, found "#
        #expect(error?.message.hasPrefix(expected) == true, "\(error?.message ?? "none")")
    }

    @Test(
        "A duration is encoded as days, hours and minutes, and the rest in the largest unit",
        arguments: [
            (.zero, "0s"), (.milliseconds(250), "250ms"), (.seconds(5), "5s"), (.seconds(5_400), "1h30m"),
            (.milliseconds(1_500), "1.5s"), (.seconds(172_800), "2d"), (.seconds(86_401), "1d1s"),
            (.milliseconds(62_500), "1m2.5s"), (.milliseconds(60_250), "1m250ms"), (.microseconds(1_500), "1.5ms"),
            (.nanoseconds(1_500), "1.5us"), (.nanoseconds(-7), "-7ns"), (.seconds(-90), "-1m30s"),
            (Duration(attoseconds: 1), "0.000000001ns"),
            (.seconds(1) + Duration(attoseconds: 1), "1.000000000000000001s"),
            (.seconds(100), "1m40s"), (.seconds(36_000), "10h"),
            (Duration(attoseconds: .max), "1969226660422097d14h8m51.687303715884105727s"),
            (Duration(attoseconds: .min), "-1969226660422097d14h8m51.687303715884105728s"),
        ] as [(Duration, String)])
    func encoding(duration: Duration, text: String) throws {
        #expect(try write(duration) == JSON(text))
        #expect(try read(text) == duration)
    }

    @Test("A random duration is unchanged by encoding and decoding", arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<2_000 {
            let bits = Int128.random(in: .min...(.max), using: &random) >> Int128(random.below(128))
            // Multiples of a unit have fewer digits.
            let unit: Int128 = random.pick([1, 1_000_000_000, 1_000_000_000_000_000, 60_000_000_000_000_000_000])
            let duration = Duration(attoseconds: bits / unit * unit)
            #expect(try decoder.decode(Duration.self, from: write(duration)) == duration, "seed \(seed), \(duration)")
        }
    }

    @Test("A long text or number is rejected or decoded, and leaves no room for quadratic work")
    func long() throws {
        let digits = String(repeating: "9", count: 200_000)
        for text in [digits + "s", "0." + digits + "s", "5" + digits.replacing("9", with: "s"), "1" + digits] {
            #expect(throws: JSONCodingError.self) { try read(text) }
        }
        for number in [digits, "0." + digits, "1e" + digits] {
            #expect(throws: JSONCodingError.self) { try read(number: number) }
        }
        let zeros = String(repeating: "0", count: 200_000)
        #expect(try read("\(zeros)5.\(zeros)s") == .seconds(5))
        #expect(try read(number: "5.\(zeros)") == .seconds(5))
    }
}
