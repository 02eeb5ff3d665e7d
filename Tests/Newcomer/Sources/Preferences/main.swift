import Foundation
import SessionMirror

// The preferences of a program with windows: defaults, nested sections, one window per identifier, the main actor.

struct Preferences: Codable, Equatable, Sendable {
    var theme = "light"
    var home = URL(string: "https://example.org")!
    var windows: [String: Window] = [:]

    struct Window: Defaulted, Equatable, Sendable {
        var width = 800
        var height = 600
    }
}

@MainActor final class Application {
    private let session: Session<Preferences>
    private var tokens: Set<Subscription> = []
    private(set) var shownThemes: [String] = []

    init(_ path: String) throws {
        var options = SessionOptions()
        options.replacing.createsDirectories = true
        session = try Session(Preferences(), at: path, options: options)
        session.observe(\.theme, initial: true, on: .mainActor) { [unowned self] change in
            shownThemes.append(change.new)
        }.store(in: &tokens)
    }

    func resize(_ window: String, to width: Int) throws {
        try session.update { $0.windows[defaulted: window].width = width }
    }

    func width(of window: String) -> Int { session[\.windows[defaulted: window].width] }

    func waitUntilShown(_ theme: String) async throws {
        while shownThemes.last != theme { try await Task.sleep(for: .milliseconds(1)) }
    }

    func quit() async throws {
        tokens = []
        try await session.close()
    }
}

let path = CommandLine.arguments[1] + "/config/program/preferences.json"

let first = try Application(path)
precondition(first.width(of: "main") == 800)
try first.resize("main", to: 1024)
precondition(first.width(of: "main") == 1024)
try await first.waitUntilShown("light")
try await first.quit()
print(try String(contentsOfFile: path, encoding: .utf8))

// An empty file, as `touch` makes one, has no values; a person begins to fill it.
try "".write(toFile: path, atomically: false, encoding: .utf8)
let second = try Application(path)
precondition(second.width(of: "main") == 800)
try "// mine\n{ \"theme\": \"dark\" }\n".write(toFile: path, atomically: true, encoding: .utf8)
try await second.waitUntilShown("dark")
try second.resize("side", to: 300)
try await second.quit()
let text = try String(contentsOfFile: path, encoding: .utf8)
print(text)
precondition(text.hasPrefix("// mine\n") && text.contains("\"width\": 300"))
