import LosslessJSON
import Testing

@Suite("Unknown keys")
struct UnknownKeyTests {
    struct Limits: Codable {
        var burst: Int?
        var rate: Double?
    }

    struct Server: Codable {
        var port: Int?
        var name: String?
        var limits: Limits?
        var routes: [Limits]?
        var byName: [String: Limits]?
        var nested: [[String: [Limits?]]]?
        var tags: [String: String]?
        var extra: JSON?
    }

    /// The unknown keys of a value, each as `path` or `path: suggestion`.
    private func unknown<Value: Decodable>(
        _ type: Value.Type, _ text: String, defaults: JSON? = nil, with decoder: JSONValueDecoder = JSONValueDecoder()
    ) throws -> [String] {
        var keys: [JSONUnknownKey] = []
        _ = try JSONDocument(parsing: text).decode(type, with: decoder, defaults: defaults, unknownKeys: &keys)
        return keys.map { $0.path.description + ($0.suggestion.map { ": \($0)" } ?? "") }
    }

    @Test("A value whose keys the type asks for has no unknown key")
    func known() throws {
        let text = #"{"port": 1, "name": null, "limits": {"burst": 1, "rate": null}, "routes": [{"burst": 1}, {}]}"#
        #expect(try unknown(Server.self, text) == [])
        #expect(try unknown([Int].self, "[1, 2]") == [])
        #expect(try unknown(Int.self, "1") == [])
    }

