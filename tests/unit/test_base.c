/* Arena, array, text, names, map, source and the guard. */
#include "base/arena.h"
#include "base/array.h"
#include "base/atom.h"
#include "base/guard.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/source.h"
#include "base/target.h"
#include "base/text.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

static void arena_is_zeroed_and_aligned(void **state)
{
    struct arena arena = {0};

    for (size_t i = 1; i < 3000; i++) {
        char *bytes = arena_array(&arena, char, i);
        for (size_t j = 0; j < i; j++)
            assert_int_equal(bytes[j], 0);
        memset(bytes, 0xff, i);
        double *number = arena_new(&arena, double);
        assert_int_equal((uintptr_t)number % _Alignof(double), 0);
        *number = 1.0;
    }
    void *wide = arena_alloc(&arena, 1, 1, 64);
    assert_int_equal((uintptr_t)wide % 64, 0);
    wide = arena_alloc(&arena, 1 << 20, 1, 64);
    assert_int_equal((uintptr_t)wide % 64, 0);
    assert_string_equal(arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
    arena_finish(&arena);
    assert_string_equal(arena_copy_text(&arena, "after", 5), "after");
    arena_finish(&arena);
}

static void array_grows_and_pops(void **state)
{
    array(int) numbers = {0};

    for (int i = 0; i < 1000; i++)
        array_push(&numbers, i);
    assert_int_equal(numbers.count, 1000);
    assert_int_equal(array_last(&numbers), 999);
    assert_int_equal(array_pop(&numbers), 999);
    array_reserve(&numbers, 5000);
    assert_true(numbers.capacity >= 5999);
    for (int i = 0; i < 999; i++)
        assert_int_equal(numbers.items[i], i);
    array_finish(&numbers);
    assert_null(numbers.items);
    assert_int_equal(numbers.capacity, 0);
}

static void text_prints_and_clears(void **state)
{
    struct text text = {0};

    assert_string_equal(text_string(&text), "");
    for (int i = 0; i < 100; i++)
        text_printf(&text, "%d,", i);
    text_putc(&text, '.');
    assert_int_equal(text.length, strlen(text.data));
    text_clear(&text);
    assert_string_equal(text_string(&text), "");
    text_append(&text, "a\0b", 3);
    assert_int_equal(text.length, 3);
    text_finish(&text);
}

static void json_escapes(void **state)
{
    static const struct {
        const char *bytes, *expected;
    } cases[] = {
        {"plain", "\"plain\""},
        {"\"\\\n\t\x01\x7f", "\"\\\"\\\\\\n\\t\\u0001\\u007f\""},
        {"h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"h\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
        /* cut short, overlong, surrogate, beyond Unicode, lone continuation */
        {"\xc3", "\"\xef\xbf\xbd\""},
        {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\x80z", "\"\xef\xbf\xbdz\""},
    };
    struct text text = {0};

    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        text_clear(&text);
        text_put_json(&text, cases[i].bytes, strlen(cases[i].bytes));
        assert_string_equal(text_string(&text), cases[i].expected);
    }
    text_finish(&text);
}

static void atoms_are_unique(void **state)
{
    struct arena arena = {0};
    struct atoms atoms = {.arena = &arena};
    const char *first[2000];

    for (int i = 0; i < 2000; i++)
        first[i] = atom_printf(&atoms, "name%d", i);
    assert_int_equal(atoms.heads.count, 2000);
    for (int i = 0; i < 2000; i++) {
        char name[16];
        snprintf(name, sizeof(name), "name%d", i);
        assert_ptr_equal(atom_intern_text(&atoms, name), first[i]);
        assert_string_equal(first[i], name);
    }
    assert_ptr_not_equal(atom_intern(&atoms, "a\0b", 3), atom_intern(&atoms, "a\0c", 3));
    assert_ptr_not_equal(atom_intern(&atoms, "a", 1), atom_intern(&atoms, "a\0", 2));
    assert_ptr_equal(atom_intern(&atoms, NULL, 0), atom_intern_text(&atoms, ""));
    atoms_finish(&atoms);
    arena_finish(&arena);
}

static void map_replaces_and_finds(void **state)
{
    static char keys[5000];
    struct map map = {0};

    assert_null(map_get(&map, keys));
    assert_false(map_has(&map, keys));
    for (size_t i = 0; i < sizeof(keys); i += 2)
        map_set(&map, &keys[i], &keys[0]);
    for (size_t i = 0; i < sizeof(keys); i += 2)
        map_set(&map, &keys[i], &keys[i]);
    assert_int_equal(map.count, sizeof(keys) / 2);
    for (size_t i = 0; i < sizeof(keys); i++) {
        assert_int_equal(map_has(&map, &keys[i]), i % 2 == 0);
        assert_ptr_equal(map_get(&map, &keys[i]), i % 2 ? NULL : &keys[i]);
    }
    map_set(&map, &keys[1], NULL);
    assert_true(map_has(&map, &keys[1]));
    assert_null(map_get(&map, NULL));
    map_finish(&map);
    assert_null(map_get(&map, keys));
}

static void source_finds_lines(void **state)
{
    static const char text[] = "a\nbc\r\n\rd\n";
    static const struct {
        uint32_t offset;
        unsigned line, column;
    } places[] = {{0, 1, 1}, {1, 1, 2}, {2, 2, 1}, {5, 2, 4}, {6, 3, 1}, {7, 4, 1}, {9, 5, 1}};
    struct arena arena = {0};
    struct source *source = source_new(&arena, "x.py", text, strlen(text));

    assert_int_equal(source->line_count, 5);
    for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
        unsigned column;
        assert_int_equal(source_line(source, places[i].offset, &column), places[i].line);
        assert_int_equal(column, places[i].column);
    }
    struct source *empty = source_new(&arena, "empty.py", NULL, 0);
    assert_int_equal(source_line(empty, 0, NULL), 1);
    assert_string_equal(empty->text, "");
    arena_finish(&arena);
}

