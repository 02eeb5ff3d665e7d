/// The names of folders.
enum FolderName {
    /// The name of a type without those that it is nested in, in lower case, with hyphens between its words: `user-files` for
    /// `UserFiles` and `User_Files`, `http-cache` for `HTTPCache`.
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
