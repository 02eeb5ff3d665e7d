import LosslessJSON
import Testing

@testable import sessionctl

@Suite("Search in the tree") struct TreeSearchTests {
    private let value: JSON = [
        "name": "Alpha", "list": ["beta", 12, ["Name": true]], "empty": nil, "ünï": "äöü", "secret": ["name": "beta"],
    ]

    private func find(_ query: String, from tokens: [String], isBackward: Bool = false, secrets: JSONSecrets = [])
        -> [String]?
    {
        var rows = TreeRows()
        rows.addFile()
        rows.show(value, of: 0)
        return TreeSearch.find(
            query, in: rows, from: RowPath(branch: 0, tokens: tokens), isBackward: isBackward, hiding: secrets
        )?.tokens
    }

    /// The matches in order, starting with the first after the root.
    private func matches(_ query: String, isBackward: Bool = false, secrets: JSONSecrets = []) -> [[String]] {
        var found: [[String]] = []
        while let next = find(query, from: found.last ?? [], isBackward: isBackward, secrets: secrets),
            !found.contains(next)
        { found.append(next) }
        return found
    }

    @Test("Keys and values are found in both directions, and around the end") func order() {
        let names = [["name"], ["list", "2", "Name"], ["secret", "name"]]
        #expect(matches("name") == names)
        #expect(matches("NAME", isBackward: true) == names.reversed())
        #expect(find("name", from: ["secret", "name"]) == ["name"])
        #expect(find("name", from: ["name"], isBackward: true) == ["secret", "name"])
        #expect(find("alpha", from: ["name"]) == ["name"])
        #expect(find("alpha", from: ["name"], isBackward: true) == ["name"])
    }

    @Test("Scalars of every kind are found; indices of arrays are not") func kinds() {
        #expect(matches("12") == [["list", "1"]])
        #expect(matches("true") == [["list", "2", "Name"]])
        #expect(matches("null") == [["empty"]])
        #expect(matches("ÖÜ") == [] && matches("öü") == [["ünï"]] && matches("ünï") == [["ünï"]])
        #expect(matches("0") == [] && matches("zzz") == [] && matches("") == [])
    }

    @Test("Secrets are not found, neither their values nor their keys") func secrets() {
        #expect(matches("beta", secrets: ["secret"]) == [["list", "0"]])
        #expect(matches("name", secrets: ["secret"]) == [["name"], ["list", "2", "Name"]])
        #expect(matches("name", secrets: ["secret.name"]) == [["name"], ["list", "2", "Name"], ["secret", "name"]])
        #expect(matches("alpha", secrets: ["name.x"]) == [])
    }
}
