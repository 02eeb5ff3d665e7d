// The samples of the page ObjectStore, run in a home of their own.
import Foundation
import ObjectStore

func check(_ condition: Bool, _ message: String) { if !condition { fatalError(message) } }

struct Portrait: Codable, Sendable {
    var name: String
}

let store = ObjectStore(in: Folders.data / "portraits")  // or ObjectStore.shared
try await store.save(Portrait(name: "Ann"), as: "user/42/portrait")
let portrait = try store.load(Portrait.self, "user/42/portrait")  // nil if there is none, or if nil was saved
let same: Portrait? = try store.load("user/42/portrait")
let names = try store.identifiers(under: "user/42/")
try await store.remove("user/42/portrait")
check(portrait?.name == "Ann" && same?.name == "Ann" && names == ["user/42/portrait"], "saving and loading")
check(try store.load(Portrait.self, "user/42/portrait") == nil, "removing")

try await store.save(bytes: [0xff, 0xd8, 0xff], as: "user/42/picture")
let picture = try store.loadBytes("user/42/picture")
check(picture == [0xff, 0xd8, 0xff], "bytes")
try await store.save("hello", as: "greeting") { $0.utf8 }
let greeting = try store.load("greeting") { String(decoding: $0, as: UTF8.self) }
check(greeting == "hello", "another encoder")

try await store.save(Portrait(name: "Ann"), as: "user/42/plist") { try PropertyListEncoder().encode($0) }
let plist = try store.load("user/42/plist") { try PropertyListDecoder().decode(Portrait.self, from: Data($0)) }
check(plist?.name == "Ann", "a property list")

let images = ObjectStore(
    in: Folders.cache / "images", limit: [.bytes(100_000_000), .age(.seconds(86_400))], durability: .fast)
try images.saveBlocking(bytes: [1], as: "a")
check(try images.identifiers() == ["a"], "a cache")

extension CacheFolder {
    struct Icons: Folder { let location: FolderLocation }
    var icons: Icons { subfolder() }
}

let icons = ObjectStore(in: Folders.cache.icons, limit: .count(1_000), durability: .fast)
check(icons.path == Folders.cache.icons.path, "a store in a folder")

let jobs = ObjectStore(in: Folders.state / "jobs")
check(jobs.path == Folders.state / "jobs", "a store of a service")

let changes = try store.changes(under: "user/42/")
Task {
    for await change in changes { print(change.identifier, change.kind) }  // user/42/portrait saved
}
let own = try store.changes(of: "user/42/portrait")
try store.saveBlocking(Portrait(name: "Bob"), as: "user/42/portrait")
for await change in own {
    check(change == ObjectChange("user/42/portrait", .saved, origin: .update), "observing")
    break
}

// A type that has another property by now.
struct LargePortrait: Codable, Sendable, Defaulted {
    var name = "unnamed"
    var size = 1
}
check(try store.load(LargePortrait.self, "user/42/portrait")?.size == 1, "defaults of a new property")
