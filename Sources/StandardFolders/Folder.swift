/// A directory that is identified by its type.
///
/// ```swift
/// extension CacheFolder {
///     struct Images: Folder { let location: FolderLocation }
///     var images: Images { subfolder() }
/// }
///
/// Folders.cache.images.path                  // ~/.cache/<program>/images
/// try Folders.cache.images.create()
/// ```
///
/// Types can be nested to any depth: a property of `Images` returns a folder in it. Naming a folder never creates it.
public protocol Folder: Sendable, Hashable, CustomStringConvertible {
    /// The location of the folder: the only requirement of a conforming type, as a stored property.
    var location: FolderLocation { get }

    /// Creates a value for the folder at a location.
    init(location: FolderLocation)

    /// The name that ``subfolder(_:)`` gives a folder of this type; by default that of the type, see
    /// <doc:StandardFolders#Names>. The standard folders do not use it.
    ///
    /// - Precondition: One component of a path: 1 to 255 bytes, without slash and NUL, neither `.` nor `..`.
    static var name: String { get }
}

extension Folder {
    /// The name of the type, in lower case, with hyphens between its words.
    public static var name: String { FolderName.of(Self.self) }

    /// The absolute path.
    public var path: String { location.path }

    /// The absolute path.
    public var description: String { path }

    /// The last component of the path.
    public var name: String { location.name }

    /// The directory that the subpath is relative to, from an environment variable or the default.
    public var base: String { location.base }

    /// The path relative to the base; empty for the base itself.
    public var subpath: String { location.subpath }

    /// Returns the folder of a type in this folder.
    public func subfolder<Sub: Folder>(_ type: Sub.Type = Sub.self) -> Sub {
        Sub(location: location.appending(Sub.name))
    }

    /// Returns the folder with a name in this folder.
    ///
    /// - Throws: A ``FolderError`` with the code ``FolderError/Code/invalidName``, if the name is not one component of
    ///   a path.
    public func subfolder(named name: String) throws(FolderError) -> NamedFolder {
        guard FolderName.isValid(name) else { throw FolderError(.invalidName, name) }
        return NamedFolder(location: location.appending(name))
    }

    /// Returns a path in this folder: `Folders.config / "server.json"`.
    ///
    /// The text is used as it is: with `..` in it, the path leads out of the folder. Pass untrusted names to
    /// ``subfolder(named:)``, or use them as identifiers of an object store.
    public static func / (folder: Self, subpath: String) -> String {
        FolderLocation.path(folder.path, subpath)
    }
}

/// A folder in another one that has no type of its own.
public struct NamedFolder: Folder {
    public let location: FolderLocation

    public init(location: FolderLocation) { self.location = location }
}

/// The location of a ``Folder``: a base directory, and a path relative to it.
public struct FolderLocation: Sendable, Hashable {
    /// The absolute path of the base directory.
    public let base: String
    /// The path relative to the base; empty for the base itself.
    public let subpath: String
    /// Whether the base directory is known. It is unknown if it would be below the home directory and the user has
    /// none. The path then begins with `/nonexistent`, the home directory of users without one.
    public let isKnown: Bool

    init(_ base: String, _ subpath: String = "", isKnown: Bool = true) {
        (self.base, self.subpath, self.isKnown) = (base, subpath, isKnown)
    }

    /// The absolute path.
    public var path: String {
        subpath.isEmpty ? base : Self.path(base, subpath)
    }

    /// A path in a directory, which may be the root.
    static func path(_ directory: String, _ subpath: some StringProtocol) -> String {
        directory == "/" ? "/\(subpath)" : "\(directory)/\(subpath)"
    }

    /// The last component of the path.
    public var name: String {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[path.index(after: $0)...]) } ?? path
    }

    package func appending(_ name: String) -> FolderLocation {
        precondition(
            FolderName.isValid(name), "\"\(name)\" cannot be the name of a directory: a name is one component of a path"
        )
        return FolderLocation(base, subpath.isEmpty ? name : "\(subpath)/\(name)", isKnown: isKnown)
    }
}

/// The names of folders.
enum FolderName {
    /// The name of a type, without the types that it is nested in, in lower case, with hyphens between its words:
    /// `user-files` for `UserFiles` and `User_Files`, `http-cache` for `HTTPCache`.
    static func of(_ type: Any.Type) -> String {
        var name = ""
        let letters = Array(String(describing: type).prefix { $0 != "<" })
        for (index, letter) in letters.enumerated() {
            if letter == "_" || letter == "/" {
                name += "-"
                continue
            }
            if letter.isUppercase, index > 0, letters[index - 1] != "_" {
                // In HTTPCache, the second word begins at the last capital.
                let isLast = letters.indices.contains(index + 1) && letters[index + 1].isLowercase
                if !letters[index - 1].isUppercase || isLast { name += "-" }
            }
            name += letter.lowercased()
        }
        return name
    }

    /// Whether a name is one component of a path.
    static func isValid(_ name: String) -> Bool {
        !["", ".", ".."].contains(name) && name.utf8.count <= 255 && !name.utf8.contains(UInt8(ascii: "/"))
            && !name.utf8.contains(0)
    }
}
