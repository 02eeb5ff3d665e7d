import Foundation
import ParserChecks

// Checks the files and the folders of files that are named: to measure coverage, and to look at a finding.
for argument in CommandLine.arguments.dropFirst() {
    let folder = URL(fileURLWithPath: argument)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: argument)) ?? []
    for file in names.isEmpty ? [folder] : names.map({ folder.appending(path: $0) }) {
        let text = Array(try Data(contentsOf: file))
        ParserChecks.run(text)
        EditChecks.run(text)
    }
}
