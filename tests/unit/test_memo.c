/* Answers are those of their questions, also when the table was full in between. */
#include "ir/memo.h"
#include "tests/unit/test.h"

#include <string.h>

static void test_memo(void **state)
{
    enum { QUESTIONS = 40000, LONGEST = 60 };
    struct ir_context *context = ir_context_create();
    int64_t question[LONGEST];
    unsigned found = 0;
    int answer;

    for (int i = 0; i < QUESTIONS; i++) {
        size_t size = (size_t)(1 + i % LONGEST) * sizeof(*question);
        memset(question, 0, sizeof(question));
        question[i % LONGEST] = i;
        assert_false(ir_memo_find(context, question, size, &answer));
        ir_memo_add(context, question, size, i);
        assert_true(ir_memo_find(context, question, size, &answer) && answer == i);
    }
    for (int i = 0; i < QUESTIONS; i++) {
        memset(question, 0, sizeof(question));
        question[i % LONGEST] = i;
        if (!ir_memo_find(context, question, (size_t)(1 + i % LONGEST) * sizeof(*question),
                          &answer))
            continue;
        assert_true(answer == i);
        found++;
    }
    assert_true(found > 0 && found < QUESTIONS); /* 9 MiB do not fit */
    ir_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memo)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
