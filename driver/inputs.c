/*
 * The arguments of an entry: read what was given, fix the symbols, make up the rest.
 *
 * Everything is checked against the parameters here, where a message can name the parameter and
 * what was given; the entry checks again for itself.
 */
#include "driver/inputs.h"

#include "base/memory.h"
#include "driver/compare.h"
#include "driver/input_help.h"
#include "driver/model.h"
#include "ir/arith.h"
#include "ir/capacity.h"
#include "ir/print.h"

#include <inttypes.h>
#include <string.h>

static struct diag_message *label_param(struct diag_message *m, const struct inputs *inputs)
{
    diag_primary(m, "parameter of `%s`", inputs->function->name);
    return m;
}

#define REPORT(inputs, input, id, ...) \
    label_param(diag_report((inputs)->diag, (input)->param->loc, id, __VA_ARGS__), inputs)

/* --- leaves --- */

static bool add_leaves(struct inputs *inputs, const struct ir_value *param, const char *name,
                       const struct ir_type *type)
{
    if (type->kind == IR_TYPE_TUPLE) {
        for (unsigned i = 0; i < type->field_count; i++)
            if (!add_leaves(inputs, param, arena_printf(&inputs->arena, "%s.%u", name, i),
                            type->fields[i]))
                return false;
        return true;
    }
    struct input input = {.name = name, .type = type, .param = param};
    if (type->kind != IR_TYPE_TENSOR && type->kind != IR_TYPE_SHAPE && type->kind != IR_TYPE_PRIM) {
        REPORT(inputs, &input, INPUT_TYPE, name, ir_type_text(inputs->context, type));
        return false;
    }
    array_push(&inputs->items, input);
    return true;
}

static struct input *find_input(struct inputs *inputs, const char *name)
{
    name = model_parameter(inputs->function, name);
    for (size_t i = 0; i < inputs->items.count; i++)
        if (strcmp(inputs->items.items[i].name, name) == 0)
            return &inputs->items.items[i];
    return NULL;
}

/* The spec of a shape: dims; a lone number is one of them. */
static bool read_shape(struct inputs *inputs, struct input *input)
{
    struct inlay_dtype wide = {INLAY_CODE_INT, 64, 1};
    struct input_spec *spec = &input->spec;
    int64_t dim = -1;
    if (spec->source == INPUT_DIMS)
        return true;
    if (spec->source == INPUT_SCALAR &&
        spec_element(spec->text, strlen(spec->text), wide, &dim, 0) && dim >= 0) {
        array_push(&spec->shape, dim);
        spec->source = INPUT_DIMS;
        return true;
    }
    REPORT(inputs, input, INPUT_SPEC, input->name, input->spec_text, "a shape is written 4x8");
    return false;
}

static bool read_specs(struct inputs *inputs, const struct driver_options *options)
{
    bool is_good = true;
    for (size_t i = 0; i < options->inputs.count; i++) {
        const struct driver_input *given = &options->inputs.items[i];
        struct input *input = find_input(inputs, given->name);
        struct inlay_message why;
        if (!input) {
            input_report_missing(inputs, given);
            is_good = false;
            continue;
        }
        input->spec_text = given->spec;
        if (spec_parse(given->spec, &input->spec, &why)) {
            is_good &= input->type->kind != IR_TYPE_SHAPE || read_shape(inputs, input);
            continue;
        }
        const char *file = strchr(given->spec, '@');
        if (file && (file == given->spec || file[-1] == ':'))
            REPORT(inputs, input, INPUT_FILE, input->name, file + 1, why.text);
        else
            input_help_spec(input,
                            REPORT(inputs, input, INPUT_SPEC, input->name, given->spec, why.text));
        is_good = false;
    }
    return is_good;
}

