/*
 * Calls whose results and working memory are the caller's: after the first of an entry, nothing is allocated.
 */
#include "analysis/leaves.h"
#include "analysis/stack_need.h"
#include "base/memory.h"
#include "driver/api.h"
#include "driver/entry.h"
#include "driver/given.h"
#include "ir/arith.h"

#include <string.h>

void inlay_call_init_sized(struct inlay_call *call, size_t size)
{
    memset(call, 0, size);
    call->size = size;
}

/* ---- what is given for results ---- */

static bool refuse(struct driver *driver, const struct ir_function *function, size_t result,
                   const char *why)
{
    const char *text =
        arena_printf(&driver->arena, "result %zu of `%s` %s", result + 1, function->name, why);
    diag_report(driver->diag, function->loc, RUN_ARGUMENT, text);
    return false;
}

/* Who else would own a result? */
static bool check_given(struct driver *driver, const struct ir_function *function,
                        const struct inlay_call *call)
{
    for (unsigned i = 0; i < leaf_count(function->result) && i < call->result_count; i++) {
        const struct ir_type *type = leaf_type(function->result, i);
        const struct inlay_value *given = &call->results[i];

        if (type->kind == IR_TYPE_PRIM)
            continue;
        if (type->kind != IR_TYPE_TENSOR || type->ndim < 0)
            return refuse(driver, function, i, "is no tensor of a known rank, nor a number");
        if (given->kind != INLAY_TENSOR || !given->tensor)
            return refuse(driver, function, i, "needs a tensor that it is put into");
    }
    return true;
}

static const char *data_of(const struct inlay_tensor *tensor)
{
    return tensor->data ? (const char *)tensor->data + tensor->byte_offset : NULL;
}

static size_t bytes_of(const struct inlay_tensor *tensor)
{
    return (size_t)inlay_tensor_elements(tensor) *
           ((tensor->dtype.bits * tensor->dtype.lanes + 7u) / 8u);
}

static bool is_within(const struct inlay_tensor *result, const struct inlay_tensor *argument,
                      size_t room)
{
    size_t bytes = bytes_of(argument), at = (size_t)(data_of(result) - data_of(argument));

    if (room > bytes)
        bytes = room;
    return at <= bytes && bytes_of(result) <= bytes - at;
}

/*
 * Is @result only to be told where it is?  That of the call before may say where it was: in an argument.  One that is
 * made in storage of its own (@is_own) is never there.
 */
static bool is_told(const struct inlay_call *call, struct inlay_value *result, bool is_own)
{
    for (size_t i = 0; result->kind == INLAY_TENSOR && !is_own && i < call->argument_count; i++)
        if (call->arguments[i].kind == INLAY_TENSOR && call->arguments[i].tensor &&
            data_of(result->tensor) == data_of(call->arguments[i].tensor))
            result->tensor->data = NULL;
    return result->kind == INLAY_TENSOR && !result->tensor->data;
}

/* A result that was only to be told of lies in an argument: the memory of the call is over. */
static bool check_told(struct driver *driver, const struct ir_function *function,
                       const struct inlay_call *call, size_t result)
{
    const struct inlay_tensor *tensor = call->results[result].tensor;
    bool is_there = bytes_of(tensor) == 0;

    for (size_t i = 0; i < call->argument_count && !is_there; i++)
        is_there = call->arguments[i].kind == INLAY_TENSOR &&
                   is_within(tensor, call->arguments[i].tensor,
                             call->argument_bytes ? call->argument_bytes[i] : 0);
    return is_there || refuse(driver, function, result,
                              "lies in no argument, so that it needs a tensor with data");
}

/* ---- calls ---- */

/* A frame for a call; the one of the call before if nobody uses it. */
static struct inlay_frame *take_frame(struct inlay_session *session, const struct inlay_host *host)
{
    struct inlay_frame *frame = session->frame;

    session->frame = NULL;
    if (frame && !inlay_frame_renew(frame, host)) {
        inlay_frame_destroy(frame);
        frame = NULL;
    } else if (!frame) {
        frame = inlay_frame_create(host);
    }
    if (!frame)
        memory_short();
    return frame;
}

static void leave_frame(struct inlay_session *session, struct inlay_frame *frame)
{
    if (!session->frame && inlay_frame_renew(frame, NULL))
        session->frame = frame;
    else
        inlay_frame_destroy(frame);
}

