import LosslessJSON
import Testing

@Suite("Reaching into a value")
struct JSONSubscriptTests {
    static let sample: JSON = [
        "http": ["port": 8080, "hosts": ["a", "b"], "tls": nil], "": 1, "a.b": ["/": ["~": true]], "0": "zero",
    ]

    @Test("members and elements are read one after the other, and what is not there is nil")
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

    @Test("pointers reach keys, indexes, and keys with dots and slashes")
    func pointers() {
        let value = JSONSubscriptTests.sample
        #expect(value[at: "/http/port"] == 8080 && value[at: "http.port"] == 8080)
        #expect(value[at: "/http/hosts/1"] == "b" && value[at: "http.hosts.0"] == "a")
        #expect(value[at: ""] == value && value[at: "/"] == 1)
        #expect(value[at: "/a.b/~1/~0"] == true)
        #expect(value[at: "/0"] == "zero", "of an object a digit is a key")
        for index in ["2", "-1", "01", "-", "", "x", "+1", "1 "] {
            #expect(value[at: JSONPointer(["http", "hosts", index])] == nil, "\(index)")
        }
        #expect(value[at: "/http/port/x"] == nil)
        #expect(value[at: "/http/hosts/99999999999999999999999"] == nil)
        #expect(value[at: "/http/tls"] == JSON.null)
    }

    @Test("a chained assignment changes the member and nothing else, and old versions keep theirs")
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
        #expect(value["nowhere"] == nil, "what is not there is not made by looking through it")
    }

    @Test("setting nil removes, and .null sets null")
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

    @Test("null becomes an object when a member is set in it, and stays null when one is removed")
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

    @Test("setting what is there already gives the very same value")
    func settingTheSame() {
        var value = JSONSubscriptTests.sample
        value["http"]?["port"] = 8080
        value["http"]?["hosts"]?[1] = "b"
        #expect(value.isIdentical(to: JSONSubscriptTests.sample))
    }

    @Test("views give the value of their own kind and nil for the others")
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

    @Test("kinds have names that fit into a sentence")
    func kinds() {
        let all: [JSON] = [nil, true, 1, "text", [], [:]]
        #expect(all.map(\.kind) == ["null", "a boolean", "a number", "a string", "an array", "an object"])
    }

    @Test("values of different kinds are never equal")
    func otherKinds() {
        let all: [JSON] = [nil, true, false, 0, 1, "", "null", "true", "0", [], [:], [nil], ["": nil]]
        for (place, value) in all.enumerated() {
            #expect(all.firstIndex(of: value) == place && Set(all).count == all.count)
        }
    }

    @Test("setting a member of a number, or an element of an object or far behind the end, traps")
    func traps() async {
        await #expect(processExitsWith: .failure) {
            var value: JSON = 1
            value["a"] = 2
        }
        await #expect(processExitsWith: .failure) {
            var value: JSON = ["a": 1]
            value[0] = 2
        }
        await #expect(processExitsWith: .failure) {
            var value: JSON = [1]
            value[2] = 2
        }
    }
}
