// A function of SQLite's that Swift cannot call, as its arguments vary.
#ifndef SPARRING_CSQLITE_SHIM_H
#define SPARRING_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Has SQLite not count its memory: all threads would wait for one lock at each allocation (sqlite.org/malloc.html §4.5). Before the first connection.
static inline int sparring_sqlite_counts_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

#endif
