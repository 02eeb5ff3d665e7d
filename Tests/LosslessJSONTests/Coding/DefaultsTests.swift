import LosslessJSON
import Testing

@Suite("Defaults of missing keys")
struct DefaultsTests {
    struct Limits: Codable, Equatable {
        var burst = 10
        var rate: Double? = 2.5
    }

    struct Server: Codable, Equatable {
        var port = 8080
        var greeting: String? = "hello"
        var banner: String?
        var limits = Limits()
        var names = ["a", "b"]
        var weights: [String: Int] = ["x": 1, "y": 2]
        var mode = Mode.automatic
    }

    enum Mode: Codable, Equatable {
        case automatic
        case fixed(size: Int, step: Int)
    }

    private func server(_ text: String, defaults: Server = Server()) throws -> Server {
        try JSONDocument(parsing: text).decode(Server.self, defaults: JSONValueEncoder().encode(defaults))
    }

    @Test("An empty object decodes to the default value")
    func emptyObject() throws {
        #expect(try server("{}") == Server())
    }

    @Test("A missing key gets the default at the same path, at every depth")
    func missingKeys() throws {
        let loaded = try server(#"{"limits": {"burst": 3}}"#)
        #expect(loaded.limits == Limits(burst: 3, rate: 2.5))
        #expect(loaded.port == 8080)
    }

    @Test("An explicit null decodes to nil, a missing key to the default")
    func explicitNull() throws {
        #expect(try server(#"{"greeting": null}"#).greeting == nil)
        #expect(try server(#"{"limits": {"rate": null}}"#).limits.rate == nil)
        #expect(try server("{}").greeting == "hello")
    }

    @Test("A null for a non-optional property is an error")
    func nullForRequired() {
        #expect(throws: JSONCodingError.self) { try server(#"{"port": null}"#) }
    }

    @Test("nil is encoded as null if the default is not nil, and omitted otherwise")
    func nilIsWritten() throws {
        let encoder = JSONValueEncoder()
        let defaults = try encoder.encode(Server())
        var changed = Server()
        changed.greeting = nil
        changed.limits.rate = nil
        let json = try encoder.encode(changed, defaults: defaults)
        #expect(json["greeting"] == .null)
        #expect(json["limits"]?["rate"] == .null)
        #expect(json["banner"] == nil)
        #expect(try JSONValueDecoder().decode(Server.self, from: json, defaults: defaults) == changed)
    }

    @Test("A dictionary in the file replaces the default dictionary")
    func dictionaries() throws {
        #expect(try server(#"{"weights": {"x": 5}}"#).weights == ["x": 5])
        #expect(try server(#"{"weights": {}}"#).weights == [:])
        #expect(try server("{}").weights == ["x": 1, "y": 2])
    }

    @Test("An array in the file replaces the default array")
    func arrays() throws {
        #expect(try server(#"{"names": ["z"]}"#).names == ["z"])
        #expect(try server(#"{"names": []}"#).names == [])
    }

    @Test("An enum takes defaults of associated values only from a default of the same case")
    func enums() throws {
        #expect(try server(#"{"mode": {"fixed": {"size": 1, "step": 2}}}"#).mode == .fixed(size: 1, step: 2))
        var fixed = Server()
        fixed.mode = .fixed(size: 7, step: 8)
        #expect(try server(#"{"mode": {"automatic": {}}}"#, defaults: fixed).mode == .automatic)
        #expect(try server(#"{"mode": {"fixed": {"size": 1}}}"#, defaults: fixed).mode == .fixed(size: 1, step: 8))
        #expect(throws: JSONCodingError.self) { try server(#"{"mode": {"fixed": {"size": 1}}}"#) }
    }

    struct Route: Defaulted, Equatable {
        var path = "/"
        var retries = 3
        var note: String? = "new"
    }

    struct Plain: Codable, Equatable {
        var path = "/"
        var retries = 3
    }

    struct Routes: Codable, Equatable {
        var list: [Route] = [Route(path: "/example", retries: 9)]
        var byName: [String: Route] = ["main": Route(path: "/main", retries: 7)]
        var plain: [Plain] = [Plain()]
        var plainByName: [String: Plain] = ["main": Plain()]
        var optional: Route?
    }

    private func routes(_ text: String) throws -> Routes {
        try JSONDocument(parsing: text).decode(Routes.self, defaults: JSONValueEncoder().encode(Routes()))
    }

    @Test("Array elements, dictionary values and optionals of a Defaulted type take missing keys from the type")
    func defaultedElements() throws {
        let loaded = try routes(#"{"list": [{"path": "/api"}], "byName": {"main": {}}, "optional": {"retries": 1}}"#)
        #expect(loaded.list == [Route(path: "/api", retries: 3)])
        #expect(loaded.byName == ["main": Route()], "the default entry with the same key supplies no missing keys")
        #expect(loaded.optional == Route(path: "/", retries: 1))
    }

    @Test("If the default is null, a Defaulted type supplies missing keys")
    func nullDefault() throws {
        let decoder = JSONValueDecoder()
        let loaded = try decoder.decode([String: Route].self, from: ["x": ["path": "/x"]], defaults: ["x": nil])
        #expect(loaded["x"]?.retries == 3)
        let file: JSON = ["optional": ["path": "/x"]]
        let defaults: JSON = ["list": [], "byName": [:], "plain": [], "plainByName": [:], "optional": nil]
        #expect(try decoder.decode(Routes.self, from: file, defaults: defaults).optional?.retries == 3)
    }

    @Test("userInfo is available to a Defaulted type that encodes its own defaults")
    func userInfoOfDefaults() throws {
        struct Scaled: Defaulted {
            static let key = CodingUserInfoKey(rawValue: "scale")!
            var size = 2
            enum CodingKeys: String, CodingKey { case size }
            init() {}
            init(from decoder: any Decoder) throws {
                size = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .size)
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(size * (encoder.userInfo[Self.key] as? Int ?? 1), forKey: .size)
            }
        }
        var decoder = JSONValueDecoder()
        decoder.userInfo[Scaled.key] = 10
        #expect(try decoder.decode([Scaled].self, from: [[:]])[0].size == 20)
    }

    @Test("Elements of a type that is not Defaulted must be complete")
    func plainElements() throws {
        #expect(throws: JSONCodingError.self) { try routes(#"{"plain": [{"path": "/api"}]}"#) }
        #expect(throws: JSONCodingError.self) { try routes(#"{"plainByName": {"main": {"path": "/api"}}}"#) }
        #expect(try routes("{}").plain == [Plain()])
    }

    @Test("nil in an element is encoded as null if the element type's default is not nil")
    func nilInElement() throws {
        let encoder = JSONValueEncoder()
        let value = Routes(list: [Route(note: nil)])
        let json = try encoder.encode(value, defaults: encoder.encode(Routes()))
        #expect(json["list"]?[0]?["note"] == .null)
        #expect(try JSONValueDecoder().decode(Routes.self, from: json).list == value.list)
    }

    @Test("A property of type JSON is not merged with its default")
    func rawProperty() throws {
        struct Holder: Codable {
            var extra: JSON = ["a": 1, "b": 2]
        }
        let defaults = try JSONValueEncoder().encode(Holder())
        let document = try JSONDocument(parsing: #"{"extra": {"a": 1.50}}"#)
        let loaded = try document.decode(Holder.self, defaults: defaults)
        #expect(loaded.extra == ["a": 1.5])
        #expect(loaded.extra["a"]?.number?.spelling == "1.50")
        #expect(try JSONDocument(parsing: "{}").decode(Holder.self, defaults: defaults).extra == ["a": 1, "b": 2])
    }
}
