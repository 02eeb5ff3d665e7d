import Foundation
import LosslessJSON
import SessionMirror
import Testing

@Suite("Conversions of untrusted text") struct HostileConversionTests {
    static let numbers: [String] = {
        let exponents = [
            "9223372036854775807", "-9223372036854775808", "99999999999999999999", "-99999999999999999999", "127",
            "128",
            "-128", "-129", "165", "166", "2147483648", "-2147483649", "32768", "65536",
            String(repeating: "9", count: 300),
        ]
        let starts = [
            "1e", "-1.5e", "0e", "99999999999999999999999999999999999999e", "1.00000000000000000000000000000000000001e",
        ]
        return starts.flatMap { start in exponents.map { start + $0 } } + [
            String(repeating: "9", count: 20_000), "0." + String(repeating: "9", count: 20_000), "-0", "1e-0",
        ]
    }()

    static let strings = [
        "", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999999Z",
        "9999-12-31T23:59:60-23:59",
        "999999999999-01-01T00:00:00Z", "-0001-01-01T00:00:00Z", "-999999999999-01-01T00:00:00Z",
        "2026-00-00T00:00:00Z",
        "2026-13-32T24:60:61Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00." + String(repeating: "9", count: 20_000) + "Z",
        "2026-01-01T00:00:00+99:99", "२०२६-01-01T00:00:00Z", "\u{0}", "====", "A===", "AA==\n", "é", "http://",
        "http://[::1",
        "http://a:99999999999999999999/", "http://a:-1/", "%", "%zz", "//", ":", "a:b:c", "http://\u{202E}/", "#", "?",
        String(repeating: "a/", count: 10_000), String(repeating: "%", count: 10_000),
        String(repeating: "=", count: 10_000),
    ]

    private let decoder = JSONValueDecoder(conversions: .standard)
    private let encoder = JSONValueEncoder(conversions: .standard)

    private func convert<Value: Codable & Equatable>(_ type: Value.Type, _ json: JSON) throws {
        guard let value = try? decoder.decode(type, from: json) else { return }
        // A decoded date can be encoded, unless its offset moves it out of the supported years.
        guard let written = try? encoder.encode(value) else { return #expect(type == Date.self) }
        #expect(try decoder.decode(type, from: written) == value, "\(json) as \(type)")
    }

    @Test("A number of any spelling is rejected, or converted to a value that round-trips", arguments: numbers)
    func number(spelling: String) throws {
        let json = try JSON(parsing: spelling)
        try convert(Decimal.self, json)
        try convert(Date.self, json)
        try convert(Duration.self, json)
        try convert(Decimal.self, JSON(spelling))
    }

    @Test("A string of any content is rejected, or converted to a value that round-trips", arguments: strings)
    func string(text: String) throws {
        for type in [Date.self, Duration.self, URL.self, Data.self, Decimal.self] as [any (Codable & Equatable).Type] {
            try convert(type, JSON(text))
        }
    }

    @Test("A date far outside the years with four digits cannot be encoded")
    func dates() {
        for seconds in [
            1e12, -1e12, 9.99e11, -9.99e11, 1e300, -1e300, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
        ] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(throws: JSONCodingError.self) { try encoder.encode(date) }
        }
    }
}
