import LosslessJSON
import Testing

@Suite("Subscripts with several keys") struct JSONWalkingTests {
    private let long = "a key of more than fourteen bytes"

    @Test("A subscript with several keys gives the same value as chained subscripts", arguments: [3, 40])
    func walking(width: Int) {
        var inner = JSONObject((1...width).map { ("k\($0)", JSON($0)) })
        inner[long] = "deep"
        let middle = JSONObject((1...width).map { ("k\($0)", JSON.object(inner)) } + [(long, .object(inner))])
        let json = JSON.object(["http": .object(middle), "none": nil])
        for first in ["http", "none", "k1"] {
            for second in ["k1", "k\(width)", "k0", long] {
                #expect(json[first, second] == json[first]?[second])
                for third in ["k1", "k\(width)", "k0", long] {
                    #expect(json[first, second, third] == json[first]?[second]?[third])
                }
            }
        }
        #expect(json["http", long, long] == "deep")
        #expect(json["http", "k1", "k1"] == 1)
    }

    @Test(
        "A subscript with several keys is nil if a value on the path is not an object or a member is missing",
        arguments: [JSON.null, 1, "a", [], ["a": 1], ["a": ["b": 1]]])
    func nothing(_ json: JSON) {
        #expect(json["a", "x"] == nil)
        #expect(json["a", "b", "c"] == nil)
    }
}
