// The new code of the page "Coming from …", as it stands there, and what the page promises. The first argument is an empty
// directory.
import Foundation
import StoredValues

setenv("XDG_STATE_HOME", CommandLine.arguments[1], 1)

enum SessionPersistence: StandardSession {
    struct Values: Codable, Sendable {
        var showColumn = true
        var showTags = true
    }
    static let session = standard(Values())
}

enum Profile: StandardSession {
    struct Values: Codable, Sendable {
        var name = "unnamed"
        var homepage: URL?
        var scores: [String: Int] = [:]
        var lastGame: Date?
    }
    static let session = standard(Values())
}
let token = Profile.observe(\.name) { print($0.new) }

struct RatingView: Sendable {
    let exercise: Int
    @Stored("ratings") private var ratings: [Int] = []
    @Stored("nickname") var nickname: String?

    func tap(_ rating: Int) {
        $ratings.update { all in
            while all.count <= exercise { all.append(0) }
            all[exercise] = rating
        }
    }
}

struct WindowState: Sendable {
    @SceneStored("selectedTab") var selectedTab = 9
    @Stored("ratings") var ratings: [Int] = []
}
let left = Scene("left").run { WindowState() }

SessionPersistence.showColumn = false
Profile.name = "ann"
Profile.scores["chess"] = 2
let view = RatingView(exercise: 1)
view.tap(5)
view.nickname = "bo"
left.selectedTab = 2
precondition(!SessionPersistence.showColumn && Profile.name == "ann" && view.nickname == "bo")
precondition(left.ratings == [0, 5] && left.selectedTab == 2)
precondition(Scene.all().map(\.identifier) == ["left"])
precondition(SessionPersistence.session.mirror.status.warnings.isEmpty)
try await Profile.session.flush()

let path = try SessionLocation.standard.path()
precondition(path == CommandLine.arguments[1] + "/ComingFrom/session.json")
let text = try String(contentsOfFile: path, encoding: .utf8)
for part in [#""showColumn": false"#, #""name": "ann""#, #""ratings": [0, 5]"#, #""selectedTab": 2"#] {
    precondition(text.contains(part), text)
}
precondition(!text.contains("showTags"))

view.nickname = nil
try left.$selectedTab.flushBlocking()
let withoutName = try String(contentsOfFile: path, encoding: .utf8)
precondition(!withoutName.contains("nickname"), withoutName)
try text.replacingOccurrences(of: "false", with: "true").write(toFile: path, atomically: true, encoding: .utf8)
try await SessionPersistence.session.waitUntil(within: .seconds(20)) { $0.showColumn }
try Scene("left").discard()
precondition(left.selectedTab == 9 && Scene.all().isEmpty)
