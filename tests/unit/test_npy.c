/* The .npy and .npz files: what is read is what was written, and no lie in a file is believed. */
#include "io/file.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct inlay_tensor *decode(const void *bytes, size_t size, struct inlay_message *message)
{
    struct inlay_memory_reader memory;
    inlay_memory_reader_init(&memory, bytes, size);
    return inlay_npy_decode(&memory.reader, message);
}

/* A file of version 1 with @header as its literal and @elements bytes of 1 behind it. */
static size_t make_file(char *out, const char *header, size_t elements)
{
    size_t length = strlen(header);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (char)(length & 0xff);
    out[9] = (char)(length >> 8);
    memcpy(out + 10, header, length);
    memset(out + 10 + length, 1, elements);
    return 10 + length + elements;
}

static void expect_failure(const char *header, size_t elements, const char *why)
{
    char file[4096];
    struct inlay_message message = {""};
    size_t size = make_file(file, header, elements);
    struct inlay_tensor *tensor = decode(file, size, &message);
    if (tensor)
        fail_msg("accepted: %s", header);
    if (!strstr(message.text, why))
        fail_msg("%s: `%s` does not say `%s`", header, message.text, why);
}

static void test_headers(void **state)
{
    static const struct {
        const char *header;
        size_t elements;
        int32_t ndim;
    } good[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", 24, 2},
        {"{'shape': (2,), \"descr\": \"|u1\", 'fortran_order': False}", 2, 1},
        {"{ 'descr' : '|b1','fortran_order':False,'shape':() }  \n", 1, 0},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (0, 5), }\n", 0, 2},
        {"{'descr': '<V2', 'fortran_order': False, 'shape': (3,), }\n", 6, 1},
        {"{'descr': '>i1', 'fortran_order': False, 'shape': (3,), }\n", 3, 1},
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        char file[4096];
        struct inlay_message message = {""};
        size_t size = make_file(file, good[i].header, good[i].elements);
        struct inlay_tensor *tensor = decode(file, size, &message);
        if (!tensor)
            fail_msg("%s: %s", good[i].header, message.text);
        assert_int_equal(tensor->ndim, good[i].ndim);
        assert_int_equal((uintptr_t)tensor->data % 64, 0);
        inlay_tensor_destroy(tensor);
    }
}

#define SHAPE(text) "{'descr': '<f4', 'fortran_order': False, 'shape': " text ", }\n"
#define DESCR(text) "{'descr': " text ", 'fortran_order': False, 'shape': (2,), }\n"

static void test_lies(void **state)
{
    expect_failure(SHAPE("(2, 3)"), 23, "promises 24 bytes");
    expect_failure(SHAPE("(2, 3)"), 25, "promises 24 bytes");
    expect_failure(SHAPE("(-2, 3)"), 24, "negative");
    expect_failure(SHAPE("(3)"), 12, "not a tuple");
    expect_failure(SHAPE("[3]"), 12, "`(` is expected");
    expect_failure(SHAPE("(3.5,)"), 12, "expected");
    expect_failure(SHAPE("(0x3,)"), 12, "expected");
    expect_failure(SHAPE("(9223372036854775808,)"), 12, "over 2^63");
    expect_failure(SHAPE("(4611686018427387904, 4)"), 0, "larger than any memory");
    expect_failure(SHAPE("(4294967296, 4294967296)"), 0, "larger than any memory");
    expect_failure(SHAPE("(0, 4611686018427387904, 4)"), 0, "larger than any memory");
    expect_failure(SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), 4,
                   "more than 32 dimensions");
    expect_failure(DESCR("'>f4'"), 8, "big-endian");
    expect_failure(DESCR("'|O'"), 16, "Python objects");
    expect_failure(DESCR("'<c8'"), 16, "not supported");
    expect_failure(DESCR("'<U4'"), 32, "not supported");
    expect_failure(DESCR("[('a', '<f4')]"), 8, "structured");
    expect_failure(DESCR("''"), 8, "empty dtype");
    expect_failure(DESCR("'<f4"), 8, "dtype `<f4, `");
    expect_failure(DESCR("1"), 8, "lacks a string");
    expect_failure("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", 16, "Fortran");
    expect_failure("{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 2), }", 16, "neither");
    expect_failure("{'descr': '<f4', 'shape': (2, 2), }", 16, "lacks the key `fortran_order`");
    expect_failure("{'descr': '<f4', 'descr': '<f4', 'shape': (2,)}", 8, "twice");
    expect_failure("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", 8,
                   "unknown key");
    expect_failure("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} + 1", 8, "goes on");
    expect_failure("__import__('os')", 8, "`{` is expected");
    expect_failure("", 8, "ends where");
    /* The elements are bytes of 1, but one is changed to 2. */
    char file[4096];
    struct inlay_message message;
    size_t size = make_file(file, "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }\n", 2);
    file[size - 1] = 2;
    assert_null(decode(file, size, &message));
    assert_non_null(strstr(message.text, "element 1 of a bool"));
}

