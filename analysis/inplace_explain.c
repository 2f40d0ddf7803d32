/* Decisions in words: the one place that makes sentences of them. */
#include "analysis/inplace.h"
#include "base/text.h"
#include "ir/print.h"

const char *inplace_verdict_name(enum inplace_verdict verdict)
{
    static const char *const names[] = {
#define VERDICT(name, text) [INPLACE_##name] = text,
#include "analysis/inplace.def"
    };

    return names[verdict];
}

const char *inplace_code_text(enum inplace_code code)
{
    switch (code) {
#define REASON(number, id, text) \
    case IP_##id:                \
        return text;
#include "analysis/inplace.def"
    }
    return "";
}

static const char *evidence_text(struct arena *arena, const struct inplace_decision *decision)
{
    static const char *const labels[] = {
        [EVIDENCE_NONE] = NULL,
#define EVIDENCE(id, label) [EVIDENCE_##id] = label,
#include "analysis/inplace.def"
    };

    if (decision->evidence == EVIDENCE_READ_BY_ALIAS)
        return arena_printf(arena, "read here through `%s`", decision->alias);
    return labels[decision->evidence];
}

static const char *sharing_text(struct arena *arena, const struct inplace_decision *decision)
{
    static const char *const texts[] = {
        [SHARING_NONE] = NULL,
#define SHARING(id, text) [SHARING_##id] = text,
#include "analysis/inplace.def"
    };

    if (decision->sharing == SHARING_NONE)
        return NULL;
    return arena_printf(arena, "`%s` %s", decision->alias, texts[decision->sharing]);
}

static const char *expr_text(struct arena *arena, const struct ir_expr *expr)
{
    struct text text = {0};

    ir_expr_print(expr, &text);
    const char *copy = arena_copy_text(arena, text_string(&text), text.length);
    text_finish(&text);
    return copy;
}

static const char *bytes_text(struct arena *arena, const struct inplace_decision *decision)
{
    return decision->bytes ? expr_text(arena, decision->bytes) : "?";
}

/* Which bytes of the argument another name shows, where these are not all. */
static const char *bytes_shared(struct arena *arena, const struct inplace_decision *decision)
{
    if (!decision->shared_low)
        return "";
    return arena_printf(arena, " (bytes %s to %s of `%s`)", expr_text(arena, decision->shared_low),
                        expr_text(arena, decision->shared_high), decision->value);
}

/* What another operand in the same storage does to the update. */
static const char *operand_text(enum inplace_evidence evidence)
{
    switch (evidence) {
    case EVIDENCE_ACCESS:
        return "is the same storage, and the kernel reads elements of it that it has written before";
    case EVIDENCE_ACCESS_MAYBE:
        return "is the same storage, and the kernel may read elements of it that it has written "
               "before";
    default:
        return "may be in the same storage, at another place";
    }
}

/* Who keeps or made the storage, and why nothing better is known of it. */
static const char *opaque_text(struct arena *arena, const struct inplace_decision *decision)
{
    bool is_made = decision->evidence == EVIDENCE_MADE_OPAQUELY;

    if (!decision->opaque)
        return inplace_code_text(decision->code);
    if (!decision->contract)
        return arena_printf(arena, "the contract of `%s` lets it %s", decision->opaque,
                            is_made ? "return storage that others hold" : "keep the storage");
    return arena_printf(arena, "`%s` has no contract, so it may have %s", decision->opaque,
                        is_made ? "returned storage that others hold" : "kept the storage");
}

/* Why the result of a call that only moves elements is a part of its operand, or is none. */
static const char *view_text(struct arena *arena, const struct inplace_decision *decision)
{
    switch (decision->code) {
    case IP_PROVED:
        return arena_printf(arena, "its elements are a run of those of `%s`: nothing is moved",
                            decision->value);
    case IP_ESCAPES:
        return arena_printf(arena,
                            "it is part of the function's result, and `%s` belongs to the caller",
                            decision->value);
    case IP_OPAQUE:
        return "code that the compiler does not see may keep or change it";
    case IP_ALIAS_LIVE:
        return arena_printf(arena, "an update in place would have to copy what shares `%s` then",
                            decision->value);
    default:
        return inplace_code_text(decision->code);
    }
}

