// Which nodes are wanted, and where they are. Not visible to Swift.
#pragma once
#include <algorithm>
#include <cstdint>
#include <osmium/osm/location.hpp>

#include "scratch_file.hpp"

/// Two phases: `want` every node, then `freeze`; after it `place` those that are wanted and ask `find`.
class node_places {
public:
    explicit node_places(const std::string &folder) : ids_(folder), places_(folder) {}

    void want(std::int64_t id) {
        if (count_ == room_) {
            room_ += growth;
            ids_.reserve(room_ * sizeof(std::int64_t));
        }
        ids()[count_++] = id;
    }

    /// Sorts the wanted nodes, each once, and makes room for their places.
    void freeze() {
        if (count_ == 0) return;
        std::sort(ids(), ids() + count_);
        count_ = static_cast<std::size_t>(std::unique(ids(), ids() + count_) - ids());
        places_.reserve(count_ * sizeof(place_of_node));
    }

    std::size_t count() const { return count_; }

    void place(std::int64_t id, osmium::Location location) {
        std::size_t rank = 0;
        if (!location.valid() || !find_rank(id, rank)) return;
        places()[rank] = {location.x(), location.y() + is_there};
    }

    /// The place of a wanted node; false when the file has not had it.
    bool find(std::int64_t id, std::int32_t &x, std::int32_t &y) {
        std::size_t rank = 0;
        if (!find_rank(id, rank)) return false;
        const place_of_node place = places()[rank];
        if (place.shifted_y == 0) return false;
        x = place.x;
        y = place.shifted_y - is_there;
        return true;
    }

private:
    struct place_of_node {
        std::int32_t x;
        std::int32_t shifted_y;
    };

    static constexpr std::size_t growth = std::size_t{1} << 20;
    /// Latitudes lie within ±900,000,000 units; shifted by this they are never zero, and zero is what a new file holds.
    static constexpr std::int32_t is_there = 1'000'000'000;

    std::int64_t *ids() { return reinterpret_cast<std::int64_t *>(ids_.data()); }
    place_of_node *places() { return reinterpret_cast<place_of_node *>(places_.data()); }

    /// Nodes come in the order of their ids and a way's nodes often one after another, so the search begins where the last one ended.
    bool find_rank(std::int64_t id, std::size_t &rank) {
        if (count_ == 0) return false;
        const std::int64_t *first = ids();
        if (cursor_ >= count_ || first[cursor_] > id) cursor_ = 0;
        std::size_t low = cursor_;
        std::size_t step = 1;
        while (low + step < count_ && first[low + step] <= id) {
            low += step;
            step *= 2;
        }
        const std::int64_t *end = first + std::min(low + step, count_);
        const std::int64_t *found = std::lower_bound(first + low, end, id);
        cursor_ = static_cast<std::size_t>(found - first);
        if (found == end || *found != id) {
            if (cursor_ > 0) --cursor_;
            return false;
        }
        rank = cursor_;
        return true;
    }

    scratch_file ids_;
    scratch_file places_;
    std::size_t count_ = 0;
    std::size_t room_ = 0;
    std::size_t cursor_ = 0;
};