static void test_magic(void **state)
{
    char file[4096];
    struct inlay_message message;
    size_t size = make_file(file, SHAPE("(2,)"), 8);
    file[6] = 4;
    assert_null(decode(file, size, &message));
    assert_non_null(strstr(message.text, "version 4.0"));
    file[6] = 1;
    file[0] = 'x';
    assert_null(decode(file, size, &message));
    assert_non_null(strstr(message.text, "no .npy file"));
    /* A header of 4 GiB in a short file is refused before memory is asked for. */
    memcpy(file, "\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
    assert_null(decode(file, size, &message));
    assert_non_null(strstr(message.text, "claims 4294967295 bytes"));
}

static void test_truncation(void **state)
{
    char file[4096];
    struct inlay_message message;
    size_t size = make_file(file, SHAPE("(5, 2)"), 40);
    for (size_t i = 0; i < size; i++) {
        char *cut = malloc(i + 1); /* of its own, so that a sanitizer sees reads beyond it */
        memcpy(cut, file, i);
        assert_null(decode(cut, i, &message));
        assert_true(strlen(message.text) > 0);
        free(cut);
    }
    struct inlay_tensor *tensor = decode(file, size, &message);
    assert_non_null(tensor);
    inlay_tensor_destroy(tensor);
}

/* Every byte of the header changed to some others: refused or read, never a crash. */
static void test_mutations(void **state)
{
    static const char others[] = "\0'\"{}(),:09-<>fOT\xff\n";
    char file[4096];
    struct inlay_message message;
    size_t size = make_file(file, SHAPE("(5, 2)"), 40);
    for (size_t i = 0; i < size - 40; i++)
        for (size_t k = 0; k < sizeof(others) - 1; k++) {
            char old = file[i];
            file[i] = others[k];
            inlay_tensor_destroy(decode(file, size, &message));
            file[i] = old;
        }
}

static struct inlay_tensor *make_tensor(uint8_t code, uint8_t bits, int32_t ndim)
{
    static const int64_t shape[] = {3, 2, 2};
    struct inlay_tensor *tensor =
        inlay_tensor_create((struct inlay_dtype){code, bits, 1}, shape, ndim);
    assert_non_null(tensor);
    for (int64_t i = 0; i < inlay_tensor_elements(tensor); i++) {
        if (inlay_dtype_is_float(tensor->dtype))
            inlay_element_set_real(tensor->dtype, tensor->data, i, (double)i - 1.5);
        else
            inlay_element_set_integer(tensor->dtype, tensor->data, i, i - 1);
    }
    return tensor;
}

static void assert_same_tensor(const struct inlay_tensor *a, const struct inlay_tensor *b)
{
    assert_int_equal(a->ndim, b->ndim);
    assert_memory_equal(&a->dtype, &b->dtype, sizeof(a->dtype));
    assert_memory_equal(a->shape, b->shape, (size_t)a->ndim * sizeof(int64_t));
    assert_memory_equal(a->data, b->data,
                        (size_t)inlay_tensor_elements(a) * (size_t)inlay_dtype_bytes(a->dtype));
}

static const struct {
    uint8_t code, bits;
} dtypes[] = {
    {INLAY_CODE_BOOL, 8},    {INLAY_CODE_INT, 8},    {INLAY_CODE_INT, 16},   {INLAY_CODE_INT, 32},
    {INLAY_CODE_INT, 64},    {INLAY_CODE_UINT, 8},   {INLAY_CODE_UINT, 16},  {INLAY_CODE_UINT, 32},
    {INLAY_CODE_UINT, 64},   {INLAY_CODE_FLOAT, 16}, {INLAY_CODE_FLOAT, 32}, {INLAY_CODE_FLOAT, 64},
    {INLAY_CODE_BFLOAT, 16},
};
enum { DTYPE_COUNT = sizeof(dtypes) / sizeof(dtypes[0]) };

static void test_round_trip(void **state)
{
    char folder[] = "/tmp/inlay-test-XXXXXX", path[64];
    struct inlay_message message;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/x.npy", folder);
    for (size_t i = 0; i < DTYPE_COUNT; i++)
        for (int32_t ndim = 0; ndim <= 3; ndim++) {
            struct inlay_tensor *a = make_tensor(dtypes[i].code, dtypes[i].bits, ndim);
            if (!inlay_npy_write(path, a, &message))
                fail_msg("%s", message.text);
            struct inlay_tensor *b = inlay_npy_read(path, &message);
            if (!b)
                fail_msg("%s", message.text);
            assert_same_tensor(a, b);
            inlay_tensor_destroy(a);
            inlay_tensor_destroy(b);
        }
    unlink(path);
    rmdir(folder);
}

/* Counts tensors, and stops behind @limit of them. */
struct visit {
    size_t count, limit;
    char last[32];
};

static bool take(void *state, const char *key, struct inlay_tensor *tensor)
{
    struct visit *visit = state;
    snprintf(visit->last, sizeof(visit->last), "%s", key);
    inlay_tensor_destroy(tensor);
    return ++visit->count < visit->limit || visit->limit == DTYPE_COUNT;
}

static void test_archive(void **state)
{
    char folder[] = "/tmp/inlay-test-XXXXXX", path[64];
    struct inlay_message message;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/x.npz", folder);
    const struct inlay_tensor *tensors[DTYPE_COUNT];
    const char *names[DTYPE_COUNT] = {"a", "b", "c", "d", "e", "f",       "g",
                                      "h", "i", "j", "k", "l", "result.0"};
    for (size_t i = 0; i < DTYPE_COUNT; i++)
        tensors[i] = make_tensor(dtypes[i].code, dtypes[i].bits, (int32_t)(i % 4));
    for (int again = 0; again < 2; again++) /* the second time over the first */
        if (!inlay_npz_write(path, names, tensors, DTYPE_COUNT, &message))
            fail_msg("%s", message.text);
    for (size_t i = 0; i < DTYPE_COUNT; i++) {
        struct inlay_tensor *read = inlay_npz_read(path, names[i], &message);
        if (!read)
            fail_msg("%s", message.text);
        assert_same_tensor(tensors[i], read);
        inlay_tensor_destroy(read);
    }
    assert_null(inlay_npz_read(path, "z", &message));
    assert_non_null(strstr(message.text, "has no array `z`; it has `a`"));
    assert_null(inlay_npz_read(path, NULL, &message));
    assert_non_null(strstr(message.text, "13 arrays"));
    struct visit all = {.limit = DTYPE_COUNT};
    assert_true(inlay_npz_read_all(path, take, &all, &message));
    assert_int_equal(all.count, DTYPE_COUNT);
    assert_string_equal(all.last, "result.0");
    struct visit two = {.limit = 2};
    assert_false(inlay_npz_read_all(path, take, &two, &message));
    assert_int_equal(two.count, 2);
    /* Cut anywhere, the archive is refused. */
    FILE *file = fopen(path, "rb");
    char bytes[16384];
    size_t size = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    assert_true(size < sizeof(bytes));
    for (size_t cut = 0; cut < size; cut += 37) {
        assert_int_equal(truncate(path, (off_t)(size - 1 - cut)), 0);
        assert_null(inlay_npz_read(path, "a", &message));
        assert_false(inlay_npz_read_all(path, take, &all, &message));
    }
    for (size_t i = 0; i < DTYPE_COUNT; i++)
        inlay_tensor_destroy((struct inlay_tensor *)(uintptr_t)tensors[i]);
    unlink(path);
    rmdir(folder);
}

static void test_output(void **state)
{
    char folder[] = "/tmp/inlay-test-XXXXXX", path[64], link_path[64];
    struct inlay_message message;
    struct inlay_output output;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/out", folder);
    snprintf(link_path, sizeof(link_path), "%s/link", folder);
    /* Abandoned: nothing is there. */
    assert_true(inlay_output_open(&output, path, &message));
    fputs("half", output.file);
    inlay_output_abandon(&output);
    assert_int_equal(access(path, F_OK), -1);
    /* Committed through a link: the link stays one, its target is replaced. */
    assert_true(inlay_output_open(&output, path, &message));
    fputs("first", output.file);
    assert_true(inlay_output_commit(&output, &message));
    assert_int_equal(symlink(path, link_path), 0);
    assert_true(inlay_output_open(&output, link_path, &message));
    fputs("second", output.file);
    assert_true(inlay_output_commit(&output, &message));
    char text[16] = "";
    assert_int_equal(readlink(link_path, text, 4), 4);
    FILE *file = fopen(path, "rb");
    assert_int_equal(fread(text, 1, sizeof(text), file), 6);
    fclose(file);
    assert_memory_equal(text, "second", 6);
    /* Where there can be no file. */
    assert_false(inlay_output_open(&output, folder, &message));
    assert_non_null(strstr(message.text, "is a folder"));
    assert_false(inlay_output_open(&output, "/nowhere/at/all", &message));
    unlink(link_path);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); /* no temporary file was left */
}

