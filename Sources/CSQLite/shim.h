// SQLite's own header, and the calls that Swift cannot make: their arguments are variable.
#include <sqlite3.h>

/// From now on, text between double quotes names a column or table and is never a value.
static inline void csqlite_take_double_quotes_as_names(sqlite3 *connection) {
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
    sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
}

/// No memory is counted: the count is one lock for all threads, at each allocation. It has an effect
/// before the first connection of the process, and after it returns SQLITE_MISUSE.
static inline int csqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
