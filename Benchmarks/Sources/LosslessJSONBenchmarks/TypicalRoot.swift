/// A typical root type: forty values in a few groups, about 1 KB of text.
struct TypicalRoot: Codable, Sendable {
    struct Window: Codable, Sendable {
        var x = 120.5
        var y = 80.25
        var width = 1_280
        var height = 800
        var isFullScreen = false
        var title = "Untitled document"
    }

    struct Server: Codable, Sendable {
        var host = "updates.example.org"
        var port = 8_443
        var usesTLS = true
        var timeout = 2.5
        var retries = 3
        var proxy: String?
    }

    struct Project: Codable, Sendable {
        var name: String
        var path: String
        var opened: Int
        var isPinned: Bool
    }

    enum Theme: String, Codable, Sendable {
        case light, dark, system
    }

    var version = 3
    var theme = Theme.system
    var language = "en_GB.UTF-8"
    var fontSize = 13.0
    var launches = 4_812
    var sendsReports = false
    var window = Window()
    var server = Server()
    var projects = (1...4).map { number in
        Project(
            name: "Project \(number)", path: "/home/somebody/Projects/project-\(number)",
            opened: 1_790_000_000 + number, isPinned: number == 1)
    }
    var shortcuts = ["open": "ctrl+o", "save": "ctrl+s", "close": "ctrl+w", "find everywhere": "ctrl+shift+f"]
    var recentSearches = ["needle", "haystack", "a longer search, with \"quotes\""]
}
