// The folders that ``Folders`` has. Extend a type with the folders that your program keeps in it.

/// The folder for settings that people write.
public struct ConfigFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}

/// The folder for what a program remembers between runs: settings that it changes itself, sessions, histories.
public struct StateFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}

/// The folder for data that matters to the user, and that is worth a backup.
public struct DataFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}

/// The folder for files that can be created again.
public struct CacheFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}

/// The folder for sockets and locks, which is empty after a restart of the system.
public struct RuntimeFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}

/// The folder for logs.
public struct LogsFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}

/// The user's folder for documents, which belongs to no program.
public struct DocumentsFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}

/// The folder for temporary files, which users usually share: see `Folders.withTemporary`.
public struct SharedTemporaryFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}

/// The user's home directory.
public struct HomeFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}
