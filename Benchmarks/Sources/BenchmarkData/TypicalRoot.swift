/// A typical root type: forty values in a few groups, about 1 KB of text.
package struct TypicalRoot: Codable, Sendable {
    package struct Window: Codable, Sendable {
        package var x = 120.5
        package var y = 80.25
        package var width = 1_280
        package var height = 800
        package var isFullScreen = false
        package var title = "Untitled document"
    }

    package struct Server: Codable, Sendable {
        package var host = "updates.example.org"
        package var port = 8_443
        package var usesTLS = true
        package var timeout = 2.5
        package var retries = 3
        package var proxy: String?
    }

    package struct Project: Codable, Sendable {
        package var name: String
        package var path: String
        package var opened: Int
        package var isPinned: Bool
    }

    package enum Theme: String, Codable, Sendable {
        case light, dark, system
    }

    package init() {}

    package var version = 3
    package var theme = Theme.system
    package var language = "en_GB.UTF-8"
    package var fontSize = 13.0
    package var launches = 4_812
    package var sendsReports = false
    package var window = Window()
    package var server = Server()
    package var projects = (1...4).map { number in
        Project(
            name: "Project \(number)", path: "/home/somebody/Projects/project-\(number)",
            opened: 1_790_000_000 + number, isPinned: number == 1)
    }
    package var shortcuts = ["open": "ctrl+o", "save": "ctrl+s", "close": "ctrl+w", "find everywhere": "ctrl+shift+f"]
    package var recentSearches = ["needle", "haystack", "a longer search, with \"quotes\""]
}
