import GRDBSQLite

/// The SQLite library that this process runs with.
public enum SQLiteVersion {
    /// Such as `3.40.1`.
    public static var text: String { String(cString: sqlite3_libversion()) }

    /// Whether it can no longer corrupt a database whose log is restarted while a second checkpoint begins: from 3.51.3 on, and in the
    /// later releases of two older lines (sqlite.org/wal.html, "The WAL-Reset Bug"). Sparring does not depend on it (``Checkpoints``).
    public static var hasWALResetFix: Bool { hasWALResetFix(Int(sqlite3_libversion_number())) }

    /// - Parameter number: in the form of `sqlite3_libversion_number`: 3.51.3 is 3051003.
    static func hasWALResetFix(_ number: Int) -> Bool {
        number >= 3_051_003 || (3_050_007..<3_051_000).contains(number) || (3_044_006..<3_045_000).contains(number)
    }
}
