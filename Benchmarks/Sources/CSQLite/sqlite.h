#include <sqlite3.h>

/* The destructor that lets SQLite copy bound bytes: a cast, which Swift does not import. */
static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
