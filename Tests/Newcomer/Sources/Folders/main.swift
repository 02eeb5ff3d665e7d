// The samples of the page StandardFolders, run in a home of their own.
import StandardFolders

func check(_ condition: Bool, _ message: String) { if !condition { fatalError(message) } }

func render(into path: String) throws { check(path.hasSuffix("/page.html"), "a path in a temporary folder") }

print(Folders.state.path)  // ~/.local/state/<program>
let settings = Folders.config / "server.json"  // ~/.config/<program>/server.json
check(settings.hasSuffix("/Folders/server.json"), "settings")

extension CacheFolder {
    struct Images: Folder { let location: FolderLocation }
    var images: Images { subfolder() }
}

extension CacheFolder.Images {
    struct UserPortraits: Folder { let location: FolderLocation }
    var portraits: UserPortraits { subfolder() }
}

let portraits = Folders.cache.images.portraits
print(portraits.name)  // user-portraits
print(portraits.subpath)  // <program>/images/user-portraits
print(portraits.base)  // ~/.cache
check(portraits.path == "\(portraits.base)/Folders/images/user-portraits", "a nested folder")

struct Attachments: Folder {
    static let name = "Attached Files"
    let location: FolderLocation
}
check(Folders.data.subfolder(Attachments.self).name == "Attached Files", "a declared name")

let album = try Folders.data.subfolder(named: "Summer 2026")
check(!album.exists, "naming a folder does not create it")
check(try album.create().exists, "a created folder")
try album.create()  // with its parents, mode 0700
for name in try album.names() { print(name) }
try album.remove()  // with its contents
check(!album.exists, "a removed folder")

try Folders.withTemporary { folder in
    try render(into: folder / "page.html")
}

enum NotesSuite: FolderGroup {}

print(GroupFolders<NotesSuite>.data.path)  // ~/.local/share/notes-suite
check(GroupFolders<NotesSuite>.data.name == "notes-suite", "a group")
