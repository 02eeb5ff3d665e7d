import LosslessJSON
import SessionMirror
import TestSupport
import Testing

@Suite("Safe array subscripts") struct SafeIndexTests {
    struct Service: Codable, Equatable, Sendable {
        struct Host: Codable, Equatable, Sendable {
            var name: String
            var weights = [1, 2]
        }

        var hosts = [Host(name: "a"), Host(name: "b")]
        var byName: [String: [Int]] = ["x": [1]]
        var tree: ContiguousArray<Int> = [1, 2]
    }

    @Test(
        "A safe subscript with an index out of range reads nil and ignores assignments",
        arguments: [-1, 2, 3, Int.min, Int.max]) func reading(index: Int)
    {
        var service = Service()
        #expect(service.hosts[at: index] == nil && service.tree[at: index] == nil)
        #expect(JSONArray([1, 2])[at: index] == nil)
        #expect(service.hosts[at: 1]?.weights[at: index] == nil && service.byName["x"]?[at: index] == nil)
        #expect(ArraySlice([1, 2, 3])[at: index == 2 ? 3 : index] == nil && [Int]()[at: index] == nil)
        service.hosts[at: index] = Service.Host(name: "c")
        service.hosts[at: index]?.name = "c"
        service.hosts[at: index]?.weights[at: index]? += 1
        service.hosts[at: index] = nil
        #expect(service == Service())
    }

    @Test("A safe subscript with a valid index reads, changes and removes the element") func setting() {
        var service = Service()
        service.hosts[at: 1]?.name = "c"
        service.hosts[at: 0]?.weights[at: 1] = 7
        service.byName["x"]?[at: 0]? += 1
        service.hosts[at: 0] = nil
        #expect(service.hosts.map(\.name) == ["a", "c"] && service.hosts[0].weights == [1, 7])
        #expect(service.byName == ["x": [2]] && service.hosts[at: 1]?.name == "c")
        let path = \Service.hosts[at: 1]?.name
        #expect(service[keyPath: path] == "c")
    }

    private func hosts(_ names: String..., tree: String) -> String {
        let hosts = names.map { "{\"name\": \"\($0)\", \"weights\": []}" }
        return "{\"hosts\": [\(hosts.joined(separator: ", "))], \"tree\": [\(tree)]}"
    }

    @Test("An observed element becomes nil when an edit shortens the array, and returns with it")
    func observing() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.json", hosts("a", "b", tree: "1, 2"))
        let session = try Session(Service(), at: folder.path(of: "a.json"))
        let names = Received<String?>()
        let elements = Received<Int?>()
        let tokens = [
            session.observe(\.hosts[at: 1]?.name) { names.add($0.new) },
            session.observe(\.tree[at: 1]) { elements.add($0.new) },
        ]
        try folder.write("a.json", hosts("a", tree: ""))
        eventually("the elements are nil") { names.items.last == .some(nil) && elements.items.last == .some(nil) }
        try folder.write("a.json", hosts("a", "c", tree: "3, 4"))
        eventually("the elements have values again") { names.items.last == "c" && elements.items.last == .some(4) }
        try session.update { service in
            service.hosts[at: 1]?.name = "d"
            service.hosts[at: 7] = Service.Host(name: "e")
        }
        #expect(session.hosts.map(\.name) == ["a", "d"] && session[\.hosts[at: 2]] == nil)
        for token in tokens { token.cancel() }
        try session.closeBlocking()
    }
}
