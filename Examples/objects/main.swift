// Saves notes, each under an identifier.
//
//   $ objects save shopping/today "milk, bread"
//   $ objects list shopping/
//   shopping/today: milk, bread
//   $ objects watch shopping/ &
//   $ objects remove shopping/today
//   shopping/today: removed
import Glibc
import ObjectStore

struct Note: Codable, Sendable {
    var text: String
}

let store = ObjectStore.shared  // in ~/.local/share/objects/objects
let words = Array(CommandLine.arguments.dropFirst())
do {
    switch (words.first, words.count) {
    case ("save", 3): try await store.save(Note(text: words[2]), as: words[1])
    case ("list", 1...2):
        for identifier in try store.identifiers(under: words.dropFirst().first ?? "") {
            guard let note = try store.load(Note.self, identifier) else { continue }
            print("\(identifier): \(note.text)")
        }
    case ("remove", 2):
        if try await !store.remove(words[1]) { print("there is no \(words[1])") }
    case ("watch", 2):
        for await change in try store.changes(under: words[1]) {
            print("\(change.identifier): \(change.kind)")
            fflush(nil)
        }
    default: print("usage: objects save NAME TEXT | list [PREFIX] | remove NAME | watch PREFIX")
    }
} catch {
    print("error: \(error)")
}
