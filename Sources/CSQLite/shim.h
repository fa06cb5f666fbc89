// Functions of SQLite's that Swift cannot call, as their arguments vary.
#ifndef SPARRING_CSQLITE_SHIM_H
#define SPARRING_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Sets what holds for all connections, before the first (sqlite.org/c3ref/c_config_covering_index_scan.html).
///
/// Memory is not counted: all threads would wait for one lock at each allocation (sqlite.org/malloc.html §4.5). What a savepoint needs to be taken back is
/// kept in memory, in pieces of 1 KiB: else each transaction takes 64 KiB for it.
static inline int sparring_sqlite_configure(void) {
    int counts = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    int spills = sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, -1);
    return counts ? counts : spills;
}

#endif
