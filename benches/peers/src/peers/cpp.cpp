// What the adapters in cpp.rs call: nanoflann's k-d tree, and the tree of boxes of Box2D.

#include <box2d/b2_dynamic_tree.h>
#include <cstddef>
#include <cstdint>
#include <nanoflann.hpp>

namespace {

// Points as the k-d tree reads them; they are borrowed.
struct Cloud {
    const float *places;
    std::size_t count;
    std::size_t kdtree_get_point_count() const { return count; }
    float kdtree_get_pt(std::size_t index, std::size_t axis) const { return places[2 * index + axis]; }
    template <class Box> bool kdtree_get_bbox(Box &) const { return false; }
};

using Metric = nanoflann::L2_Simple_Adaptor<float, Cloud, float, std::uint32_t>;
using Index = nanoflann::KDTreeSingleIndexAdaptor<Metric, Cloud, 2, std::uint32_t>;

struct Flann {
    Cloud cloud;
    Index index;
    Flann(const float *places, std::size_t count, std::size_t leaf)
        : cloud{places, count}, index(2, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(leaf)) {
        index.buildIndex();
    }
};

b2AABB box_of(const float *box) {
    b2AABB aabb;
    aabb.lowerBound.Set(box[0], box[1]);
    aabb.upperBound.Set(box[2], box[3]);
    return aabb;
}

// Writes down whom a query meets, as far as there is room.
struct Found {
    const b2DynamicTree *tree;
    std::uint32_t *units;
    std::size_t room;
    std::size_t count;
    bool QueryCallback(std::int32_t proxy) {
        if (count < room) {
            units[count] = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(tree->GetUserData(proxy)));
        }
        count += 1;
        return true;
    }
};

} // namespace

extern "C" {

void *peers_flann_new(const float *places, std::size_t count, std::size_t leaf) { return new Flann(places, count, leaf); }

void peers_flann_free(void *tree) { delete static_cast<Flann *>(tree); }

std::size_t peers_flann_nearest(const void *tree, const float *place, std::size_t count, std::uint32_t *units, float *distances_sq) {
    return static_cast<const Flann *>(tree)->index.knnSearch(place, count, units, distances_sq);
}

void *peers_box_new() { return new b2DynamicTree(); }

void peers_box_free(void *tree) { delete static_cast<b2DynamicTree *>(tree); }

std::int32_t peers_box_add(void *tree, const float *box, std::uint32_t unit) {
    return static_cast<b2DynamicTree *>(tree)->CreateProxy(box_of(box), reinterpret_cast<void *>(static_cast<std::uintptr_t>(unit)));
}

void peers_box_move(void *tree, std::int32_t proxy, const float *box, const float *way) {
    static_cast<b2DynamicTree *>(tree)->MoveProxy(proxy, box_of(box), b2Vec2(way[0], way[1]));
}

std::size_t peers_box_query(const void *tree, const float *box, std::uint32_t *units, std::size_t room) {
    const b2DynamicTree *boxes = static_cast<const b2DynamicTree *>(tree);
    Found found{boxes, units, room, 0};
    boxes->Query(&found, box_of(box));
    return found.count;
}

} // extern "C"
