public import FoundationEssentials
public import StandardFolders

extension Folder {
    /// The URL of the folder.
    public var url: URL { URL(filePath: path, directoryHint: .isDirectory) }
}
