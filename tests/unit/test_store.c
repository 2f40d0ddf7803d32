/* Digests by the examples of FIPS 180-4, in pieces of all sizes; a store of files. */
#include "base/store.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_digest(const char *data, size_t size, const char *expected)
{
    char text[2 * DIGEST_SIZE + 1];
    for (size_t piece = 1; piece <= 130; piece++) {
        struct digest_state state;
        digest_begin(&state);
        for (size_t i = 0; i < size; i += piece)
            digest_add(&state, data + i, size - i < piece ? size - i : piece);
        struct digest digest = digest_end(&state);
        digest_text(&digest, text);
        assert_string_equal(text, expected);
    }
}

static void test_digest(void **state)
{
    static const char longer[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    char thousand[1000];
    memset(thousand, 'a', sizeof(thousand));
    check_digest("", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check_digest("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check_digest(longer, strlen(longer),
                 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check_digest(thousand, sizeof(thousand),
                 "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}

static void test_files(void **state)
{
    char folder[] = "/tmp/inlay-store-XXXXXX", path[sizeof(folder) + 8];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/a/b", folder);
    struct digest keys[20];
    struct store store;
    struct text text = {0};
    store_open(&store, path, 1000, false);
    assert_false(store_is_open(&store));
    store_put(&store, &keys[0], "x", 1);
    assert_false(store_get(&store, &keys[0], &text));
    for (char i = 0; i < 20; i++) {
        keys[(size_t)i] = digest_of(&i, 1);
        store_open(&store, path, 1000, true);
        assert_true(store_is_open(&store));
        store_put(&store, &keys[(size_t)i],
                  "some hundred bytes with their header: this is about it.", 55);
        store_close(&store);
        store_open(&store, path, 1000, false);
        text_clear(&text);
        assert_true(store_get(&store, &keys[(size_t)i], &text));
        assert_true(text.length == 55);
        struct store_sums sums = store_shrink(&store, UINT64_MAX);
        assert_true(sums.bytes <= 1000 && sums.files >= (i < 7 ? (uint64_t)i + 1 : 7));
        store_close(&store);
    }
    store_open(&store, path, 1000, false);
    assert_false(store_get(&store, &keys[0], &text));
    assert_true(store_shrink(&store, 0).files == 0);
    store_put(&store, &keys[0], (char[1001]){0}, 1001); /* more than all may have */
    assert_false(store_get(&store, &keys[0], &text));
    store_close(&store);
    text_finish(&text);
    char command[sizeof(folder) + 16];
    snprintf(command, sizeof(command), "rm -r %s", folder);
    assert_true(system(command) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_digest), cmocka_unit_test(test_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