/* Gives what passes bind to the parameters of which the command line says nothing. */
static void take_bound(struct inputs *inputs, struct bound *bound)
{
    for (size_t i = 0; i < bound->tensors.count; i++) {
        struct bound_tensor *from = &bound->tensors.items[i];
        struct input *input = find_input(inputs, from->name);

        if (!input || input->spec_text || input->type->kind != IR_TYPE_TENSOR)
            continue;
        input->spec_text = arena_printf(&inputs->arena, "@%s", from->file);
        input->spec.source = INPUT_GIVEN;
        input->spec.tensor = from->tensor;
        from->tensor = NULL;
    }
}

/* --- symbols --- */

/* Gives @var its value; @input fixed it, or (NULL) an @option. */
static bool bind(struct inputs *inputs, const struct ir_var *var, int64_t value,
                 const struct input *input, const char *option)
{
    const char *who = input ? arena_printf(&inputs->arena, "input `%s`", input->name) : option;
    struct location place = input ? input->param->loc : var->loc;
    const struct ir_expr *known = ir_bindings_find(&inputs->dims, var);
    if (!known) {
        const struct ir_expr *e = ir_expr_int(inputs->context, IR_I64, value);
        array_push(&inputs->dims, (struct ir_binding){var, e});
        struct location said =
            input ? place : (struct location){0}; /* an option is not in the script */
        array_push(&inputs->makers, (struct input_maker){who, said});
        return true;
    }
    if (ir_expr_is_int(known, value))
        return true;
    const struct input_maker *first = inputs->makers.items;
    while (inputs->dims.items[first - inputs->makers.items].var != var)
        first++;
    struct diag_message *m =
        diag_report(inputs->diag, place, INPUT_DIM_CONFLICT, var->name, (long long)known->int_value,
                    first->who, (long long)value, who);
    if (input)
        diag_primary(m, "%lld here", (long long)value);
    if (first->place.source)
        diag_label(m, first->place, "%lld here", (long long)known->int_value);
    return false;
}

static void shape_text(const int64_t *dims, size_t count, struct text *out)
{
    text_putc(out, '(');
    for (size_t i = 0; i < count; i++)
        text_printf(out, i ? ", %" PRId64 : "%" PRId64, dims[i]);
    text_puts(out, count == 1 ? ",)" : ")");
}

static bool report_shape(struct inputs *inputs, const struct input *input, const int64_t *dims,
                         size_t count)
{
    struct text text = {0};
    shape_text(dims, count, &text);
    REPORT(inputs, input, INPUT_SHAPE, input->name, text_string(&text),
           ir_type_text(inputs->context, input->type));
    text_finish(&text);
    return false;
}

/* The shape that was given for @input, if any. */
static bool given_shape(const struct input *input, const int64_t **out_dims, size_t *out_count)
{
    if (input->spec.tensor) {
        *out_dims = input->spec.tensor->shape;
        *out_count = (size_t)input->spec.tensor->ndim;
        return true;
    }
    *out_dims = input->spec.shape.items;
    *out_count = input->spec.shape.count;
    return input->spec_text && (input->spec.has_shape || input->spec.source == INPUT_DIMS);
}

/* Rank and bare symbols of what was given. */
static bool match_given(struct inputs *inputs, const struct input *input)
{
    const int64_t *dims;
    size_t count;
    char a[32], b[32];
    if (input->type->kind == IR_TYPE_PRIM || !given_shape(input, &dims, &count))
        return true;
    if (input->spec.tensor && input->spec.has_shape &&
        (input->spec.shape.count != count ||
         (count && memcmp(input->spec.shape.items, dims, count * sizeof(*dims)) != 0)))
        return report_shape(inputs, input, dims, count);
    if (input->type->kind == IR_TYPE_TENSOR && input->spec.tensor &&
        !ir_dtype_is_void(input->type->dtype)) {
        struct inlay_dtype found = input->spec.tensor->dtype;
        struct ir_dtype dtype = {found.code, found.bits, found.lanes};
        if (!ir_dtype_equal(dtype, input->type->dtype)) {
            REPORT(inputs, input, INPUT_DTYPE, input->name, ir_dtype_name(dtype, a),
                   ir_dtype_name(input->type->dtype, b));
            return false;
        }
    }
    if (input->type->ndim != IR_NDIM_UNKNOWN && (size_t)input->type->ndim != count)
        return report_shape(inputs, input, dims, count);
    for (size_t i = 0; input->type->dims && i < count; i++) {
        const struct ir_expr *e = input->type->dims[i];
        if (e->kind == IR_EXPR_var && !bind(inputs, e->var, dims[i], input, NULL))
            return false;
    }
    return true;
}