static void locations_join(void **state)
{
    struct arena arena = {0};
    struct source *source = source_new(&arena, "x.py", "abc\ndef", 7);
    struct source *other = source_new(&arena, "y.py", "abc", 3);
    struct location a = {source, 1, 2}, b = {source, 4, 6}, c = {other, 0, 3}, nowhere = {0};

    struct location joined = location_join(b, a);
    assert_int_equal(joined.begin, 1);
    assert_int_equal(joined.end, 6);
    assert_ptr_equal(location_join(nowhere, a).source, source);
    assert_int_equal(location_join(a, c).end, 2);
    assert_int_equal(location_line(b), 2);
    assert_int_equal(location_line(nowhere), 0);
    arena_finish(&arena);
}

/* ---- guard: what it runs leaves it in the middle ---- */

struct leaving {
    struct guard *guard;
    enum guard_outcome how;
    unsigned steps;
    struct arena arena; /* of the one that was left: lies under its guard */
};

static void leave(void *state)
{
    struct leaving *leaving = state;
    struct text text = {0};

    leaving->steps++;
    text_puts(&text, arena_copy_text(&leaving->arena, "kept", 4));
    if (leaving->how == GUARD_MEMORY)
        memory_short();
    if (leaving->how == GUARD_BUG)
        UNREACHABLE("on purpose");
    text_finish(&text);
    arena_finish(&leaving->arena);
    leaving->steps++;
}

static void leave_inside(void *state)
{
    struct leaving *leaving = state, inner = {.how = leaving->how};
    struct guard guard;

    guard_init(&guard, true);
    assert_int_equal(guard_run(&guard, leave, &inner), leaving->how);
    assert_ptr_equal(guard_now(), leaving->guard);
    guard_release(&guard);
    leaving->steps++;
}

static void guard_comes_back(void **state)
{
    static const enum guard_outcome outcomes[] = {GUARD_DONE, GUARD_MEMORY, GUARD_BUG};

    for (size_t i = 0; i < ARRAY_SIZE(outcomes); i++) {
        struct leaving leaving = {.how = outcomes[i]};
        struct guard guard;

        guard_init(&guard, true);
        assert_int_equal(guard_run(&guard, leave, &leaving), outcomes[i]);
        assert_int_equal(leaving.steps, outcomes[i] == GUARD_DONE ? 2 : 1);
        assert_null(guard_now());
        bool is_empty = guard.blocks.next == &guard.blocks;
        assert_int_equal(is_empty, outcomes[i] == GUARD_DONE);
        assert_int_equal(strstr(guard.why, "on purpose") != NULL, outcomes[i] == GUARD_BUG);
        /* one that was left runs nothing any more */
        assert_int_equal(guard_run(&guard, leave, &leaving), outcomes[i]);
        assert_int_equal(leaving.steps, outcomes[i] == GUARD_DONE ? 4 : 1);
        guard_release(&guard);
        assert_ptr_equal(guard.blocks.next, &guard.blocks);
    }
}

static void guards_nest(void **state)
{
    struct guard outer;

    guard_init(&outer, true);
    for (int i = GUARD_DONE; i <= GUARD_BUG; i++) {
        struct leaving leaving = {.guard = &outer, .how = (enum guard_outcome)i};

        assert_int_equal(guard_run(&outer, leave_inside, &leaving), GUARD_DONE);
        assert_int_equal(leaving.steps, 1);
    }
}

/* Blocks that were made under a guard may move and go without it, and the other way round. */
static void resize_under_guard(void *state)
{
    char **blocks = state;

    blocks[0] = memory_resize(blocks[0], 100000);
    blocks[1] = memory_new(10, 1);
    memory_free(blocks[2]);
}