struct calling {
    struct inlay_module *module;
    const struct inlay_call *call;
    bool is_good;
};

static bool run(struct calling *calling, struct ir_function *function, struct inlay_frame *frame)
{
    const struct inlay_call *call = calling->call;
    struct inlay_module *module = calling->module;
    inlay_entry_fn *entry = api_find_entry(module, function);
    const bool *is_own = api_own_results(module, function);
    size_t first = module->is_told.count; /* a packed function may call the module, too */
    bool is_good;

    for (unsigned i = 0; i < call->result_count; i++)
        array_push(&module->is_told,
                   is_told(call, &call->results[i],
                           is_own && i < leaf_count(function->result) && is_own[i]));
    is_good = entry && entry(frame, call->arguments, (int32_t)call->argument_count, call->results,
                             (int32_t)call->result_count) == 0;
    for (size_t i = 0; i < call->result_count && is_good; i++)
        if (module->is_told.items[first + i])
            is_good = check_told(module->session->driver, function, call, i);
    module->is_told.count = first;
    return is_good;
}

static void enter(void *state)
{
    struct calling *calling = state;
    struct inlay_module *module = calling->module;
    struct inlay_session *session = module->session;
    const struct inlay_call *call = calling->call;
    struct diag *diag = session->driver->diag;
    struct ir_function *function = entry_find(diag, module->ir, call->entry);

    if (!function || !check_given(session->driver, function, call))
        return;
    struct inlay_host host = api_host(session);

    host.argument_bytes = call->argument_bytes;
    host.gives_results = true;
    host.arena = call->arena;
    host.arena_bytes = call->arena_bytes;
    struct inlay_frame *frame = take_frame(session, &host);
    unsigned errors = diag_error_count(diag);

    calling->is_good = run(calling, function, frame);
    if (!calling->is_good && diag_error_count(diag) == errors)
        entry_report_error(diag, function, frame);
    leave_frame(session, frame);
}

bool inlay_module_call_into(struct inlay_module *module, const struct inlay_call *call)
{
    struct inlay_call whole = {0};
    struct calling calling = {.module = module, .call = &whole};

    memcpy(&whole, call, call->size < sizeof(whole) ? call->size : sizeof(whole));
    return module->ir && whole.argument_count <= INT32_MAX && whole.result_count <= INT32_MAX &&
           (module->code || inlay_module_compile(module)) &&
           api_enter(module->session, enter, &calling) && calling.is_good;
}

/* ---- how much it works in ---- */

struct sizing {
    struct inlay_module *module;
    const struct inlay_call *call;
    size_t bytes;
    bool is_known;
};

static void size(void *state)
{
    struct sizing *sizing = state;
    struct inlay_module *module = sizing->module;
    struct driver *driver = module->session->driver;
    struct ir_context *context = driver->context;
    struct ir_function *function = entry_find(driver->diag, module->ir, sizing->call->entry);
    struct stack_options options = {.threads = inlay_pool_threads(module->session->pool)};
    struct ir_bindings known = {0};
    struct stack_need need;
    int64_t bytes;

    if (!function)
        return;
    if (!stack_need(module->ir, function, &options, &need)) {
        diag_report(driver->diag, need.where, NEED_OPEN, function->name, need.why);
        return;
    }
    given_bind(function, sizing->call->arguments, sizing->call->argument_count, &known);
    need.bytes = ir_simplify(context, ir_expr_substitute(context, need.bytes, &known));
    sizing->is_known = ir_expr_constant(context, need.bytes, &bytes) && bytes >= 0;
    array_finish(&known);
    if (sizing->is_known)
        sizing->bytes = (size_t)bytes;
    else
        diag_report(driver->diag, function->loc, NEED_OPEN, function->name,
                    "the arguments do not say what its symbols are");
}

bool inlay_module_arena_bytes(struct inlay_module *module, const struct inlay_call *call,
                              size_t *out_bytes)
{
    struct inlay_call whole = {0};
    struct sizing sizing = {.module = module, .call = &whole};

    memcpy(&whole, call, call->size < sizeof(whole) ? call->size : sizeof(whole));
    bool is_good = module->ir && (module->code || inlay_module_compile(module)) &&
                   api_enter(module->session, size, &sizing) && sizing.is_known;

    *out_bytes = sizing.bytes;
    return is_good;
}
