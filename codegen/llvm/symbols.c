/* Addresses of what compiled code calls: the runtime and the C library, for the loader. */
#define _GNU_SOURCE /* exp10 */
#include "codegen/llvm/internal.h"
#include "runtime/watch.h"

#include <math.h>
#include <string.h>

/* Through a typed local, so that every row is a function. */
#define ADDRESS(function) ((uint64_t)(uintptr_t)(function))

size_t cg_symbols(struct cg_symbol out_symbols[CG_SYMBOL_LIMIT])
{
    const struct cg_symbol symbols[] = {
#define RUNTIME(name, result, params) {#name, ADDRESS(name)},
#define LIBRARY(name)                 {#name, ADDRESS(name)},
#include "codegen/llvm/runtime.def"
#define MATH(name, count) {#name, ADDRESS(name)}, {#name "f", ADDRESS(name##f)},
#include "codegen/llvm/intrinsics.def"
    };
    _Static_assert(ARRAY_SIZE(symbols) <= CG_SYMBOL_LIMIT, "room for all rows");
    memcpy(out_symbols, symbols, sizeof(symbols));
    return ARRAY_SIZE(symbols);
}
