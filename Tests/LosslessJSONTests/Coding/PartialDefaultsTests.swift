import LosslessJSON
import Testing

@Suite("Defaults of types with required members")
struct PartialDefaultsTests {
    struct TLS: Codable, Equatable {
        var minVersion: String
        var certificate: String?
    }

    struct Endpoint: PartlyDefaulted, Equatable {
        var url: String
        var retries: Int
        var note: String?
        var tls: TLS?

        static let defaults: JSON = ["retries": 3, "note": "new", "tls": ["minVersion": "1.2"]]
    }

    struct Settings: Codable, Equatable {
        var list: [Endpoint]?
        var byName: [String: Endpoint]?
        var optional: Endpoint?
    }

    private func settings(_ json: JSON, defaults: JSON? = nil) throws -> Settings {
        try JSONValueDecoder().decode(Settings.self, from: json, defaults: defaults)
    }

    private func failure(_ body: () throws -> Void) -> JSONCodingError? {
        #expect(throws: JSONCodingError.self) { try body() }
    }

    private let standard = Endpoint(url: "/", retries: 3, note: "new", tls: TLS(minVersion: "1.2"))

    @Test("A missing member gets the default of its type in arrays, dictionaries and optional sections")
    func missing() throws {
        let loaded = try settings(["list": [["url": "/"]], "byName": ["a": ["url": "/"]], "optional": ["url": "/"]])
        #expect(loaded == Settings(list: [standard], byName: ["a": standard], optional: standard))
        #expect(try JSONValueDecoder().decode(Endpoint.self, from: ["url": "/"]) == standard)
        #expect(try settings([:]) == Settings())
    }

    @Test("Members of a section that is there get the defaults at their path, and null is nil")
    func sections() throws {
        let loaded = try settings(["list": [["url": "/", "note": nil, "tls": ["certificate": "x"]]]])
        #expect(loaded.list?[0].tls == TLS(minVersion: "1.2", certificate: "x"))
        #expect(loaded.list?[0].note == nil)
        #expect(try settings(["list": [["url": "/", "tls": nil]]]).list?[0].tls == nil)
    }

    @Test("A member without a default is required")
    func required() {
        let error = failure { _ = try settings(["list": [["url": "/"], ["retries": 1]]]) }
        #expect(error?.code == .missing)
        #expect(error?.message == #""list.1.url" is missing"#)
        #expect(failure { _ = try settings(["optional": [:]]) }?.path == "optional.url")
    }

    @Test("Defaults at the path of a value replace those of its type, as for a Defaulted type")
    func explicitDefaults() throws {
        let json: JSON = ["optional": ["url": "/"]]
        #expect(try settings(json, defaults: ["optional": ["retries": 5]]).optional == Endpoint(url: "/", retries: 5))
        #expect(try settings(json, defaults: ["optional": nil]).optional == standard)
        #expect(try settings([:], defaults: ["optional": ["url": "/"]]).optional == standard)
        let list = try settings(["list": [["url": "/"]]], defaults: ["list": [["url": "/x", "retries": 9]]]).list
        #expect(list == [standard], "elements have no default at their path")
    }

    @Test("nil is encoded as null where the default of the type is not null")
    func encoding() throws {
        let value = Settings(list: [Endpoint(url: "/", retries: 3)], byName: ["a": standard])
        let json = try JSONValueEncoder().encode(value)
        #expect(json["list"]?[0] == ["url": "/", "retries": 3, "note": nil, "tls": nil])
        #expect(json["byName", "a"]?["tls"] == ["minVersion": "1.2"])
        #expect(try settings(json) == value)
    }

    struct Listed: PartlyDefaulted {
        var x: Int?
        static let defaults: JSON = [1, 2]
    }

    struct Wrong: PartlyDefaulted {
        struct Inner: Codable { var level: Level }
        enum Level: String, Codable, CaseIterable { case low, high }
        var url: String
        var retries: Int?
        var inner: Inner?
        static let defaults: JSON = ["retries": "three", "inner": ["level": "lwo"]]
    }

    @Test("Defaults that are not an object are an error that names the type")
    func noObject() {
        let decoding = failure { _ = try JSONValueDecoder().decode([String: [Listed]].self, from: ["a": [[:]]]) }
        #expect(decoding?.message == #""a.0" is not valid: the defaults of Listed must be an object, found an array"#)
        #expect(decoding?.code == .value)
        let encoding = failure { _ = try JSONValueEncoder().encode(["a": Listed()]) }
        #expect(
            encoding?.message == #""a" cannot be written: the defaults of Listed must be an object, found an array"#)
    }

    @Test("A default of a wrong type is an error that names the type, a wrong value in the text is not")
    func wrongDefault() {
        func message(_ json: JSON) -> String? {
            failure { _ = try JSONValueDecoder().decode([Wrong].self, from: [json]) }?.message
        }
        #expect(
            message(["url": "/"])
                == #""0.retries" must be a whole number, found "three" in the defaults of Wrong"#)
        #expect(
            message(["url": "/", "retries": 1])
                == #""0.inner.level" must be one of "low", "high", found "lwo" in the defaults of Wrong"#)
        #expect(message(["url": "/", "retries": "x"]) == #""0.retries" must be a whole number, found "x""#)
        #expect(
            message(["url": "/", "retries": 1, "inner": ["level": "x"]])
                == #""0.inner.level" must be one of "low", "high", found "x""#)
        #expect(message([:]) == #""0.url" is missing"#)
    }

    @Test("A key of a partly defaulted type that is not in its defaults is not unknown")
    func unknownKeys() throws {
        var keys: [JSONUnknownKey] = []
        let json: JSON = ["list": [["url": "/", "retry": 1, "tls": ["x": 1]]]]
        _ = try JSONValueDecoder().decode(Settings.self, from: json, unknownKeys: &keys)
        #expect(keys.map(\.path) == ["list.0.retry", "list.0.tls.x"])
    }
}
