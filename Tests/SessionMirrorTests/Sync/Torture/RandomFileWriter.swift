import Glibc
import LosslessJSON
import TestSupport

/// Writes a file in random ways, like people and programs that do not use the library, sometimes with invalid content.
struct RandomFileWriter {
    let folder: TemporaryFolder
    let name: String
    /// Distinguishes it from other writers.
    let number: Int
    let violations: Received<String>

    func write(until endOfTest: EndOfTest) {
        var step = 0
        while !endOfTest.isOver {
            step += 1
            do { try write(step) } catch { violations.add("\(error)") }
            usleep(.random(in: 0...4_000))
        }
    }

    private func write(_ step: Int) throws {
        let text = text(step)
        switch Int.random(in: 0..<8) {
        case 0..<3: try replace(by: text)
        case 3, 4: try folder.write(name, text)
        case 5:
            try folder.write(name, String(text.dropLast(10)))
            usleep(1_000)
            try folder.append(name, String(text.suffix(10)))
        case 6:
            try folder.write(name, #"{ "counts": 7, "shared": "#)
            usleep(10_000)
            try replace(by: text)
        default:
            try? folder.remove(name)
            usleep(2_000)
            if Bool.random() { try replace(by: text) }
        }
    }

    func replace(by text: String) throws {
        try folder.write("\(name).\(number)", text)
        try folder.rename("\(name).\(number)", to: name)
    }

    /// The current text with this writer's key changed, or a new text if the current one is invalid.
    private func text(_ step: Int) -> String {
        let own = JSONPointer(["writer\(number)"])
        let empty = "// begun again\n{\n  \"shared\": 1\n}\n"
        let there = (try? folder.read(name)) ?? ""
        guard let document = try? JSONDocument(parsing: there), document.value.object != nil,
            let edited = try? document.setting(own, to: JSON(step))
        else { return empty }
        return edited.text
    }
}
