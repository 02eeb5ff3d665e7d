// A player's profile: values of every kind in one structure, loaded at the first access, saved when set, and observed.
//
//   $ profile
//   > name ann
//   name: ann
//   > friend bob
//   > show
//
// The values are in ~/.local/state/profile/session.json, as text that people can edit.
import Foundation
import StoredValues

enum Profile: StandardSession {
    struct Values: Codable, Sendable {
        var isOnline = true
        var logins = 0
        var volume: Float = 0.5
        var name = "unnamed"
        var homepage = URL(string: "https://example.org")!
        var friends: [String] = []
        var scores: [String: Int] = [:]
        var birthday: Date?
        var picture = Data([1, 2])
    }
    static let session = standard(Values())
}

let token = Profile.observe(\.name) { print("name:", $0.new) }
try Profile.update { $0.logins += 1 }
while let words = readLine()?.split(separator: " ").map(String.init) {
    switch (words.first, words.last) {
    case ("name", let name?): Profile.name = name
    case ("friend", let friend?): try Profile.update { $0.friends.append(friend) }
    case ("score", let game?): try Profile.update { $0.scores[game, default: 0] += 1 }
    case ("home", let page?): Profile.homepage = URL(string: page) ?? Profile.homepage
    case ("birthday", let day?): Profile.birthday = try? Date(day, strategy: .iso8601.year().month().day())
    case ("show", _): print(Profile.logins, Profile.name, Profile.friends, Profile.scores, Profile.volume)
    default: print("Say name, friend, score, home or birthday, and a value; or show.")
    }
}