static void test_open(void **state)
{
    struct inlay_message message;
    assert_null(inlay_npy_read("/nowhere/x.npy", &message));
    assert_non_null(strstr(message.text, "cannot be opened"));
    assert_null(inlay_npy_read("/tmp", &message));
    assert_non_null(strstr(message.text, "is a folder"));
    assert_null(inlay_npy_read("/dev/null", &message));
    assert_non_null(strstr(message.text, "no regular file"));
}

/* A .safetensors file with @header; the elements are 8 bytes. */
static struct inlay_tensor *read_safetensors(const char *header, const char *key,
                                             struct inlay_message *message)
{
    char path[] = "/tmp/inlay-test-XXXXXX";
    int fd = mkstemp(path);
    uint64_t length = strlen(header);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, &length, sizeof(length)), sizeof(length));
    assert_int_equal(write(fd, header, length), (ssize_t)length);
    assert_int_equal(write(fd, "\0\0\x80\x3f\0\0\0\x40", 8), 8);
    close(fd);
    struct inlay_tensor *tensor = inlay_safetensors_read(path, key, message);
    struct visit all = {.limit = DTYPE_COUNT};
    struct inlay_message why;
    bool is_read = inlay_safetensors_read_all(path, take, &all, &why);
    assert_int_equal(is_read, tensor != NULL);
    if (is_read)
        assert_string_equal(all.last, key);
    unlink(path);
    return tensor;
}

