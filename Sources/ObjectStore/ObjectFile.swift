internal import LosslessJSON
internal import SessionMirror

/// The contents of an object's file: the identifier, from which a lost index is rebuilt, a version, and the object.
///
/// An object is a member of a JSON text. Bytes follow a line of JSON with the identifier and their count. The version
/// is the time of the save in microseconds, or more, so that it is higher than that of every earlier file of the
/// identifier. Of two files of one identifier, the one with the higher version is newer.
///
/// Objects that exceed a limit of the parser are rejected on save, because they could not be loaded.
enum ObjectFile {
    case json(JSONDocument)
    case bytes(ArraySlice<UInt8>)

    /// The owner of a file.
    struct Owner: Equatable {
        let identifier: String
        /// Zero in a file whose version was removed by hand.
        let version: Int

        /// The highest version accepted. A higher one was edited by hand and is read as zero.
        static let highestVersion = Int.max / 2

        func isSame(as identifier: String) -> Bool { JSON(self.identifier) == JSON(identifier) }
    }

    static let sizeLimit = 1 << 30
    /// The maximum nesting depth of an object: that of the text is one more.
    static let depthLimit = JSONDocument.Options().depthLimit - 1

    fileprivate static let newline = UInt8(ascii: "\n")
    /// The beginning of the header line before bytes. The file of an object never begins like this.
    fileprivate static let bytesPrefix = Array(#"{"bytes":"#.utf8)
    /// An upper bound for the header line: an escaped byte of the identifier takes at most six bytes.
    private static let headerLimit = 6 * ObjectStore.identifierLimit + 150

    /// The length of the beginning that identifies the owner.
    static let headLength = headerLimit

    /// Returns the owner, from the first ``headLength`` bytes of a file; nil if the file is damaged or was reformatted
    /// by hand.
    static func owner(ofHead head: [UInt8]) -> Owner? {
        let header: JSON?
        if head.starts(with: bytesPrefix) {
            header = head.firstIndex(of: newline).flatMap { try? JSON(parsing: Array(head[..<$0])) }
        } else {
            // The lines before that of the object.
            guard let end = head.firstRange(of: NewContents.beforeObject)?.lowerBound else { return nil }
            header = try? JSON(parsing: Array(head[..<end]) + [UInt8(ascii: "}")])
        }
        return header.flatMap(Owner.init)
    }

    /// Splits the contents of a file; throws the problem of a damaged file.
    static func parsed(
        _ contents: [UInt8], in path: String
    ) throws(SessionProblem) -> (owner: Owner, file: ObjectFile) {
        if contents.starts(with: bytesPrefix) {
            guard let end = contents.prefix(headerLimit).firstIndex(of: newline),
                let header = try? JSON(parsing: Array(contents[..<end])), let owner = Owner(header),
                header["bytes"]?.int == contents.count - end - 1
            else {
                throw SessionProblem(
                    .value, in: path, "the file is damaged: its first line does not match the bytes that follow")
            }
            return (owner, .bytes(contents[(end + 1)...]))
        }
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(parsing: contents, options: JSONDocument.Options(sizeLimit: sizeLimit))
        } catch {
            throw SessionProblem(
                .syntax, in: path, error.message, location: error.location, excerpt: error.excerpt)
        }
        guard let owner = Owner(document.value), document.value["object"] != nil else {
            throw SessionProblem(.value, in: path, "the file is damaged: it must have an identifier and an object")
        }
        return (owner, .json(document))
    }
}

extension ObjectFile.Owner {
    fileprivate init?(_ header: JSON) {
        guard let identifier = header["identifier"]?.string else { return nil }
        let version = header["version"]?.int ?? 0
        self.init(identifier: identifier, version: (0...Self.highestVersion).contains(version) ? version : 0)
    }
}

/// The contents of a file to be written, for any version.
struct NewContents {
    private let beforeVersion: [UInt8]
    private let afterVersion: [UInt8]

    /// The separator between the version and an object.
    fileprivate static let beforeObject = Array(",\n  \"object\": ".utf8)

    /// The text of an object.
    init(_ object: JSON, _ identifier: String) {
        beforeVersion =
            Array("{\n  \"identifier\": ".utf8) + Self.text(of: identifier) + Array(",\n  \"version\": ".utf8)
        // Drops the brace and the end of its line.
        afterVersion = Array(",\n".utf8) + JSONPrinter(layout: .lines).bytes(["object": object]).dropFirst(2)
    }

    /// The contents for bytes.
    init(bytes: [UInt8], _ identifier: String) {
        beforeVersion =
            ObjectFile.bytesPrefix + Array("\(bytes.count),\"identifier\":".utf8) + Self.text(of: identifier)
            + Array(",\"version\":".utf8)
        afterVersion = [UInt8(ascii: "}"), ObjectFile.newline] + bytes
    }

    private static func text(of identifier: String) -> [UInt8] {
        JSONPrinter(layout: .compact).bytes(.init(identifier))
    }

    /// The size. A version has 16 digits until the year 2286.
    var count: Int { beforeVersion.count + 16 + afterVersion.count }

    func bytes(version: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        let digits = "\(version)".utf8
        bytes.reserveCapacity(beforeVersion.count + digits.count + afterVersion.count)
        bytes += beforeVersion
        bytes += digits
        bytes += afterVersion
        return bytes
    }

    /// Whether a file has this identifier and object, in any version.
    func isSame(as bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: beforeVersion) else { return false }
        let rest = bytes[beforeVersion.count...].drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return rest.count < bytes.count - beforeVersion.count && rest.elementsEqual(afterVersion)
    }
}

/// The name of an object's file, never reused: 8 hexadecimal digits of its identifier's hash, and 24 random ones.
///
/// The hash reveals nearly all entries that were renamed by hand, without opening their files.
struct ObjectName: Hashable, Sendable {
    let text: String

    /// A new name for an object.
    init(for identifier: String) {
        var generator = SystemRandomNumberGenerator()
        let (first, second): (UInt32, UInt64) = (generator.next(), generator.next())
        text = Self.hash(of: identifier) + Self.digits(first) + Self.digits(second)
    }

    /// Parses a name; nil if the text is not one.
    init?(_ text: String) {
        let isDigit = { (byte: UInt8) in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
        guard text.utf8.count == 32, text.utf8.allSatisfy(isDigit) else { return nil }
        self.text = text
    }

    /// Whether the hash in the name is that of an identifier.
    func fits(_ identifier: String) -> Bool { text.hasPrefix(Self.hash(of: identifier)) }

    private static func hash(of identifier: String) -> String {
        digits(UInt32(truncatingIfNeeded: identifier.identifierHash >> 32))
    }

    private static func digits(_ number: some FixedWidthInteger & UnsignedInteger) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: number.bitWidth / 4 - digits.count) + digits
    }
}

extension String {
    /// The FNV-1a hash of an identifier. It determines the shard and the beginning of the file's name.
    var identifierHash: UInt64 {
        utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