static void blocks_change_guards(void **state)
{
    char *blocks[] = {memory_new(3, 1), NULL, memory_new(5, 1)};
    struct guard guard;

    guard_init(&guard, true);
    blocks[0][2] = 'x';
    assert_int_equal(guard_run(&guard, resize_under_guard, blocks), GUARD_DONE);
    assert_int_equal(blocks[0][2], 'x');
    blocks[1] = memory_resize(blocks[1], 100000);
    assert_int_equal(blocks[1][9], 0);
    memory_free(blocks[0]);
    memory_free(blocks[1]);
    assert_ptr_equal(guard.blocks.next, &guard.blocks);
}

static void targets_are_found_and_limited(void **state)
{
    struct target host = target_host(), target;

    assert_null(target_missing(&host));
    assert_false(target_find(NULL, "pentium", &target));
    assert_true(target_find(NULL, "host", &target));
    assert_null(target.cpu);
    assert_int_equal(target.vector_bytes, host.vector_bytes);
    target_limit(&target, 16);
    assert_int_equal(target.vector_bytes, 16);
    target_limit(&target, 64); /* a limit, no wish */
    assert_int_equal(target.vector_bytes, 16);
#if defined(__x86_64__)
    assert_false(target_has(&target, TARGET_FMA));
    for (size_t i = 0; i < target_cpu_count; i++) {
        if (target_cpus[i].machine != TARGET_X86_64)
            continue;
        assert_true(target_find(NULL, target_cpus[i].name, &target));
        assert_string_equal(target.cpu, target_cpus[i].name);
        assert_int_equal(target.vector_bytes, target_cpus[i].vector_bytes);
        bool is_here = (target.features & ~host.features) == 0;
        assert_int_equal(target_missing(&target) == NULL, is_here);
    }
    assert_true(target_has(&target, TARGET_FMA) && target_has(&target, TARGET_AVX512VL));
    target_limit(&target, 32);
    assert_true(target_has(&target, TARGET_FMA) && !target_has(&target, TARGET_AVX512F));
    assert_int_equal(target.vector_bytes, 32);
#endif
}

static void targets_of_other_machines(void **state)
{
    struct target host = target_host(), target;
    char unknown[16];

    assert_false(target_find("pdp11", NULL, &target));
    assert_int_equal(target.machine, TARGET_MACHINE_COUNT);
    assert_false(target_find("riscv64", "neoverse-n1", &target)); /* of another machine */
    assert_int_equal(target.machine, TARGET_RISCV64);
    for (unsigned i = 0; i < TARGET_MACHINE_COUNT; i++) {
        assert_true(target_find(target_machines[i].name, NULL, &target));
        assert_int_equal(target.machine, i);
        assert_non_null(
            target.cpu); /* also of this machine: the first, so the same wherever it is made */
        bool is_foreign = host.machine != (enum target_machine)i;
        assert_int_equal(target_is_foreign(&target), is_foreign);
        assert_int_equal(target_find(target_machines[i].name, "host", &target), !is_foreign);
    }
    assert_true(target_find("aarch64", NULL, &target));
    assert_true(target_has(&target, TARGET_FMA) && target.vector_bytes == 16);
    if (target_is_foreign(&target))
        assert_non_null(target_missing(&target));
    assert_false(
        target_change(&target, "+avx2", unknown, sizeof(unknown))); /* of another machine */
    assert_string_equal(unknown, "+avx2");
    assert_false(target_change(&target, "+a-name-that-is-long", unknown, sizeof(unknown)));
    assert_string_equal(unknown, "+a-name-that-is");
    assert_true(target_find("riscv64", NULL, &target) && !target_has(&target, TARGET_RVV));
    assert_true(target_change(&target, "+v", unknown, sizeof(unknown)));
    assert_true(target_has(&target, TARGET_RVV) && target.added == 1u << TARGET_RVV);
    assert_true(target_find("x86_64", NULL, &target) && target.vector_bytes == 16);
    assert_true(target_change(&target, "+avx2,fma,-sse4.2", unknown, sizeof(unknown)));
    assert_true(target_has(&target, TARGET_FMA) && !target_has(&target, TARGET_SSE42));
    assert_int_equal(target.vector_bytes, 32);
    target_limit(&target, 16);
    assert_false(target_has(&target, TARGET_AVX2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_is_zeroed_and_aligned),
        cmocka_unit_test(array_grows_and_pops),
        cmocka_unit_test(text_prints_and_clears),
        cmocka_unit_test(json_escapes),
        cmocka_unit_test(atoms_are_unique),
        cmocka_unit_test(map_replaces_and_finds),
        cmocka_unit_test(source_finds_lines),
        cmocka_unit_test(locations_join),
        cmocka_unit_test(guard_comes_back),
        cmocka_unit_test(guards_nest),
        cmocka_unit_test(blocks_change_guards),
        cmocka_unit_test(targets_are_found_and_limited),
        cmocka_unit_test(targets_of_other_machines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
