import TestSupport
import Testing

@testable import LosslessJSON

/// Texts with layouts crafted so that an edit copies them many times.
@Suite("Hostile layout") struct HostileSizeTests {
    /// A megabyte of layout; less in unoptimized code, where nothing is counted.
    private static let size = AllocationMeter.countsOptimizedCode ? 1 << 20 : 1 << 15

    /// The number of bytes that an edit allocates per byte of the text; 0 if allocations are not counted.
    private func cost(_ text: String, _ edit: (JSONDocument) throws -> JSONDocument) throws -> Int {
        let document = try JSONDocument(parsing: text)
        let allocated = try AllocationMeter {
            let edited = try edit(document)
            #expect(try JSONDocument(parsing: edited.bytes).value == edited.value)
            return edited
        }.allocatedBytes
        return AllocationMeter.countsOptimizedCode ? allocated / text.utf8.count : 0
    }

    private static let members = JSON.object(JSONObject((0..<100).map { ("member \($0)", JSON($0)) }))

    @Test(
        "A megabyte of indentation is not copied for each line of a new value",
        arguments: [
            "{\n<>\"a\": 1\n}", "[\n<>1\n]", "<>{\"a\": 1}", "<>[\n1]", "{\n<>\"a\": {\n<><>\"b\": 1\n<>}}",
            "{\n\"a\": 1\n<>, \"b\": 2}",
            "{\n\"a\": 1\n,<>\"b\": 2}", "[\n<>/* x */ 1\n]", "<>{}", "{\"a\": {\n<>}}",
        ])
    func indentation(pattern: String) throws {
        for space in [" ", "\t"] {
            let text = pattern.replacing("<>", with: String(repeating: space, count: Self.size))
            let root = try JSONDocument(parsing: text).value
            let path: JSONPointer = root.array == nil ? "/new" : "/-"
            #expect(try cost(text) { try $0.setting(path, to: Self.members) } <= 60)
            #expect(try cost(text) { try $0.setting(root.array == nil ? "/a" : "/0", to: Self.members) } <= 60)
            let first: [JSONChange] = [JSONChange(at: "/0", from: nil, to: Self.members)]
            if root.array != nil { #expect(try cost(text) { try $0.applying(first) } <= 60) }
        }
    }

    @Test("A megabyte of indentation is not copied for each of 100 edited containers")
    func manyContainers() throws {
        let space = String(repeating: " ", count: Self.size)
        let text = "[\n" + space + Array(repeating: "{\"a\":\n1}", count: 100).joined(separator: ", ") + "]"
        let changes = (0..<100).map { JSONChange(at: JSONPointer(["\($0)", "b"]), from: nil, to: [[1]]) }
        #expect(try cost(text) { try $0.applying(changes) } <= 60)
    }

    @Test("A new member follows an indentation of up to a thousand columns exactly", arguments: [0, 1, 7, 1_000])
    func exact(width: Int) throws {
        let space = String(repeating: " ", count: width)
        let document = try JSONDocument(parsing: "{\n\(space)\"a\": 1\n}")
        let edited = try document.setting("b", to: ["c": 2])
        let unit = width == 0 ? "  " : space
        #expect(edited.text == "{\n\(space)\"a\": 1,\n\(space)\"b\": {\n\(space)\(unit)\"c\": 2\n\(space)}\n}")
    }

    @Test("An edit whose result would exceed the size limit is rejected before the text is built")
    func limit() throws {
        let options = JSONDocument.Options(sizeLimit: Self.size)
        let small = try JSONDocument(parsing: "{\n  \"a\": 1\n}", options: options)
        let numbers = JSON.array(JSONArray((0..<50_000).map { JSON($0) }))
        let deep = (0..<400).reduce(numbers) { value, _ in [value] }  // 40 MB of indentation
        let long = JSON(String(repeating: "x", count: 100_000))
        let strings = (0..<300).map { JSONChange(at: JSONPointer(["s\($0)"]), from: nil, to: long) }
        let array = try JSONDocument(
            parsing: "[\n" + Array(repeating: "0", count: 300).joined(separator: ",\n") + "]", options: options)
        let elements = (0..<300).map { JSONChange(at: JSONPointer(["\($0)"]), from: 0, to: long) }
        let edits: [() throws -> JSONDocument] = [
            { try small.setting("b", to: deep) },
            { try small.setting("a", to: deep) },
            { try small.applying(strings) },
            { try array.applying(elements) },
        ]
        for edit in edits {
            let meter = AllocationMeter {
                let error = #expect(throws: JSONEditError.self) { try edit() }
                #expect(error?.code == .size)
            }
            if AllocationMeter.countsOptimizedCode { #expect(meter.allocatedBytes <= 64 * Self.size) }
        }
    }

    @Test(
        "An edit beside line ends or comments allocates at most 100 bytes per byte of the text",
        arguments: ["\n", " \n", "\r\n", "/**/", "//\n", "// x\n\n", "/*\n*/\n"])
    func filler(unit: String) throws {
        let filler = String(repeating: unit, count: Self.size / 2 / unit.utf8.count)
        let edits: [(JSONDocument) throws -> JSONDocument] = [
            { try $0.applying([JSONChange(at: "/1", from: nil, to: [1])]) }, { try $0.setting("/-", to: [1]) },
            { try $0.removing("/0") }, { try $0.removing("/1") }, { try $0.formatted() },
        ]
        for text in ["[1\(filler), \(filler)2]", "[1,\(filler)2\(filler)]", "[\(filler)1,2,\(filler)]"] {
            for (number, edit) in edits.enumerated() {
                let cost = try cost(text, edit)
                #expect(cost <= 100, "edit \(number)")
            }
        }
    }
}