/* A scalar that stands for a symbol fixes it. */
static bool match_scalar(struct inputs *inputs, const struct input *input)
{
    int64_t value = 0;
    struct inlay_dtype wide = {INLAY_CODE_INT, 64, 1};
    if (input->type->kind != IR_TYPE_PRIM || input->spec.source != INPUT_SCALAR ||
        !input->param->var || ir_dtype_is_float(input->type->dtype))
        return true;
    if (!spec_element(input->spec.text, strlen(input->spec.text), wide, &value, 0))
        return true; /* reported when the value is made */
    return bind(inputs, input->param->var, value, input, NULL);
}

/* The symbols of the parameters, each once. */
struct symbols {
    array(const struct ir_var *) items;
};

static bool add_symbol(void *state, const struct ir_expr *e)
{
    struct symbols *symbols = state;
    bool is_known = e->kind != IR_EXPR_var;
    for (size_t i = 0; !is_known && i < symbols->items.count; i++)
        is_known = symbols->items.items[i] == e->var;
    if (!is_known)
        array_push(&symbols->items, e->var);
    return true;
}

static bool bind_options(struct inputs *inputs, const struct driver_options *options,
                         const struct symbols *symbols)
{
    bool is_good = true;
    for (size_t i = 0; i < options->dims.count; i++) {
        const struct driver_dim *dim = &options->dims.items[i];
        const struct ir_var *found = NULL;
        for (size_t k = 0; k < symbols->items.count; k++)
            if (strcmp(symbols->items.items[k]->name, dim->name) == 0)
                found = symbols->items.items[k];
        is_good &= found && bind(inputs, found, dim->value, NULL, "--dim");
        if (found)
            continue;
        struct diag_message *m = diag_report(inputs->diag, inputs->function->loc, INPUT_NO_DIM,
                                             inputs->function->name, dim->name);
        for (size_t k = 0; k < symbols->items.count; k++)
            diag_help(m, "there is `%s`", symbols->items.items[k]->name);
    }
    return is_good;
}

static bool bind_bound(struct inputs *inputs, const struct bound *bound,
                       const struct symbols *symbols)
{
    bool is_good = true;
    for (size_t i = 0; i < bound->dims.count; i++)
        for (size_t k = 0; k < symbols->items.count; k++)
            if (strcmp(symbols->items.items[k]->name, bound->dims.items[i].name) == 0)
                is_good &= bind(inputs, symbols->items.items[k], bound->dims.items[i].value, NULL,
                                "BindSymbolicVars");
    return is_good;
}

static bool check_open(struct inputs *inputs, const struct symbols *symbols)
{
    struct text open = {0}, help = {0};
    unsigned count = 0;
    for (size_t i = 0; i < symbols->items.count; i++)
        if (!ir_bindings_find(&inputs->dims, symbols->items.items[i])) {
            const char *name = symbols->items.items[i]->name;
            text_printf(&open, "%s`%s`", count++ ? ", " : "", name);
            text_printf(&help, " --dim %s=8", name);
        }
    if (count)
        diag_help(
            diag_report(inputs->diag, inputs->function->loc, INPUT_DIM_OPEN, text_string(&open)),
            "give each a size, as in%s, or give an input that has it", text_string(&help));
    text_finish(&open);
    text_finish(&help);
    return count == 0;
}

