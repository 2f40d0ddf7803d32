// The loop of generate.c in C++, through the door that checks tensors: shapes travel with the data, and an error is
// a sentence with the line of the script.
//
//     inlay compile ../kv_cache.py -o kv.o --header kv.h
//     c++ -std=c++17 -O2 generate.cc kv.o -lm -o generate
//     ./generate
#include "kv.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

struct Tensor {
    std::vector<float> data;
    std::array<int64_t, 2> shape;

    Tensor(int64_t rows, int64_t columns) : data(static_cast<size_t>(rows * columns)), shape{rows, columns} {}
    inlay_dltensor view()
    {
        inlay_dltensor t = {};
        t.data = data.data();
        t.device.device_type = 1;
        t.ndim = 2;
        t.dtype.code = 2;
        t.dtype.bits = 32;
        t.dtype.lanes = 1;
        t.shape = shape.data();
        return t;
    }
};

struct alignas(KV_ARENA_ALIGN) Arena {
    unsigned char bytes[KV_ARENA_ROOM(KV_MAIN_ARENA_BYTES)];
};

static void step(Tensor &keys, Tensor &values, Tensor &q, Tensor &k, Tensor &v, int64_t pos, Tensor &out)
{
    static thread_local Arena arena; // calls at the same time need one each
    inlay_dltensor tensors[] = {keys.view(), values.view(), q.view(), k.view(), v.view(), {}, out.view()};
    inlay_dltensor &number = tensors[5]; // rank 0
    number.data = &pos;
    number.device.device_type = 1;
    number.dtype.bits = 64;
    number.dtype.lanes = 1;
    inlay_dltensor *args[] = {&tensors[0], &tensors[1], &tensors[2], &tensors[3], &tensors[4], &tensors[5]};
    inlay_dltensor *results[] = {&tensors[6]};
    inlay_run_error error;

    if (kv_main_dl(args, nullptr, 6, results, 1, arena.bytes, sizeof(arena.bytes), &error) != 0)
        throw std::runtime_error("line " + std::to_string(error.line) + ": " + error.message);
}

int main()
{
    const int64_t rows = 128, width = 64;
    Tensor keys(rows, width), values(rows, width), q(1, width), k(1, width), v(1, width), out(1, width);
    int steps = 0;

    for (int64_t pos = 0; pos < 100; pos++, steps++) {
        for (size_t j = 0; j < width; j++) {
            q.data[j] = std::sin(0.1f * static_cast<float>(j)) + out.data[j];
            k.data[j] = std::cos(0.2f * static_cast<float>(pos));
            v.data[j] = static_cast<float>(pos);
        }
        step(keys, values, q, k, v, pos, out);
        // all keys of a row are alike, so the result is a mean of the row numbers in the window
        if (!(out.data[0] >= std::fmax(0.0f, static_cast<float>(pos - 31)) - 1e-3f && out.data[0] <= static_cast<float>(pos) + 1e-3f) ||
            keys.data[static_cast<size_t>(pos * width)] != k.data[0])
            return 1;
    }
    std::printf("%d steps\n", steps);
    try {
        Tensor narrow(rows, 32);
        step(keys, narrow, q, k, v, 0, out);
    } catch (const std::runtime_error &error) {
        std::printf("refused: %s\n", error.what());
        return 0;
    }
    return 1;
}
