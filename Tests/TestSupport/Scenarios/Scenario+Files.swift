import Foundation

extension Scenario {
    /// All that are written in Tests/Scenarios, in the order of the files' names: what everybody plays who watches.
    package static func all() throws -> [Scenario] { try inFolder("") }

    /// Those that only the watch plays, because of what they need or expect.
    package static func ofTheWatch() throws -> [Scenario] { try inFolder("Watching") }

    private static func inFolder(_ name: String) throws -> [Scenario] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Scenarios/\(name)")
            .standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "scenario" }.sorted { $0.path < $1.path }.flatMap {
            try parse(String(contentsOf: $0, encoding: .utf8))
        }
    }

    /// The scenarios of one file.
    package static func parse(_ text: String) throws -> [Scenario] {
        var scenarios: [Scenario] = []
        for (word, text) in try entries(of: text) {
            if word == "scenario" {
                scenarios.append(Scenario(name: text))
            } else if scenarios.isEmpty {
                throw SystemRefusal("\(word) stands before the first scenario")
            } else {
                try scenarios[scenarios.count - 1].add(word, text)
            }
        }
        return scenarios
    }

    /// The words at the beginnings of lines, each with what belongs to it.
    private static func entries(of text: String) throws -> [(word: String, text: String)] {
        var entries: [(word: String, text: String)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("    "), !entries.isEmpty {
                entries[entries.count - 1].text += "\n" + line.dropFirst(4)
            } else if !line.isEmpty, !line.hasPrefix("#") {
                entries.append(try entry(String(line)))
            }
        }
        return entries
    }

    private static func entry(_ line: String) throws -> (word: String, text: String) {
        let separator: Character = line.hasPrefix("for ") ? " " : ":"
        guard let end = line.firstIndex(of: separator) else { throw SystemRefusal("no word and colon: \(line)") }
        let text = line[line.index(after: end)...].drop { $0 == " " }
        return (String(line[..<end]), String(text))
    }
}