static const char *reason_text(struct arena *arena, const struct inplace_decision *decision)
{
    const char *name = decision->value, *alias = decision->alias ? decision->alias : name;
    unsigned line = location_line(decision->blocking_loc);

    if (decision->evidence == EVIDENCE_FUSED)
        return arena_printf(arena, "the call is part of the kernel of line %u, which keeps no `%s`",
                            line, name);
    if (decision->evidence == EVIDENCE_REMOVED)
        return "passes removed the call: its result is not needed, or known beforehand";
    if (decision->is_view)
        return view_text(arena, decision);
    if (decision->evidence == EVIDENCE_COMPUTED)
        return arena_printf(arena, "the kernel computes a part of `%s` where it is", name);
    if (decision->evidence == EVIDENCE_APPENDED)
        return arena_printf(arena,
                            "the storage of `%s` has room: what comes behind is written there, and "
                            "its elements stay where they are",
                            name);
    if (decision->evidence == EVIDENCE_MOVED && decision->code == IP_PROVED)
        return arena_printf(
            arena,
            "the storage of `%s` has room, and its elements are moved in it; joined "
            "along the outermost dimension, and first, they would stay where they "
            "are",
            name);
    if (decision->verdict == INPLACE_VIEW && decision->code == IP_PROVED)
        return arena_printf(arena, "`%s` is put back to where it was cut out", name);
    if (decision->verdict == INPLACE_ELIDED && decision->code == IP_PROVED)
        return arena_printf(arena, "what makes `%s` writes it to where the call would copy it",
                            name);
    switch (decision->code) {
    case IP_READ_LATER:
        return arena_printf(arena, "`%s` is read after the call, on line %u", name, line);
    case IP_ALIAS_LIVE:
        return arena_printf(
            arena, "`%s` lives in the storage of `%s`%s and is read after the call, on line %u",
            alias, name, bytes_shared(arena, decision), line);
    case IP_ESCAPES:
        return arena_printf(
            arena, "`%s` is part of the function's result, so its old value%s must survive", alias,
            bytes_shared(arena, decision));
    case IP_BORROWED:
        return arena_printf(arena, "the storage of `%s` belongs to the %s", name,
                            decision->evidence == EVIDENCE_AROUND ? "function around this one"
                                                                  : "caller of the function");
    case IP_OPERAND:
        if (!decision->alias)
            return arena_printf(arena,
                                "the kernel %s elements of `%s` after it has written their places",
                                decision->evidence == EVIDENCE_ACCESS ? "reads" : "may read", name);
        return arena_printf(arena, "operand `%s` %s", alias, operand_text(decision->evidence));
    case IP_OPAQUE:
        return opaque_text(arena, decision);
    case IP_ROOM:
        return arena_printf(
            arena,
            decision->evidence == EVIDENCE_NESTED
                ? "functions of the module call this one, and cannot say what room `%s` has"
            : decision->evidence == EVIDENCE_SMALL
                ? "the larger tensor does not fit into the room that `%s` is said to have"
                : "the storage of `%s` is not said to have room for the larger tensor",
            name);
    case IP_BEGINNING:
        if (decision->evidence == EVIDENCE_MOVED)
            return arena_printf(arena, "`%s` is put in between what is moved", name);
        return arena_printf(arena,
                            "the elements of `%s` are not the first of the larger tensor, one run "
                            "in their order, so that they would have to be moved",
                            name);
    case IP_DUPLICATE:
        return arena_printf(
            arena, "the storage of `%s` is already updated for another output of the call", name);
    default:
        return inplace_code_text(decision->code);
    }
}

static const char *help_text(struct arena *arena, const struct inplace_decision *decision,
                             const char *bytes)
{
    const char *cost = decision->bytes ? arena_printf(arena, "%s bytes per run", bytes)
                                       : "an unknown number of bytes per run";
    bool is_fresh = decision->verdict == INPLACE_FRESH;
    const char *keep =
        arena_printf(arena, ", or keep the %s (%s)", is_fresh ? "new storage" : "copy", cost);

    if (decision->is_view || (!is_fresh && decision->verdict != INPLACE_COPY))
        return NULL;
    switch (decision->code) {
    case IP_READ_LATER:
        return arena_printf(arena, "move the read in front of the %s%s",
                            decision->is_found ? "call" : "update", keep);
    case IP_ALIAS_LIVE:
        if (is_fresh)
            return NULL; /* a copy would cost what it saves */
        return arena_printf(arena, "give `%s` storage of its own: R.copy(..) (%s)",
                            decision->alias ? decision->alias : decision->value, cost);
    case IP_ESCAPES:
        return arena_printf(arena, "return the %s value only%s",
                            decision->is_found ? "new" : "updated", keep);
    case IP_BORROWED:
        if (decision->evidence == EVIDENCE_GROWS)
            return arena_printf(arena,
                                "if its storage has room, donate it and say how much: "
                                "R.func_attr({\"relax.inplace_arg\": [%d], \"relax.capacity\": "
                                "{\"%s\": 4096}}); then the result is made there (saves %s)",
                                decision->parameter, decision->value, cost);
        return decision->parameter < 0
                   ? NULL
                   : arena_printf(arena,
                                  "donate it: R.func_attr({\"relax.inplace_arg\": [%d]}); the "
                                  "caller's tensor is then overwritten",
                                  decision->parameter);
    case IP_ROOM:
        if (decision->evidence != EVIDENCE_NONE)
            return NULL;
        return arena_printf(arena,
                            "say what room it has, along the dimension that grows: "
                            "R.func_attr({\"relax.capacity\": {\"%s\": 4096}}); then the "
                            "result is made there (saves %s)",
                            decision->value, cost);
    case IP_BEGINNING:
        if (decision->evidence == EVIDENCE_MOVED)
            return NULL;
        return arena_printf(arena,
                            "join along the outermost dimension, `%s` first, so that the elements "
                            "stay where they are (saves %s)",
                            decision->value, cost);
    case IP_OPAQUE:
        if (decision->contract && !decision->is_found)
            return arena_printf(arena,
                                "say what it does, if that is all: I.module_attrs({"
                                "\"relax.contracts\": {\"%s\": %s}}); or keep the %s (%s)",
                                decision->opaque, decision->contract,
                                is_fresh ? "new storage" : "copy", cost);
        return is_fresh ? NULL
                        : arena_printf(arena, "give it storage of its own: R.copy(%s) (%s)",
                                       decision->value, cost);
    default:
        return NULL;
    }
}

struct inplace_explanation inplace_explain(struct arena *arena,
                                           const struct inplace_decision *decision)
{
    struct inplace_explanation words = {.bytes = bytes_text(arena, decision)};

    words.reason = reason_text(arena, decision);
    words.blocking_text = evidence_text(arena, decision);
    words.alias_text = sharing_text(arena, decision);
    words.help = help_text(arena, decision, words.bytes);
    return words;
}
