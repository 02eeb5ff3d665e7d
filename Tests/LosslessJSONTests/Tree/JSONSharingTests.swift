import Synchronization
import TestSupport
import Testing

@testable import LosslessJSON

@Suite("Values shared between threads")
struct JSONSharingTests {
    static let text: String = {
        let members = (0..<500).map { number in
            #""key \#(number)": {"id": \#(number), "name": "a name of many letters \#(number)", "tags": ["\u0061", 1.0]}"#
        }
        return "{" + members.joined(separator: ", ") + "}"
    }()

    @Test("Threads read, compare and hash a value while others derive and release versions of it")
    func readingAndDeriving() throws {
        let base = try JSON(parsing: JSONSharingTests.text)
        let twin = try JSON(parsing: JSONSharingTests.text)
        let hash = twin.hashValue
        let faults = Atomic(0)
        onThreads(6) { thread in
            for round in 0..<8 {
                let isReader = thread < 3
                let isRight = isReader ? Self.reads(base, twin, hash) : Self.derives(base, thread, round)
                if !isRight { faults.add(1, ordering: .relaxed) }
            }
        }
        #expect(faults.load(ordering: .relaxed) == 0)
        #expect(base == twin && base.description == twin.description && base.fault == nil)
    }

    private static func reads(_ base: JSON, _ twin: JSON, _ hash: Int) -> Bool {
        let found = stride(from: 0, to: 500, by: 7).allSatisfy { (number: Int) in
            base["key \(number)"]?["id"]?.int == number
                && base["key \(number)"]?["name"]?.string == "a name of many letters \(number)"
                && base["key \(number)"]?["tags"]?[0]?.string == "a"
        }
        return found && base == twin && base.hashValue == hash && base.object?.count == 500
    }

    private static func derives(_ base: JSON, _ thread: Int, _ round: Int) -> Bool {
        var version = base
        for number in 0..<60 {
            version["key \(number)"]?["id"] = JSON(-thread)
            version["new key of thread \(thread), \(number)"] = JSON(round)
            version["key \(499 - number)"] = nil
        }
        let isRight = version["key 59"]?["id"]?.int == -thread && version.object?.count == 500
        return isRight && version.difference(from: base).count == 180 && base["key 499"] != nil
    }

    @Test("Several threads reparse the same document concurrently")
    func reparsing() throws {
        let document = try JSONDocument(parsing: JSONSharingTests.text)
        let faults = Atomic(0)
        onThreads(4) { thread in
            var newest = document
            for round in 0..<4 {
                let name = "thread \(thread)"
                let text = JSONSharingTests.text.replacing("\"id\": \(round),", with: "\"id\": \"\(name)\",")
                guard let next = try? newest.reparsed(text), next.value["key \(round)"]?["id"]?.string == name else {
                    faults.add(1, ordering: .relaxed)
                    return
                }
                newest = next
            }
        }
        #expect(faults.load(ordering: .relaxed) == 0)
    }
}