static bool fix_symbols(struct inputs *inputs, const struct driver_options *options,
                        const struct bound *bound)
{
    struct symbols symbols = {0};
    bool is_good = true;
    for (size_t i = 0; i < inputs->items.count; i++)
        ir_type_walk_exprs(inputs->items.items[i].type, add_symbol, &symbols);
    is_good = bind_options(inputs, options, &symbols);
    is_good &= bind_bound(inputs, bound, &symbols);
    for (size_t i = 0; i < inputs->items.count; i++) {
        is_good &= match_given(inputs, &inputs->items.items[i]);
        is_good &= match_scalar(inputs, &inputs->items.items[i]);
    }
    is_good = is_good && check_open(inputs, &symbols);
    array_finish(&symbols.items);
    return is_good;
}

/* --- values --- */

/* The shape of @input with all symbols known; false after a report. */
static bool final_shape(struct inputs *inputs, const struct input *input, int64_t **out_dims,
                        size_t *out_count)
{
    const int64_t *given;
    size_t count;
    bool is_given = given_shape(input, &given, &count);
    if (!input->type->dims && !is_given && input->type->ndim != 0) {
        struct diag_message *m =
            REPORT(inputs, input, INPUT_DIM_OPEN,
                   arena_printf(&inputs->arena, "`%s`, which is %s", input->name,
                                ir_type_text(inputs->context, input->type)));
        diag_help(m, "say a shape, as in --in %s=4x8:random", input->name);
        return false;
    }
    if (!is_given)
        count = input->type->ndim > 0 ? (size_t)input->type->ndim : 0;
    *out_dims = arena_array(&inputs->arena, int64_t, count + 1);
    *out_count = count;
    for (size_t i = 0; i < count; i++) {
        int64_t dim = is_given ? given[i] : 0;
        if (input->type->dims) {
            const struct ir_expr *e =
                ir_expr_substitute(inputs->context, input->type->dims[i], &inputs->dims);
            if (!ir_expr_constant(inputs->context, e, &dim) || dim < 0 ||
                (is_given && dim != given[i]))
                return report_shape(inputs, input, is_given ? given : &dim, is_given ? count : 1);
        }
        (*out_dims)[i] = dim;
    }
    return true;
}

/* What the storage of @input has to hold, as the function says; 0: its elements. */
static size_t room_of(struct inputs *inputs, const struct input *input)
{
    struct ir_capacity capacity;
    int64_t bytes;
    if (!ir_capacity_of_value(input->param, &capacity))
        return 0;
    const struct ir_expr *e = ir_expr_substitute(inputs->context, capacity.bytes, &inputs->dims);
    return ir_expr_constant(inputs->context, e, &bytes) && bytes > 0 ? (size_t)bytes : 0;
}

/* Makes the tensor of @input, with room to grow; false after a report. */
static bool create_tensor(struct inputs *inputs, struct input *input, struct inlay_dtype dtype,
                          const int64_t *dims, size_t count)
{
    input->tensor = inlay_tensor_create_with_room(dtype, dims, (int32_t)count, input->room);
    if (!input->tensor &&
        input->room > 0) { /* a bound is no promise that there is so much memory */
        input->room = 0;
        input->tensor = inlay_tensor_create(dtype, dims, (int32_t)count);
    }
    if (input->tensor)
        return true;
    struct text text = {0};
    shape_text(dims, count, &text);
    REPORT(inputs, input, INPUT_SIZE, input->name, text_string(&text));
    text_finish(&text);
    return false;
}

