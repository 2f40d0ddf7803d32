/*
 * Blocks by address: a treap, whose priorities are hashes of the addresses, so that its shape does not
 * depend on the order in which they come.
 */
#include "runtime/internal.h"

static uint64_t priority_of(const struct inlay_block *block)
{
    uint64_t hash = (uint64_t)(uintptr_t)block * 0x9e3779b97f4a7c15U;
    return hash ^ hash >> 32;
}

static bool is_before(const void *a, const void *b)
{
    return (uintptr_t)a < (uintptr_t)b;
}

void inlay_blocks_add(struct inlay_block **root, struct inlay_block *block)
{
    struct inlay_block **at = root;
    while (*at && priority_of(*at) >= priority_of(block))
        at = is_before(block, *at) ? &(*at)->left : &(*at)->right;
    struct inlay_block *rest = *at, **left = &block->left, **right = &block->right;
    *at = block;
    while (rest) { /* what stood there is split around the new block */
        struct inlay_block *node = rest;
        if (is_before(node, block)) {
            *left = node;
            left = &node->right;
            rest = node->right;
        } else {
            *right = node;
            right = &node->left;
            rest = node->left;
        }
    }
    *left = *right = NULL;
}

void inlay_blocks_remove(struct inlay_block **root, struct inlay_block *block)
{
    struct inlay_block **at = root, *left = block->left, *right = block->right;
    while (*at != block)
        at = is_before(block, *at) ? &(*at)->left : &(*at)->right;
    while (left && right) {
        if (priority_of(left) >= priority_of(right)) {
            *at = left;
            at = &left->right;
            left = left->right;
        } else {
            *at = right;
            at = &right->left;
            right = right->left;
        }
    }
    *at = left ? left : right;
}

struct inlay_block *inlay_blocks_find(struct inlay_block *root, const void *data)
{
    struct inlay_block *found = NULL;
    while (root) {
        if (is_before(data, root)) {
            root = root->left;
        } else {
            found = root;
            root = root->right;
        }
    }
    uintptr_t distance = found ? (uintptr_t)data - (uintptr_t)found : 0;
    /* the end of a block may be the header of its neighbour */
    return distance >= INLAY_BLOCK_HEADER && distance < found->room ? found : NULL;
}
