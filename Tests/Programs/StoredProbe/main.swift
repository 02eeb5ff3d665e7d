import FileScripts
import Glibc
import StoredValues

/// The standard session of this program.
enum Preferences: StandardSession {
    struct Values: Codable, Sendable {
        var showColumn = true
        var count = 0
        var names: [String] = []
        var session = "hidden"
        var constant: Int { 5 }
        var doubled: Int { count * 2 }
    }

    static let session = standard(Values()) { values in
        if values.count < 0 { throw ValidationError("must not be negative", at: "count") }
    }
}

/// Ignores the variable with the location.
enum Fixed: StandardSession {
    struct Values: Codable, Sendable {
        var number = 0
    }

    static let location = SessionLocation.standard(isOverridable: false)
    static let session = standard(Values())
}

/// The key of `Preferences.count`, with another type.
enum Text {
    static let count = Stored("count", default: "none")
}

/// Sets, observes and discards scenes that other processes discard too, and a value that is shared with them.
func useScenes(_ rounds: Int, _ name: String) throws {
    let session = Preferences.session
    let kept = SceneStored("tab", default: 0, in: Scene("kept \(name)", in: session))
    let token = kept.projectedValue.observe { _ in }
    for round in 1...rounds {
        kept.value = round
        SceneStored("tab", default: 0, in: Scene("short", in: session)).value = round
        try Scene("short", in: session).discard()
        try Scene.discard(olderThan: .zero, in: session)
        try Preferences.update { $0.count += 1 }
    }
    withExtendedLifetime(token) {}
}

func location(_ location: SessionLocation) -> String {
    do { return try location.path() } catch { return "none: \(error)" }
}

// Commands on the input, each with one line as the answer.
loop: while let line = readLine() {
    let words = line.split(separator: " ").map(String.init)
    switch words[0] {
    case "where": say("\(location(Preferences.location)) \(location(Fixed.location))")
    case "show": say("\(Preferences.showColumn) \(Preferences.count) \(Preferences.names) \(Preferences[\.session])")
    case "computed": say("\(Preferences.constant) \(Preferences.doubled)")
    case "hide":
        Preferences.showColumn = false
        say("\(Preferences.showColumn)")
    case "count":
        Preferences.count = Int(words[1])!
        say("\(Preferences.count)")
    case "name":
        Preferences.names.append(words[1])
        say("\(Preferences.names)")
    case "increment":
        do {
            let count = try Preferences.update { values in
                values.count += 1
                return values.count
            }
            say("\(count)")
        } catch {
            say("error \(error)")
        }
    case "flush":
        do {
            try Preferences.session.flushBlocking()
            say("flushed")
        } catch {
            say("error \(error)")
        }
    case "text":
        if words.count > 1 { Text.count.value = words[1] }
        say("\(Text.count.value) \(Text.count.problem?.message ?? "usable")")
    case "scenes":
        do {
            try useScenes(Int(words[1])!, words[2])
            say("\(Scene.all(in: Preferences.session).map(\.identifier).sorted())")
        } catch {
            say("error \(error)")
        }
    case "status": say("\(Preferences.session.mirror.status)")
    case "become":
        // Without a name in the password database for most numbers.
        let user = uid_t(words[1])!
        say(setgid(user) + setuid(user) == 0 ? "became \(user)" : "not root")
    case "wait":
        let wanted = Int(words[1])!
        try await Preferences.session.waitUntil { $0.count == wanted }
        say("\(Preferences.count)")
    case "exit": exit(0)
    case "return": break loop
    default: say("unknown command")
    }
}