/* The tensor that is given, in storage with room to grow; false after a report. */
static bool take_tensor(struct inputs *inputs, struct input *input)
{
    struct inlay_tensor *given = input->spec.tensor;
    if (input->room == 0) {
        input->tensor = given;
        input->spec.tensor = NULL;
        return true;
    }
    if (!create_tensor(inputs, input, given->dtype, given->shape, (size_t)given->ndim))
        return false;
    memcpy(input->tensor->data, (const char *)given->data + given->byte_offset,
           (size_t)inlay_tensor_elements(given) * (size_t)inlay_dtype_bytes(given->dtype));
    return true;
}

/* Fills @tensor, made for @input; false after a report. */
static bool fill(struct inputs *inputs, struct input *input, struct inlay_tensor *tensor,
                 uint64_t seed)
{
    struct inlay_message why;
    bool is_fine = spec_fill(tensor, &input->spec, seed, &why);
    if (!is_fine)
        REPORT(inputs, input, INPUT_SPEC, input->name, input->spec_text, why.text);
    return is_fine;
}

static bool make_tensor(struct inputs *inputs, struct input *input, uint64_t seed)
{
    int64_t *dims;
    size_t count;
    if (!final_shape(inputs, input, &dims, &count))
        return false;
    input->room = room_of(inputs, input);
    if (input->spec.tensor) {
        if (!take_tensor(inputs, input))
            return false;
    } else {
        struct ir_dtype dtype = ir_dtype_is_void(input->type->dtype) ? IR_F32 : input->type->dtype;
        struct inlay_dtype abi = {dtype.code, dtype.bits, dtype.lanes};
        if (!inlay_dtype_is_supported(abi)) {
            REPORT(inputs, input, INPUT_TYPE, input->name,
                   ir_type_text(inputs->context, input->type));
            return false;
        }
        if (!create_tensor(inputs, input, abi, dims, count))
            return false;
        const struct input_spec *spec = &input->spec;
        if (spec->source != INPUT_SCALAR) {
            if (!fill(inputs, input, input->tensor, seed))
                return false;
        } else if (inlay_tensor_elements(input->tensor) != 1 ||
                   !spec_element(spec->text, strlen(spec->text), abi, input->tensor->data, 0)) {
            REPORT(inputs, input, INPUT_SPEC, input->name, input->spec_text,
                   "a number stands only for a tensor of one element of its dtype");
            return false;
        }
    }
    input->value = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = input->tensor};
    return true;
}

static bool make_shape(struct inputs *inputs, struct input *input)
{
    int64_t *dims;
    size_t count;
    if (!final_shape(inputs, input, &dims, &count))
        return false;
    input->shape = (struct inlay_shape){.dims = dims, .count = count};
    input->value = (struct inlay_value){.kind = INLAY_SHAPE};
    return true;
}

static bool make_scalar(struct inputs *inputs, struct input *input, uint64_t seed)
{
    struct ir_dtype dtype = input->type->dtype;
    struct inlay_dtype abi = {dtype.code, dtype.bits, dtype.lanes};
    const struct ir_expr *known =
        input->param->var ? ir_bindings_find(&inputs->dims, input->param->var) : NULL;
    if (!inlay_dtype_is_supported(abi)) {
        REPORT(inputs, input, INPUT_TYPE, input->name, ir_type_text(inputs->context, input->type));
        return false;
    }
    struct inlay_tensor *tensor = input->tensor = inlay_tensor_create(abi, NULL, 0);
    if (!tensor)
        memory_short();
    if (input->spec.source == INPUT_SCALAR && !input->spec.has_shape) {
        if (!spec_element(input->spec.text, strlen(input->spec.text), abi, tensor->data, 0)) {
            char name[32];
            REPORT(inputs, input, INPUT_SPEC, input->name, input->spec_text,
                   arena_printf(&inputs->arena, "it is no %s", ir_dtype_name(dtype, name)));
            return false;
        }
    } else if (input->spec.source == INPUT_GIVEN || input->spec.source == INPUT_DIMS ||
               input->spec.has_shape) {
        REPORT(inputs, input, INPUT_SPEC, input->name, input->spec_text,
               "the parameter is a scalar: a number is wanted");
        return false;
    } else if (known && !input->spec_text) {
        inlay_element_set_integer(abi, tensor->data, 0, known->int_value);
    } else {
        if (!fill(inputs, input, tensor, seed))
            return false;
    }
    if (ir_dtype_is_float(dtype))
        input->value = (struct inlay_value){.kind = INLAY_FLOAT,
                                            .real = inlay_element_real(abi, tensor->data, 0)};
    else
        input->value =
            (struct inlay_value){.kind = ir_dtype_is_bool(dtype) ? INLAY_BOOL : INLAY_INT,
                                 .integer = inlay_element_integer(abi, tensor->data, 0)};
    return true;
}

