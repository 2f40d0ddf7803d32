/* Passes that are wrong on purpose, and the table of all passes with them: see broken.def. */
#include "passes/pass.h"

#include <string.h>

#define PASS(name, folder, file, options, needs, gives, doc) pass_fn pass_##file;
#include "tests/broken/broken.def"

const struct pass_info pass_table[] = {
#define PASS(name, folder, file, options, needs, gives, doc) \
    {#name, PASS_FOLDER_##folder, options, needs, gives, doc, pass_##file},
#include "passes/passes.def"
#define PASS(name, folder, file, options, needs, gives, doc) \
    {#name, PASS_FOLDER_##folder, options, needs, gives, doc, pass_##file},
#include "tests/broken/broken.def"
};
const size_t pass_table_count = ARRAY_SIZE(pass_table);

const struct pipeline_info pipeline_table[] = {
#define PIPELINE(name, passes, doc) {#name, passes, doc},
#include "passes/passes.def"
};
const size_t pipeline_table_count = ARRAY_SIZE(pipeline_table);

/* The last op that @test accepts, in the first function. */
typedef bool test_fn(const struct ir_op *op);

static struct ir_op *find(struct pass_run *run, test_fn *test)
{
    struct ir_op *found = NULL;

    for (size_t i = 0; i < run->module->global_count && !found; i++) {
        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        ir_for_each_block(block, run->module->globals[i]->function->body)
            ir_for_each_op (op, block) if (test(op)) found = op;
    }
    return found;
}

static bool has_name(const struct ir_op *op)
{
    return op->result.name != NULL;
}

static bool reads_neighbour(const struct ir_op *op)
{
    return op->prev && op->operand_count > 0 && op->operands[0].value == &op->prev->result;
}

static bool is_subtract(const struct ir_op *op)
{
    return strcmp(op->info->name, "subtract") == 0;
}

static const char *atom(struct pass_run *run, const char *name)
{
    return atom_intern(&run->module->context->atoms, name, strlen(name));
}

enum pass_result pass_break_module(struct pass_run *run)
{
    struct ir_op *op = find(run, reads_neighbour);

    if (!op)
        return PASS_UNCHANGED;
    struct ir_op *before = op->prev;
    ir_op_unlink(op);
    ir_op_insert_before(before, op);
    return PASS_CHANGED;
}

enum pass_result pass_change_secretly(struct pass_run *run)
{
    struct ir_op *op = find(run, has_name);

    if (op)
        op->result.name = atom(run, "secret");
    return PASS_UNCHANGED;
}

enum pass_result pass_break_text(struct pass_run *run)
{
    run->module->name = "Not a name";
    return PASS_CHANGED;
}

enum pass_result pass_change_meaning(struct pass_run *run)
{
    struct ir_op *op = find(run, is_subtract);

    if (!op)
        return PASS_UNCHANGED;
    struct ir_value *first = op->operands[0].value, *second = op->operands[1].value;
    ir_op_set_operand(op, 0, second);
    ir_op_set_operand(op, 1, first);
    return PASS_CHANGED;
}

enum pass_result pass_crash(struct pass_run *run)
{
    volatile int *nowhere = NULL;

    return *nowhere ? PASS_CHANGED : PASS_UNCHANGED;
}

enum pass_result pass_flip(struct pass_run *run)
{
    struct ir_op *op = find(run, has_name);

    if (!op)
        return PASS_UNCHANGED;
    op->result.name = atom(run, strcmp(op->result.name, "flip") == 0 ? "flop" : "flip");
    return PASS_CHANGED;
}

enum pass_result pass_early(struct pass_run *run)
{
    return pass_option_int(run, "size") == 8 && strcmp(pass_option_string(run, "name"), "a, b") == 0
               ? PASS_UNCHANGED
               : PASS_FAILED;
}

enum pass_result pass_late(struct pass_run *run)
{
    return PASS_UNCHANGED;
}
