#include "road_map.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <osmium/io/gzip_compression.hpp>
#include <osmium/io/pbf_input.hpp>
#include <osmium/io/reader.hpp>
#include <osmium/io/xml_input.hpp>
#include <osmium/osm/node.hpp>
#include <osmium/osm/way.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "node_places.hpp"

namespace {

/// Writes `text` into `error` as one line and hands `status` on.
road_map_status tell(road_map_error *error, road_map_status status, const char *text) noexcept {
    if (!error) return status;
    std::snprintf(error->message, sizeof error->message, "%s", text);
    for (char *c = error->message; *c; ++c)
        if (*c == '\n' || *c == '\r') *c = ' ';
    return status;
}

/// Runs `body` and turns every exception into a status and one line of text.
template <typename Body>
road_map_status guard(road_map_error *error, Body &&body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc &) {
        return tell(error, ROAD_MAP_OUT_OF_MEMORY, "out of memory");
    } catch (const no_space &e) {
        return tell(error, ROAD_MAP_NO_SPACE, e.what());
    } catch (const osmium::io_error &e) {
        return tell(error, ROAD_MAP_UNREADABLE, e.what());
    } catch (const std::exception &e) {
        // What a damaged file makes libosmium and protozero throw besides: ranges, lengths, conversions.
        return tell(error, ROAD_MAP_UNREADABLE, e.what());
    } catch (...) {
        return tell(error, ROAD_MAP_FAILED, "unknown C++ exception");
    }
}

/// The keys and values that are wanted.
struct tag_filter {
    std::unordered_set<std::string> highways;
    std::unordered_set<std::string> keys;
    std::vector<std::string> beginnings;

    tag_filter(const char *highway_list, const char *key_list) {
        for (; *highway_list; highway_list += std::strlen(highway_list) + 1) highways.emplace(highway_list);
        for (; *key_list; key_list += std::strlen(key_list) + 1) {
            std::string key = key_list;
            if (key.back() == '*') {
                key.pop_back();
                beginnings.push_back(std::move(key));
            } else {
                keys.insert(std::move(key));
            }
        }
    }

    bool wants(const osmium::Way &way) const {
        const char *highway = way.tags().get_value_by_key("highway");
        return highway && highways.count(highway) != 0;
    }

    bool wants_key(const char *key) const {
        if (keys.count(key) != 0) return true;
        for (const auto &beginning : beginnings)
            if (std::strncmp(key, beginning.c_str(), beginning.size()) == 0) return true;
        return false;
    }
};

}  // namespace

struct road_map_reader {
    osmium::io::File file;
    tag_filter filter;
    node_places places;
    std::optional<osmium::io::Reader> pass;
    bool is_scanned = false;
    osmium::memory::Buffer buffer;
    osmium::memory::Buffer::t_const_iterator<osmium::OSMEntity> at;
    osmium::memory::Buffer::t_const_iterator<osmium::OSMEntity> end;
    std::string tags;
    std::vector<std::int32_t> positions;
    std::uint64_t ways_found = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_total = 0;
    bool has_seen_way = false;

    road_map_reader(const char *path, const char *scratch, const char *highways, const char *keys)
        : file(path), filter(highways, keys), places(scratch) {
        open(osmium::osm_entity_bits::way);
        bytes_total = pass->file_size();
    }

    void open(osmium::osm_entity_bits::type entities) { pass.emplace(file, entities, osmium::io::read_meta::no); }

    /// Notes the nodes of the wanted ways in the next piece of the file.
    road_map_status scan() {
        if (is_scanned) return ROAD_MAP_END;
        const osmium::memory::Buffer piece = pass->read();
        bytes_read = pass->offset();
        if (piece) {
            for (const auto &way : piece.select<osmium::Way>()) {
                if (!filter.wants(way)) continue;
                ++ways_found;
                for (const auto &node : way.nodes()) places.want(node.ref());
            }
            return ROAD_MAP_OK;
        }
        pass->close();
        places.freeze();
        is_scanned = true;
        open(osmium::osm_entity_bits::node | osmium::osm_entity_bits::way);
        bytes_read = 0;
        return ROAD_MAP_END;
    }

    road_map_status next(road_map_way &out) {
        while (true) {
            while (buffer && at != end) {
                const osmium::OSMEntity &entity = *at;
                ++at;
                if (entity.type() == osmium::item_type::node) {
                    if (has_seen_way)
                        throw osmium::io_error{"a node comes after a way; put the file into the usual order (osmium sort)"};
                    const auto &node = static_cast<const osmium::Node &>(entity);
                    places.place(node.id(), node.location());
                } else if (entity.type() == osmium::item_type::way) {
                    has_seen_way = true;
                    const auto &way = static_cast<const osmium::Way &>(entity);
                    if (!filter.wants(way)) continue;
                    fill(way, out);
                    return ROAD_MAP_OK;
                }
            }
            buffer = pass->read();
            bytes_read = pass->offset();
            if (!buffer) {
                pass->close();
                return ROAD_MAP_END;
            }
            at = buffer.cbegin<osmium::OSMEntity>();
            end = buffer.cend<osmium::OSMEntity>();
        }
    }

    void fill(const osmium::Way &way, road_map_way &out) {
        tags.clear();
        for (const auto &tag : way.tags()) {
            if (!filter.wants_key(tag.key())) continue;
            tags.append(tag.key()).push_back('\0');
            tags.append(tag.value()).push_back('\0');
        }
        // Where nodes are missing, at the edge of an extract, the longest piece without a gap is handed over.
        positions.clear();
        std::size_t missing = 0;
        std::size_t piece = 0;
        std::size_t best = 0;
        std::size_t best_size = 0;
        for (const auto &node : way.nodes()) {
            std::int32_t x = 0;
            std::int32_t y = 0;
            if (places.find(node.ref(), x, y)) {
                positions.push_back(x);
                positions.push_back(y);
            } else {
                ++missing;
                piece = positions.size();
            }
            if (positions.size() - piece > best_size) {
                best = piece;
                best_size = positions.size() - piece;
            }
        }
        out.id = way.id();
        out.tags = tags.c_str();
        out.tag_bytes = tags.size();
        out.positions = positions.data() + best;
        out.position_count = best_size / 2;
        out.missing_nodes = missing;
    }
};

road_map_status road_map_reader_open(
    const char *path, const char *scratch_folder, const char *highways, const char *keys, road_map_reader **reader,
    road_map_error *error) {
    *reader = nullptr;
    return guard(error, [&] {
        *reader = new road_map_reader(path, scratch_folder, highways, keys);
        return ROAD_MAP_OK;
    });
}

void road_map_reader_close(road_map_reader *reader) {
    try {
        delete reader;
    } catch (...) {
        // Nothing can be done about a file that does not close.
    }
}

road_map_status road_map_reader_scan(road_map_reader *reader, road_map_error *error) {
    return guard(error, [&] { return reader->scan(); });
}

road_map_status road_map_reader_next(road_map_reader *reader, road_map_way *way, road_map_error *error) {
    return guard(error, [&] {
        if (!reader->is_scanned) return tell(error, ROAD_MAP_FAILED, "ways are asked for before the scan has ended");
        return reader->next(*way);
    });
}

uint64_t road_map_reader_bytes_read(const road_map_reader *reader) { return reader->bytes_read; }
uint64_t road_map_reader_bytes_total(const road_map_reader *reader) { return reader->bytes_total; }
uint64_t road_map_reader_ways_found(const road_map_reader *reader) { return reader->ways_found; }
uint64_t road_map_reader_nodes_found(const road_map_reader *reader) { return reader->places.count(); }
