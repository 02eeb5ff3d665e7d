// A list whose columns can be hidden: static parameters, one line each.
//
//   $ columns
//   name        size  tags
//   notes.txt   1 KB  work
//   > hide size
//   name        tags
//   notes.txt   work
//
// The settings are in ~/.local/state/columns/session.json. Edit it while the program runs.
import StoredValues

enum SessionPersistence: StandardSession {
    struct Values: Codable, Equatable, Sendable {
        var showSize = true
        var showTags = true
    }
    static let session = standard(Values())
}

func draw() {
    let size = SessionPersistence.showSize
    let tags = SessionPersistence.showTags
    print("name       ", size ? "size" : "", tags ? "tags" : "", separator: " ")
    print("notes.txt  ", size ? "1 KB" : "", tags ? "work" : "", separator: " ")
}

let token = SessionPersistence.observe(\.self, initial: true) { _ in draw() }
while let line = readLine() {
    switch line {
    case "hide size": SessionPersistence.showSize = false
    case "show size": SessionPersistence.showSize = true
    case "hide tags": SessionPersistence.showTags = false
    case "show tags": SessionPersistence.showTags = true
    default: print("Say hide or show, then size or tags.")
    }
}
