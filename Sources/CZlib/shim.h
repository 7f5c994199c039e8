#pragma once
#include <zlib.h>

/* deflateInit2 is a macro that passes the version and size; 16 + 15 window bits write a gzip header (zlib.h). */
static inline int fleet_gzip_init(z_stream *_Nonnull stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
