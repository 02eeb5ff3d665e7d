import LosslessJSON
import Testing

@Suite("Subscripts of values")
struct JSONSubscriptTests {
    static let sample: JSON = [
        "http": ["port": 8080, "hosts": ["a", "b"], "tls": nil], "": 1, "a.b": ["/": ["~": true]], "0": "zero",
    ]

    @Test("Chained subscripts read members and elements, and missing values are nil")
    func reading() {
        let value = JSONSubscriptTests.sample
        #expect(value["http"]?["port"]?.int == 8080)
        #expect(value["http"]?["hosts"]?[1]?.string == "b")
        #expect(value["http"]?["tls"]?.isNull == true)
        #expect(value["http"]?["nothing"] == Optional<JSON>.none)
        #expect(value["http"]?["hosts"]?[2] == nil && value["http"]?["hosts"]?[-1] == nil)
        #expect(value["http"]?[0] == nil && value["http"]?["port"]?["x"] == nil && value[0] == nil)
        #expect(JSON.null["x"] == nil && JSON("text")[0] == nil)
    }

    @Test("A pointer reaches keys, indices, and keys with dots and slashes")
    func pointers() {
        let value = JSONSubscriptTests.sample
        #expect(value[at: "/http/port"] == 8080 && value[at: "http.port"] == 8080)
        #expect(value[at: "/http/hosts/1"] == "b" && value[at: "http.hosts.0"] == "a")
        #expect(value[at: ""] == value && value[at: "/"] == 1)
        #expect(value[at: "/a.b/~1/~0"] == true)
        #expect(value[at: "/0"] == "zero", "in an object, a digit is a key")
        for index in ["2", "-1", "01", "-", "", "x", "+1", "1 "] {
            #expect(value[at: JSONPointer(["http", "hosts", index])] == nil, "\(index)")
        }
        #expect(value[at: "/http/port/x"] == nil)
        #expect(value[at: "/http/hosts/99999999999999999999999"] == nil)
        #expect(value[at: "/http/tls"] == JSON.null)
    }

    @Test("A chained assignment changes only its member and leaves old versions unchanged")
    func assigning() {
        var value = JSONSubscriptTests.sample
        let before = value
        value["http"]?["port"] = 9090
        value["http"]?["hosts"]?[0] = "c"
        value["http"]?["hosts"]?[2] = "d"
        value["http"]?["new"] = ["x": 1.5]
        #expect(value["http"]?.description == #"{"port":9090,"hosts":["c","b","d"],"tls":null,"new":{"x":1.5}}"#)
        #expect(before == JSONSubscriptTests.sample)
        #expect(value["a.b"]!.isIdentical(to: before["a.b"]!))
        value["nowhere"]?["x"] = 1
        #expect(value["nowhere"] == nil, "a chained assignment creates no missing intermediate members")
    }

    @Test("Assigning nil removes a member or element, assigning .null sets null")
    func removing() {
        var value = JSONSubscriptTests.sample
        value["http"]?["port"] = nil
        value["http"]?["hosts"]?[0] = nil
        value[""] = .null
        value["not there"] = nil
        #expect(value["http"]?.description == #"{"hosts":["b"],"tls":null}"#)
        #expect(value[""] == JSON.null)
        #expect(value.object?.count == 4)
    }

    @Test("null becomes an object when a member is set, and stays null when one is removed")
    func null() {
        var value: JSON = nil
        value["a"] = nil
        #expect(value.isNull)
        value["a"] = 5
        #expect(value == ["a": 5])
        value["a"] = .null
        value["a"]?["b"] = "deep"
        #expect(value == ["a": ["b": "deep"]])
    }

    @Test("A chained assignment of the current values leaves the value identical")
    func settingTheSame() {
        var value = JSONSubscriptTests.sample
        value["http"]?["port"] = 8080
        value["http"]?["hosts"]?[1] = "b"
        #expect(value.isIdentical(to: JSONSubscriptTests.sample))
    }

    @Test("A view returns the value if it is of its kind, and nil otherwise")
    func views() {
        let all: [JSON] = [nil, true, 1.5, "text", [1], ["a": 1]]
        #expect(all.map(\.isNull) == [true, false, false, false, false, false])
        #expect(all.map { $0.bool != nil } == [false, true, false, false, false, false])
        #expect(all.map { $0.number != nil } == [false, false, true, false, false, false])
        #expect(all.map { $0.double != nil } == [false, false, true, false, false, false])
        #expect(all.map { $0.string != nil } == [false, false, false, true, false, false])
        #expect(all.map { $0.array != nil } == [false, false, false, false, true, false])
        #expect(all.map { $0.object != nil } == [false, false, false, false, false, true])
        #expect(all.allSatisfy { $0.int == nil && $0.uint64 == nil })
        #expect(JSON(7).int == 7 && JSON(7).uint64 == 7)
        #expect(JSON(UInt64.max).uint64 == .max && JSON(UInt64.max).int == nil)
        #expect(JSON(true).bool == true && JSON(false).bool == false && JSON("x").string == "x")
        #expect(JSON(Double.infinity) == Optional<JSON>.none && JSON(Double.nan) == Optional<JSON>.none)
    }

    @Test("Names of kinds fit into a sentence")
    func kinds() {
        let all: [JSON] = [nil, true, 1, "text", [], [:]]
        #expect(all.map(\.kind) == ["null", "a boolean", "a number", "a string", "an array", "an object"])
    }

    @Test("Values of different kinds are never equal")
    func otherKinds() {
        let all: [JSON] = [nil, true, false, 0, 1, "", "null", "true", "0", [], [:], [nil], ["": nil]]
        for (place, value) in all.enumerated() {
            #expect(all.firstIndex(of: value) == place && Set(all).count == all.count)
        }
    }

    @Test("Assigning a member or element to a value of another kind changes nothing")
    func nowhere() {
        for original in [1, true, "text", [1], ["a": 1]] as [JSON] {
            var value = original
            if value.object == nil {
                value["a"] = 2
                value["a"] = nil
            }
            for index in [-1, 2, Int.min, Int.max] {
                value[index] = 2
                value[index] = nil
            }
            if value.array == nil { value[0] = 2 }
            #expect(value == original)
        }
        var settings: JSON = ["http": "somebody put text here"]
        settings["http"]?["port"] = 8080
        settings["http"]?[0] = 1
        #expect(settings == ["http": "somebody put text here"])
        #expect(throws: JSONEditError.self) { try settings.setting("/http/port", to: 8080) }
    }
}