static void test_safetensors(void **state)
{
    struct inlay_message message;
    struct inlay_tensor *tensor = read_safetensors(
        "{\"x\": {\"dtype\": \"F32\", \"shape\": [2], \"data_offsets\": [0, 8]}}", "x", &message);
    assert_non_null(tensor);
    assert_true(((float *)tensor->data)[1] == 2.0f);
    inlay_tensor_destroy(tensor);
    static const char *const bad[] = {
        "{\"x\": {\"dtype\": \"F32\", \"shape\": [2], \"data_offsets\": [0, 9]}}",
        "{\"x\": {\"dtype\": \"F32\", \"shape\": [3], \"data_offsets\": [0, 8]}}",
        "{\"x\": {\"dtype\": \"F32\", \"shape\": [-2], \"data_offsets\": [0, 8]}}",
        "{\"x\": {\"dtype\": \"F32\", \"shape\": [2.5], \"data_offsets\": [0, 8]}}",
        "{\"x\": {\"dtype\": \"F8\", \"shape\": [8], \"data_offsets\": [0, 8]}}",
        "{\"x\": {\"dtype\": \"F32\", \"shape\": [2], \"data_offsets\": [8, 0]}}",
        "{\"x\": {\"dtype\": \"F32\", \"shape\": [1e300], \"data_offsets\": [0, 8]}}",
        "{\"x\": {\"shape\": [2]}}",
        "{\"x\": 1}",
        "[1]",
        "{\"x\":",
        "",
        "{\"x\": {\"dtype\": \"U8\"}, \"x\": {\"dtype\": \"U8\"}}",
    };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        if (read_safetensors(bad[i], "x", &message))
            fail_msg("accepted: %s", bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_headers),   cmocka_unit_test(test_lies),
        cmocka_unit_test(test_magic),     cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_mutations), cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_archive),   cmocka_unit_test(test_output),
        cmocka_unit_test(test_open),      cmocka_unit_test(test_safetensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