static bool make_value(struct inputs *inputs, struct input *input, uint64_t seed)
{
    if (input->type->kind == IR_TYPE_TENSOR && input->spec_text &&
        input->spec.source == INPUT_DIMS) {
        REPORT(inputs, input, INPUT_SPEC, input->name, input->spec_text,
               "a shape alone is no tensor; put :random behind it");
        return false;
    }
    if (input->type->kind == IR_TYPE_TENSOR)
        return make_tensor(inputs, input, seed);
    if (input->type->kind == IR_TYPE_SHAPE)
        return make_shape(inputs, input);
    return make_scalar(inputs, input, seed);
}

/* What is given for a parameter that a pass binds must be what it is bound to. */
static bool check_bound(struct inputs *inputs, const struct bound *bound)
{
    bool is_good = true;
    for (size_t i = 0; i < bound->tensors.count; i++) {
        const struct bound_tensor *from = &bound->tensors.items[i];
        const struct input *input = find_input(inputs, from->name);
        struct text why = {0};
        if (!from->tensor || !input || input->value.kind != INLAY_TENSOR)
            continue;
        struct inlay_value value = {.kind = INLAY_TENSOR, .tensor = from->tensor};
        if (!values_equal(&value, &input->value, 1, &why)) {
            REPORT(inputs, input, INPUT_BOUND, input->name, from->file, text_string(&why));
            is_good = false;
        }
        text_finish(&why);
    }
    return is_good;
}

bool inputs_make(struct inputs *inputs, struct bound *bound, struct driver *driver,
                 struct ir_function *function)
{
    const struct driver_options *options = driver->options;
    *inputs =
        (struct inputs){.context = driver->context, .diag = driver->diag, .function = function};
    for (unsigned i = 0; i < function->param_count; i++) {
        const struct ir_value *param = function->params[i];
        const char *name = param->name ? param->name : arena_printf(&inputs->arena, "arg%u", i);
        if (!add_leaves(inputs, param, name, param->type))
            return false;
    }
    if (!read_specs(inputs, options))
        return false;
    take_bound(inputs, bound);
    if (!fix_symbols(inputs, options, bound))
        return false;
    bool is_good = true;
    for (size_t i = 0; i < inputs->items.count; i++)
        is_good &= make_value(inputs, &inputs->items.items[i], i + 1);
    is_good = is_good && check_bound(inputs, bound);
    for (size_t i = 0; is_good && i < inputs->items.count; i++) {
        struct input *input = &inputs->items.items[i]; /* the array does not move any more */
        if (input->value.kind == INLAY_SHAPE)
            input->value.shape = &input->shape;
        array_push(&inputs->values, input->value);
        array_push(&inputs->rooms, input->room);
    }
    return is_good;
}

void inputs_finish(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->items.count; i++) {
        spec_finish(&inputs->items.items[i].spec);
        inlay_tensor_destroy(inputs->items.items[i].tensor);
    }
    array_finish(&inputs->items);
    array_finish(&inputs->values);
    array_finish(&inputs->rooms);
    array_finish(&inputs->dims);
    array_finish(&inputs->makers);
    arena_finish(&inputs->arena);
}
