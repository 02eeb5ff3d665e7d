import LosslessJSON
import Testing

@Suite("Values read as a type")
struct TypedAccessTests {
    struct Limits: Codable, Equatable {
        var burst: Int
    }

    private let json: JSON = [
        "int": 7, "whole": 8.0, "half": 1.5, "on": true, "name": "x", "nothing": nil, "list": [1, 2],
        "limits": ["burst": 3], "a key longer than fourteen bytes": 4,
    ]

    @Test("The subscript yields the value as the type")
    func typed() {
        #expect(json["int", as: Int.self] == 7)
        #expect(json["whole", as: Int.self] == 8)
        #expect(json["int", as: Double.self] == 7)
        #expect(json["half", as: Double.self] == 1.5)
        #expect(json["on", as: Bool.self] == true)
        #expect(json["name", as: String.self] == "x")
        #expect(json["a key longer than fourteen bytes", as: Int.self] == 4)
        #expect(json["list", as: [Int].self] == [1, 2])
        #expect(json["limits", as: Limits.self] == Limits(burst: 3))
        #expect(json["int", as: UInt8.self] == 7)
    }

    @Test("Members are found in whichever order the file has them, between unknown ones")
    func order() {
        struct Numbers: Codable, Equatable {
            var one = 1
            var two = 2
            var three = 3
            var withANameLongerThanFourteenBytes = 4
            var five: Int?
        }
        let names = ["one", "two", "three", "withANameLongerThanFourteenBytes", "unknown", "another unknown one"]
        for start in names.indices {
            for step in [1, 5] {
                let order = names.indices.map { names[(start + $0 * step) % names.count] }
                let members = order.map { ($0, JSON((names.firstIndex(of: $0) ?? 0) + 1)) }
                let json: JSON = ["it": .object(JSONObject(members))]
                #expect(json["it", as: Numbers.self] == Numbers(), "\(order)")
            }
        }
    }

    @Test("The subscript yields nil for a missing member, null and another type")
    func other() {
        #expect(json["none", as: Int.self] == nil)
        #expect(json["nothing", as: Int.self] == nil)
        #expect(json["nothing", as: Limits.self] == nil)
        #expect(json["name", as: Int.self] == nil)
        #expect(json["half", as: Int.self] == nil)
        #expect(json["int", as: Bool.self] == nil)
        #expect(json["int", as: String.self] == nil)
        #expect(json["list", as: Limits.self] == nil)
        #expect((json["list"] ?? nil)["int", as: Int.self] == nil)
        #expect(JSON(5)["int", as: Int.self] == nil)
        let marks = "e" + String(repeating: "\u{301}", count: 300)
        #expect((["x": JSON(marks)] as JSON)["x", as: String.self] == nil)
    }

    @Test("In generic code, where the type is not known to the compiler, the subscript yields the same")
    func generic() {
        func read<Value: Decodable>(_ key: String) -> Value? { json[key, as: Value.self] }
        #expect(read("int") as Int? == 7)
        #expect(read("half") as Double? == 1.5)
        #expect(read("on") as Bool? == true)
        #expect(read("name") as String? == "x")
        #expect(read("limits") as Limits? == Limits(burst: 3))
        #expect(read("name") as Int? == nil)
    }

    @Test("value(at:) is nil only for a missing value and for null")
    func atPath() throws {
        #expect(try json.value(Int.self, at: "limits.burst") == 3)
        #expect(try json.value(at: "/list/1") == 2)
        #expect(try json.value(at: "limits") == Limits(burst: 3))
        #expect(try json.value(Int.self, at: "limits.rate") == nil)
        #expect(try json.value(Int.self, at: "int.x") == nil)
        #expect(try json.value(Int.self, at: "list.2") == nil)
        #expect(try json.value(Int.self, at: "nothing") == nil)
        let none: Limits? = try json.value(at: "nothing")
        #expect(none == nil)
    }

    @Test(
        "value(at:) throws an error with the whole path if the value has another type",
        arguments: [
            ("name", #""name" must be a whole number, found "x""#),
            ("half", #""half" must be a whole number, found 1.5"#),
            ("/list", #""list" must be a whole number, found an array"#),
        ])
    func wrongType(path: String, message: String) throws {
        let pointer = try JSONPointer(parsing: path)
        let error = #expect(throws: JSONCodingError.self) { try json.value(Int.self, at: pointer) }
        #expect(error?.message == message)
    }

    @Test("The path of an error inside the value begins at the value that was asked")
    func innerPath() {
        let json: JSON = ["a.b": ["limits": ["burst": "x"]]]
        let error = #expect(throws: JSONCodingError.self) { try json.value(Limits.self, at: "/a.b/limits") }
        #expect(error?.path == "/a.b/limits/burst")
        #expect(error?.message == #""/a.b/limits/burst" must be a whole number, found "x""#)
    }
}