    @Test("Unknown keys are listed with their paths in the order of the text")
    func paths() throws {
        let text = """
            {"zone": 1, "limits": {"x": 1, "burst": 2, "y": {"z": 1}}, "routes": [{}, {"x": 1}], "port": 1,
             "byName": {"a.b": {"burst": 1}, "c/d": {"x": 1}}, "nested": [{"k": [null, {"x": 1}]}], "last": []}
            """
        #expect(
            try unknown(Server.self, text) == [
                "/zone", "/limits/x", "/limits/y", "/routes/1/x", "/byName/c~1d/x", "/nested/0/k/1/x", "/last",
            ])
    }

    @Test("The elements of dictionaries, of JSON values and of conversions are known")
    func takers() throws {
        struct Color: Codable { var red: Int }
        struct Painting: Codable { var color: Color? }
        #expect(try unknown(Server.self, #"{"tags": {"a": "b"}, "extra": {"a": {"b": 1}}}"#) == [])
        #expect(try unknown(Painting.self, #"{"color": {"red": 1, "hue": 2}}"#) == ["/color/hue"])
        var decoder = JSONValueDecoder()
        decoder.conversions.add(Color.self) {
            JSON($0.red)
        } decode: {
            Color(red: $0["hue"]?.int ?? 0)
        }
        #expect(try unknown(Painting.self, #"{"color": {"red": 1, "hue": 2}}"#, with: decoder) == [])
        #expect(try unknown([Int: Limits].self, #"{"1": {"burst": 1}, "2": {"x": 1}}"#) == ["/2/x"])
        #expect(try unknown([Limits.Key: Limits].self, #"[{"x": 1}, {"y": 2}]"#) == ["/0/x", "/1/y"])
    }

    @Test("The members of defaults are known, whatever the type asks for")
    func defaults() throws {
        let defaults: JSON = ["old": 1, "limits": ["old": 2, "burst": 3], "routes": [["old": 1]]]
        #expect(try unknown(Server.self, "{}", defaults: defaults) == [])
        #expect(try unknown(Server.self, #"{"limits": {"rate": 1}}"#, defaults: defaults) == [])
        #expect(try unknown(Server.self, #"{"limits": {"old": 1}}"#, defaults: defaults) == ["/limits/old"])
    }

    @Test(
        "The most similar key that the object lacks is suggested",
        arguments: [
            (#"{"prot": 1}"#, "/prot: port"), (#"{"PORT": 1}"#, "/PORT: port"),
            (#"{"by_name": 1}"#, "/by_name: byName"),
            (#"{"host": 1}"#, "/host"), (#"{"prot": 1, "port": 2}"#, "/prot"),
            (#"{"limits": {"bust": 1}}"#, "/limits/bust: burst"),
            (#"{"limits": {"port": 1}}"#, "/limits/port"), (#"{"": 1}"#, "/"),
        ])
    func suggestions(text: String, expected: String) throws {
        #expect(try unknown(Server.self, text) == [expected])
    }

    @Test("A composed and a decomposed form of a key are two keys")
    func forms() throws {
        struct Umlaut: Codable {
            var value: Int?
            enum CodingKeys: String, CodingKey { case value = "\u{FC}" }
        }
        #expect(try unknown(Umlaut.self, "{\"\u{FC}\": 1, \"u\u{308}\": 2}") == ["/u\u{308}"])
    }

    @Test("The payload and the case of an enum are examined")
    func enums() throws {
        enum Mode: Codable {
            case automatic
            case fixed(size: Int, step: Int?)
        }
        #expect(try unknown(Mode.self, #"{"fixed": {"size": 1, "step": 2}}"#) == [])
        #expect(try unknown([Mode].self, #"[{"fixed": {"size": 1, "stop": 2}}]"#) == ["/0/fixed/stop: step"])
        #expect(try unknown(Mode.self, #"{"automatic": {"x": 1}, "other": 1}"#) == ["/automatic/x", "/other"])
    }

    @Test("A failed decoding leaves no unknown keys behind")
    func failure() throws {
        var keys = [JSONUnknownKey(path: "before")]
        #expect(throws: JSONCodingError.self) {
            try JSONValueDecoder().decode(Server.self, from: ["x": 1, "port": "x"], unknownKeys: &keys)
        }
        #expect(keys == [])
    }

    @Test("The first hundred unknown keys are listed")
    func limit() throws {
        let members = (0..<5_000).map { #""key \#($0)": 1"# }.joined(separator: ", ")
        let routes = (0..<60).map { #"{"x \#($0)": 1}"# }.joined(separator: ", ")
        let found = try unknown(Server.self, #"{"routes": [\#(routes)], "port": 1, \#(members)}"#)
        #expect(found == (0..<60).map { "/routes/\($0)/x \($0)" } + (0..<40).map { "/key \($0)" })
    }

    @Test("Long unknown keys among long names are compared in reasonable time")
    func longKeys() throws {
        let long = String(repeating: "p", count: 1 << 20)
        #expect(try unknown(Server.self, #"{"\#(long)": 1, "prt": 1}"#) == ["/" + long, "/prt: port"])
    }

    @Test("The unknown keys of a large object are found wherever they are", arguments: [63, 64, 65, 128, 129, 1_000])
    func largeObjects(count: Int) throws {
        for unknown in [[], [0], [count - 1], [0, 33, count / 2]] as [Set<Int>] {
            let json = JSON.object(JSONObject((0..<count).map { ("m\($0)", .null) }))
            var decoder = JSONValueDecoder()
            decoder.userInfo[Asking.key] = (0..<count).filter { !unknown.contains($0) }.map { "m\($0)" }
            var keys: [JSONUnknownKey] = []
            _ = try decoder.decode([Asking].self, from: [json], unknownKeys: &keys)
            #expect(keys.map(\.path) == unknown.sorted().map { JSONPointer(["0", "m\($0)"]) })
        }
    }
}

/// Asks for the keys in `userInfo`, each twice.
private struct Asking: Decodable {
    static let key = CodingUserInfoKey(rawValue: "keys")!

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        for name in decoder.userInfo[Asking.key] as? [String] ?? [] {
            _ = container.contains(AnyKey(name))
            _ = try container.decodeNil(forKey: AnyKey(name))
        }
    }
}

extension UnknownKeyTests.Limits {
    struct Key: Codable, Hashable { var id: Int? }
}

/// A coding key for any name.
struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}
