import Foundation
import Glibc
import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Date conversion")
struct DateConversionTests {
    private let encoder = JSONValueEncoder(conversions: .standard)
    private let decoder = JSONValueDecoder(conversions: .standard)

    private func read(_ text: String) throws -> Date { try decoder.decode(Date.self, from: JSON(text)) }

    private func write(_ date: Date) throws -> String { try #require(try encoder.encode(date).string) }

    @Test(
        "An RFC 3339 date with any offset decodes to its instant",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-01-31T12:00:00Z", 1_769_860_800),
            ("2026-01-31T12:00:00z", 1_769_860_800),
            ("2026-01-31t12:00:00Z", 1_769_860_800), ("2026-01-31 12:00:00Z", 1_769_860_800),
            ("2026-01-31T13:30:00+01:30", 1_769_860_800), ("2026-01-30T23:00:00-13:00", 1_769_860_800),
            ("2026-01-31T12:00:00-00:00", 1_769_860_800), ("2026-01-31T12:00:00.000Z", 1_769_860_800),
            ("2024-02-29T00:00:00Z", 1_709_164_800), ("2000-02-29T00:00:00Z", 951_782_400),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            // leap seconds, in UTC and with an offset
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("2017-01-01T00:59:60+01:00", 1_483_228_800),
        ])
    func reading(text: String, seconds: Int) throws {
        #expect(try read(text) == Date(timeIntervalSince1970: Double(seconds)))
    }

    @Test(
        "A string that is not an RFC 3339 date is rejected with an example in the message",
        arguments: [
            "", "now", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31T12:00Z", "2026-01-31T12:00:00.Z",
            "2026-01-31T12:00:00,5Z", "2026-1-31T12:00:00Z", "26-01-31T12:00:00Z", "+2026-01-31T12:00:00Z",
            "-001-01-31T12:00:00Z", "12026-01-31T12:00:00Z", "2026-00-31T12:00:00Z", "2026-13-31T12:00:00Z",
            "2026-01-00T12:00:00Z", "2026-01-32T12:00:00Z", "2026-02-29T12:00:00Z", "1900-02-29T12:00:00Z",
            "2026-04-31T12:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:61Z",
            "2026-01-31T12:00:60Z", "2016-12-31T23:59:60+01:00", "2026-01-31T12:00:00+24:00",
            "2026-01-31T12:00:00+01:60", "2026-01-31T12:00:00+0100", "2026-01-31T12:00:00+01", "2026-01-31T12:00:00 Z",
            "2026-01-31T12:00:00Z ", " 2026-01-31T12:00:00Z", "2026-01-31T12:00:00ZZ", "2026-01-31T12:00:00.1.2Z",
            "2026-01-31T1２:00:00Z", "2026/01/31T12:00:00Z", "2026-01-31_12:00:00Z", "2026-01-31T12:00:00é",
        ])
    func rejected(text: String) {
        let error = #expect(throws: JSONCodingError.self) { try decoder.decode([Date].self, from: [JSON(text)]) }
        #expect(
            error?.message.hasPrefix(#""0" must be a date like 2026-01-31T12:00:00Z, found "\#(text.prefix(5))"#)
                == true)
    }

    @Test(
        "A value that is not a string is rejected as a date",
        arguments: [1_769_860_800 as JSON, true, ["2026-01-31T12:00:00Z"]])
    func otherTypes(json: JSON) {
        #expect(throws: JSONCodingError.self) { try decoder.decode(Date.self, from: json) }
    }

    @Test(
        "A date is encoded with as many fractional digits as it needs",
        arguments: ["", ".5", ".25", ".123", ".000001", ".1234567", ".9999999"])
    func fractions(fraction: String) throws {
        let text = "2026-01-31T12:00:00\(fraction)Z"
        #expect(try write(read(text)) == text)
    }

    @Test("A date keeps nanoseconds that Date can represent and drops further digits")
    func nanoseconds() throws {
        #expect(try write(read("2001-01-01T00:00:01.000000001Z")) == "2001-01-01T00:00:01.000000001Z")
        #expect(try write(read("2000-12-31T23:59:59.999999999Z")) == "2000-12-31T23:59:59.999999999Z")
        #expect(try write(read("2001-01-01T00:00:01.0000000019Z")) == "2001-01-01T00:00:01.000000001Z")
        #expect(try write(Date(timeIntervalSinceReferenceDate: 1e-12)) == "2001-01-01T00:00:00.000000000Z")
    }

    @Test("Encoded dates agree with gmtime_r from the year 0 to the year 9999")
    func calendar() throws {
        let days = -719_528...2_932_896
        for day in Array(stride(from: days.lowerBound, through: days.upperBound, by: 97)) + [days.upperBound] {
            let second = day * 86_400 + abs(day &* 7_919) % 86_400
            var (time, parts) = (time_t(second), tm())
            gmtime_r(&time, &parts)
            let text = try write(Date(timeIntervalSince1970: Double(second)))
            let numbers = text.dropLast().split { "-T:".contains($0) }.map { Int32($0) }
            #expect(
                numbers == [
                    parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                ])
            #expect(text.utf8.count == 20)
            #expect(try read(text) == Date(timeIntervalSince1970: Double(second)))
        }
    }

    @Test("A random date is unchanged by encoding and decoding", arguments: SeededGenerator.seeds)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed)
        for _ in 0..<1_250 {
            // Adjacent doubles of this magnitude differ by more than a nanosecond.
            let interval = Double.random(in: 1e8...2e11, using: &random) * (random.chance(50) ? 1 : -0.3)
            let date = Date(timeIntervalSinceReferenceDate: interval)
            #expect(try read(write(date)) == date, "\(interval)")
        }
    }

    @Test(
        "A date outside the years 0 to 9999 cannot be encoded, and the error names its key",
        arguments: [-62_167_219_200.5, 253_402_300_800, 1e30, -1e30, .infinity, .nan])
    func outside(seconds: Double) {
        let error = #expect(throws: JSONCodingError.self) {
            try encoder.encode(["at": Date(timeIntervalSince1970: seconds)])
        }
        #expect(error?.message == #""at" cannot be written: must be a date between the years 0 and 9999"#)
    }
}
