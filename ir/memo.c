/* A table of questions and answers; when it is full, it begins anew. */
#include "ir/memo.h"

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "ir/internal.h"

#include <string.h>

enum { MEMO_BYTES = 8 << 20 };

struct ir_memo {
    struct arena arena;
    struct map answers; /* hash -> struct answer */
    size_t bytes;
};

struct answer {
    size_t size;
    int answer;
    unsigned char question[];
};

struct ir_memo *ir_memo_create(void)
{
    return memory_new(sizeof(struct ir_memo), 1);
}

static void clear(struct ir_memo *memo)
{
    map_finish(&memo->answers);
    arena_finish(&memo->arena);
    memo->bytes = 0;
}

void ir_memo_destroy(struct ir_memo *memo)
{
    clear(memo);
    memory_free(memo);
}

/* The answer; or NULL, and the hash to add it with. */
static const struct answer *find(const struct ir_memo *memo, const void *question, size_t size,
                                 uint64_t *out_hash)
{
    uint64_t hash = hash_bytes(question, size);
    const struct answer *known;
    while ((known = map_get(&memo->answers, hash_key(hash))) &&
           (known->size != size || memcmp(known->question, question, size) != 0))
        hash = hash_again(hash);
    *out_hash = hash;
    return known;
}

bool ir_memo_find(const struct ir_context *context, const void *question, size_t size, int *out)
{
    uint64_t hash;
    const struct answer *known = find(context->memo, question, size, &hash);
    if (known)
        *out = known->answer;
    return known != NULL;
}

void ir_memo_add(struct ir_context *context, const void *question, size_t size, int answer)
{
    struct ir_memo *memo = context->memo;
    uint64_t hash;
    if (size > MEMO_BYTES / 16)
        return;
    if (memo->bytes > MEMO_BYTES)
        clear(memo);
    if (find(memo, question, size, &hash))
        return;
    struct answer *added =
        arena_alloc(&memo->arena, sizeof(*added) + size, 1, _Alignof(struct answer));
    added->size = size;
    added->answer = answer;
    memcpy(added->question, question, size);
    map_set(&memo->answers, hash_key(hash), added);
    memo->bytes += sizeof(*added) + size;
}
