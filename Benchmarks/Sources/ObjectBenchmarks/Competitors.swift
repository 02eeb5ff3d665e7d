import CSQLite
import Foundation
import ManualTiming

/// An object of about as many bytes as JSON as asked for.
struct Portrait: Codable, Sendable {
    var version = 0
    var lines: [String]

    init(bytes: Int, version: Int = 0) {
        self.version = version
        let line = "a line of a text that is there to be carried along, and has sixty bytes"
        lines = Array(repeating: line, count: max(1, bytes / (line.utf8.count + 3)))
    }
}

/// What programs write without a library: a file for each identifier, with JSONEncoder and an atomic write. Foundation
/// does not wait for the disk.
struct PlainFiles {
    let folder: String

    func save(_ portrait: Portrait, as name: String) throws {
        try JSONEncoder().encode(portrait).write(to: URL(filePath: "\(folder)/\(name)"), options: .atomic)
    }

    func load(_ name: String) throws -> Portrait {
        try JSONDecoder().decode(Portrait.self, from: Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }
}

/// A database with a blob for each identifier, with a log for writing ahead (WAL).
final class Database {
    private var connection: OpaquePointer?
    private let insertion: OpaquePointer?
    private let selection: OpaquePointer?

    /// - Parameter isDurable: Whether each save waits for the disk.
    init(at path: String, isDurable: Bool) {
        var statements: (insertion: OpaquePointer?, selection: OpaquePointer?)
        guard sqlite3_open(path, &connection) == SQLITE_OK,
            sqlite3_exec(
                connection,
                """
                PRAGMA journal_mode = WAL; PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL");
                CREATE TABLE objects (identifier TEXT PRIMARY KEY, contents BLOB) WITHOUT ROWID;
                """, nil, nil, nil) == SQLITE_OK,
            sqlite3_prepare_v2(
                connection, "INSERT OR REPLACE INTO objects VALUES (?, ?)", -1, &statements.insertion, nil)
                == SQLITE_OK,
            sqlite3_prepare_v2(
                connection, "SELECT contents FROM objects WHERE identifier = ?", -1, &statements.selection, nil)
                == SQLITE_OK
        else { fail("SQLite: \(String(cString: sqlite3_errmsg(connection)))") }
        (insertion, selection) = statements
    }

    deinit {
        sqlite3_finalize(insertion)
        sqlite3_finalize(selection)
        sqlite3_close(connection)
    }

    func save(_ portrait: Portrait, as identifier: String) throws {
        let contents = try JSONEncoder().encode(portrait)
        sqlite3_bind_text(insertion, 1, identifier, -1, csqlite_transient())
        _ = contents.withUnsafeBytes {
            sqlite3_bind_blob64(insertion, 2, $0.baseAddress, UInt64($0.count), csqlite_transient())
        }
        guard sqlite3_step(insertion) == SQLITE_DONE else {
            fail("SQLite: \(String(cString: sqlite3_errmsg(connection)))")
        }
        sqlite3_reset(insertion)
    }

    func load(_ identifier: String) throws -> Portrait {
        sqlite3_bind_text(selection, 1, identifier, -1, csqlite_transient())
        defer { sqlite3_reset(selection) }
        guard sqlite3_step(selection) == SQLITE_ROW, let bytes = sqlite3_column_blob(selection, 0) else {
            fail("SQLite: no \(identifier)")
        }
        return try JSONDecoder().decode(
            Portrait.self, from: Data(bytes: bytes, count: Int(sqlite3_column_bytes(selection, 0))))
    }
}
