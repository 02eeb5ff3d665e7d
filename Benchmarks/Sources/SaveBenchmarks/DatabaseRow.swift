import CSQLite
import ManualTiming

/// One row of an SQLite database in WAL mode, whose commits wait for the disk (synchronous=FULL).
final class DatabaseRow {
    private var connection: OpaquePointer?
    private var updating: OpaquePointer?

    init(at path: String) {
        check(sqlite3_open(path, &connection))
        check(
            sqlite3_exec(
                connection,
                """
                PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
                CREATE TABLE root (contents BLOB); INSERT INTO root VALUES (NULL);
                """, nil, nil, nil))
        check(sqlite3_prepare_v2(connection, "UPDATE root SET contents = ?", -1, &updating, nil))
    }

    deinit {
        sqlite3_finalize(updating)
        sqlite3_close(connection)
    }

    func replace(with bytes: [UInt8]) {
        check(sqlite3_bind_blob(updating, 1, bytes, Int32(bytes.count), csqlite_transient()))
        check(sqlite3_step(updating), SQLITE_DONE)
        check(sqlite3_reset(updating))
    }

    private func check(_ result: Int32, _ expected: Int32 = SQLITE_OK) {
        if result != expected { fail("SQLite: \(String(cString: sqlite3_errmsg(connection)))") }
    }
}
