#pragma once
#include <libpq-fe.h>

// The type numbers of PostgreSQL's catalogue (src/include/catalog/pg_type.dat), which the client library's header does not name.
typedef enum {
    CPG_BOOL = 16,
    CPG_BYTEA = 17,
    CPG_INT8 = 20,
    CPG_TEXT = 25,
    CPG_UUID = 2950,
    CPG_BYTEA_ARRAY = 1001,
    CPG_TEXT_ARRAY = 1009,
    CPG_INT8_ARRAY = 1016,
    CPG_UUID_ARRAY = 2951,
} CPGType;
