/* C ABI over libosmium: the roads of an OpenStreetMap file (PBF, XML, XML with gzip), way after way, with the places of their nodes.
 *
 * A file is read twice: once for which nodes the wanted ways have, once for where those are and for the ways. What is kept in between
 * lies in two unlinked files in the scratch folder, mapped into memory, which the kernel may write out at any time: 8 bytes for every
 * mention of a node by a wanted way, and 8 for every such node. So a country fits on a small machine.
 *
 * Every function catches every C++ exception; none crosses this border. A reader is used by one thread at a time.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifndef __clang__ /* nullability is a clang extension; it is what makes these functions read well in Swift */
#define _Nonnull
#define _Nullable
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum road_map_status {
    ROAD_MAP_OK = 0,
    ROAD_MAP_END = 1,           /* no further way; of a scan: all is scanned */
    ROAD_MAP_UNREADABLE = 2,    /* not an OpenStreetMap file, damaged, or not in the usual order */
    ROAD_MAP_NO_SPACE = 3,      /* the scratch folder cannot be written */
    ROAD_MAP_OUT_OF_MEMORY = 4,
    ROAD_MAP_FAILED = 5         /* everything else; see the error text */
} road_map_status;

/* One line, NUL-terminated, cut to fit. */
typedef struct road_map_error {
    char message[512];
} road_map_error;

/* A way. Everything that is pointed to stays valid until the next call on the reader. */
typedef struct road_map_way {
    int64_t id;
    const char *_Nullable tags;         /* key NUL value NUL key NUL ... in the order of the file */
    size_t tag_bytes;
    const int32_t *_Nullable positions; /* longitude, latitude, longitude, ... in units of 1e-7 degrees; the longest piece without a missing node */
    size_t position_count;             /* pairs */
    size_t missing_nodes;              /* nodes that the file lacks */
} road_map_way;

typedef struct road_map_reader road_map_reader;

/* Opens `path`. The scratch files are made in `scratch_folder`. The two lists are texts one after another, each with its NUL, and an empty one
 * at the end: `highways` the values of the tag `highway` of the wanted ways, `keys` the keys of the tags to hand over, where one that ends in
 * '*' stands for all with that beginning. Everything is copied. */
road_map_status road_map_reader_open(
    const char *_Nonnull path, const char *_Nonnull scratch_folder, const char *_Nonnull highways, const char *_Nonnull keys,
    road_map_reader *_Nullable *_Nonnull reader, road_map_error *_Nullable error);
void road_map_reader_close(road_map_reader *_Nullable reader);

/* Scans a piece of the file for the nodes of wanted ways; to be called until it returns ROAD_MAP_END, before the first way is taken. */
road_map_status road_map_reader_scan(road_map_reader *_Nonnull reader, road_map_error *_Nullable error);

/* The next wanted way, ROAD_MAP_END after the last. */
road_map_status road_map_reader_next(
    road_map_reader *_Nonnull reader, road_map_way *_Nonnull way, road_map_error *_Nullable error);

/* Bytes of the file that have been read in this pass, and in all. */
uint64_t road_map_reader_bytes_read(const road_map_reader *_Nonnull reader);
uint64_t road_map_reader_bytes_total(const road_map_reader *_Nonnull reader);
/* Wanted ways, and nodes of theirs, that the scan has found. */
uint64_t road_map_reader_ways_found(const road_map_reader *_Nonnull reader);
uint64_t road_map_reader_nodes_found(const road_map_reader *_Nonnull reader);

#ifdef __cplusplus
}
#endif
