// Where a program keeps its files: typed folders.
//
//   $ folders
//   config     /home/ann/.config/folders
//   ...
//   $ folders create
//   /home/ann/.cache/folders/images/user-portraits
//   $ folders list
//   user-portraits
//   $ folders remove
import StandardFolders

extension CacheFolder {
    struct Images: Folder { let location: FolderLocation }
    var images: Images { subfolder() }
}

extension CacheFolder.Images {
    struct UserPortraits: Folder { let location: FolderLocation }
    var portraits: UserPortraits { subfolder() }
}

let images = Folders.cache.images
switch CommandLine.arguments.dropFirst().first {
case "create": print(try images.portraits.create().path)
case "list": for name in try images.names() { print(name) }
case "remove": try images.remove()
default:
    for (name, path) in [
        ("config", Folders.config.path), ("state", Folders.state.path), ("data", Folders.data.path),
        ("cache", Folders.cache.path), ("runtime", Folders.runtime.path), ("logs", Folders.logs.path),
        ("documents", Folders.documents.path), ("temporary", Folders.temporary.path), ("home", Folders.home.path),
    ] {
        print(name + String(repeating: " ", count: 11 - name.count) + path)
    }
}
