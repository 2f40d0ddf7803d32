"""Kernels that rows call; `f!` in a row is one of these. All are of float32, of shape (4,) unless the name says otherwise."""

KERNELS = '''
    @T.prim_func(private=True)
    def neg(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("neg"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.float32(0) - a[v_i]

    @T.prim_func(private=True)
    def add(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def add_right(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add_right"):
                v_i = T.axis.spatial(4, i)
                b[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def add_next(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("add_next"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + b[(v_i + 1) % 4]

    @T.prim_func(private=True)
    def add_thrice(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for k, i in T.grid(3, 4):
            with T.sblock("add_thrice"):
                v_k, v_i = T.axis.remap("RS", [k, i])
                a[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def write_then_read(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("one"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + T.float32(1)
        for i in range(4):
            with T.sblock("two"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def shift_self(a: T.Buffer((4,), "float32")):
        for i in range(3):
            with T.sblock("shift_self"):
                v_i = T.axis.spatial(3, i)
                a[v_i + 1] = a[v_i] + a[v_i + 1]

    @T.prim_func(private=True)
    def shuffle(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("first"):
                v_i = T.axis.spatial(4, i)
                b[v_i] = b[v_i] * T.float32(2)
        for i in range(4):
            with T.sblock("second"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] + T.float32(1)

    @T.prim_func(private=True)
    def swap(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("swap"):
                v_i = T.axis.spatial(4, i)
                x: T.let[T.float32] = a[v_i]
                a[v_i] = b[v_i] + T.float32(1)
                b[v_i] = x - T.float32(1)

    @T.prim_func(private=True)
    def neg_and_sum(a: T.Buffer((4,), "float32"), total: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("neg_and_sum"):
                v_i = T.axis.spatial(4, i)
                total[v_i] = a[v_i] + T.float32(10)
                a[v_i] = T.float32(0) - a[v_i]

    @T.prim_func(private=True)
    def neg22(a: T.Buffer((2, 2), "float32")):
        for i, j in T.grid(2, 2):
            with T.sblock("neg22"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = T.float32(0) - a[v_i, v_j]

    @T.prim_func(private=True)
    def add22(a: T.Buffer((2, 2), "float32"), b: T.Buffer((2, 2), "float32")):
        for i, j in T.grid(2, 2):
            with T.sblock("add22"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = a[v_i, v_j] + b[v_i, v_j]

    @T.prim_func(private=True)
    def add_transposed(a: T.Buffer((2, 2), "float32"), b: T.Buffer((2, 2), "float32")):
        for i, j in T.grid(2, 2):
            with T.sblock("add_transposed"):
                v_i, v_j = T.axis.remap("SS", [i, j])
                a[v_i, v_j] = a[v_i, v_j] + b[v_j, v_i]

    @T.prim_func(private=True)
    def matmul_into(a: T.Buffer((2, 2), "float32"), b: T.Buffer((2, 2), "float32")):
        for i, j, k in T.grid(2, 2, 2):
            with T.sblock("matmul_into"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                a[v_i, v_j] = a[v_i, v_j] + b[v_i, v_k] * b[v_k, v_j]

    @T.prim_func(private=True)
    def matmul_to(a: T.Buffer((2, 2), "float32"), b: T.Buffer((2, 2), "float32"), c: T.Buffer((2, 2), "float32")):
        for i, j, k in T.grid(2, 2, 2):
            with T.sblock("matmul_to"):
                v_i, v_j, v_k = T.axis.remap("SSR", [i, j, k])
                c[v_i, v_j] = c[v_i, v_j] + a[v_i, v_k] * b[v_k, v_j]

    @T.prim_func(private=True)
    def add41(a: T.Buffer((4, 1), "float32"), b: T.Buffer((4, 1), "float32")):
        for i in range(4):
            with T.sblock("add41"):
                v_i = T.axis.spatial(4, i)
                a[v_i, 0] = a[v_i, 0] + b[v_i, 0]

    @T.prim_func(private=True)
    def gather(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), index: T.Buffer((4,), "int32")):
        for i in range(4):
            with T.sblock("gather"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = b[index[v_i]]

    @T.prim_func(private=True)
    def scatter(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), index: T.Buffer((4,), "int32")):
        for i in range(4):
            with T.sblock("scatter"):
                v_i = T.axis.spatial(4, i)
                a[index[v_i]] = b[v_i]

    @T.prim_func(private=True)
    def select(c: T.Buffer((4,), "bool"), a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("select"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.Select(c[v_i], a[v_i], b[v_i])

    @T.prim_func(private=True)
    def select_right(c: T.Buffer((4,), "bool"), a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("select_right"):
                v_i = T.axis.spatial(4, i)
                b[v_i] = T.Select(c[v_i], a[v_i], b[v_i])

    @T.prim_func(private=True)
    def less_sum(a: T.Buffer((4,), "float32"), total: T.Buffer((1,), "float32")):
        total[0] = T.float32(0)
        for i in range(4):
            with T.sblock("sum"):
                v_i = T.axis.reduce(4, i)
                total[0] = total[0] + a[v_i]
        for i in range(4):
            with T.sblock("less"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = a[v_i] - total[0]

    @T.prim_func(private=True)
    def neg_n(a: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            with T.sblock("neg_n"):
                v_i = T.axis.spatial(n, i)
                a[v_i] = T.float32(0) - a[v_i]

    @T.prim_func(private=True)
    def add_n(a: T.Buffer(("n",), "float32"), b: T.Buffer(("n",), "float32")):
        n = T.int64()
        for i in range(n):
            with T.sblock("add_n"):
                v_i = T.axis.spatial(n, i)
                a[v_i] = a[v_i] + b[v_i]

    @T.prim_func(private=True)
    def append(cache: T.Buffer((4,), "float32"), row: T.Buffer((1,), "float32"), at: T.int64):
        with T.sblock("append"):
            cache[at] = row[0]

    @T.prim_func(private=True)
    def shift_in(cache: T.Buffer((4,), "float32"), old: T.Buffer((4,), "float32"), row: T.Buffer((1,), "float32")):
        for i in range(3):
            with T.sblock("shift"):
                v_i = T.axis.spatial(3, i)
                cache[v_i] = old[v_i + 1]
        cache[3] = row[0]

    @T.prim_func(private=True)
    def shift_up(cache: T.Buffer((4,), "float32"), old: T.Buffer((4,), "float32"), row: T.Buffer((1,), "float32")):
        for i in range(3):
            with T.sblock("shift"):
                v_i = T.axis.spatial(3, i)
                cache[v_i + 1] = old[v_i]
        cache[0] = row[0]

    @T.prim_func(private=True)
    def mirror(new: T.Buffer((4,), "float32"), old: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("mirror"):
                v_i = T.axis.spatial(4, i)
                new[v_i] = old[3 - v_i]

    @T.prim_func(private=True)
    def running(cache: T.Buffer((4,), "float32"), at: T.int64):
        with T.sblock("running"):
            cache[at] = cache[at] + cache[T.max(at - T.int64(1), T.int64(0))]

    @T.prim_func(private=True)
    def first_half(cache: T.Buffer((2, 2), "float32"), half: T.Buffer((2,), "float32")):
        for j in range(2):
            with T.sblock("first_half"):
                v_j = T.axis.spatial(2, j)
                cache[0, v_j] = half[v_j]

    @T.prim_func(private=True)
    def second_half(cache: T.Buffer((2, 2), "float32"), half: T.Buffer((2,), "float32")):
        for j in range(2):
            with T.sblock("second_half"):
                v_j = T.axis.spatial(2, j)
                cache[1, v_j] = half[v_j]

    @T.prim_func(private=True)
    def inner_update(target: T.Buffer((4,), "float32"), source: T.Buffer((4,), "float32")):
        for i in range(2):
            with T.sblock("inner_update"):
                v_i = T.axis.spatial(2, i)
                target[v_i + 1] = source[v_i]

    @T.prim_func(private=True)
    def neg2(a: T.Buffer((2,), "float32")):
        for i in range(2):
            with T.sblock("neg2"):
                v_i = T.axis.spatial(2, i)
                a[v_i] = T.float32(0) - a[v_i]

    @T.prim_func(private=True)
    def ones(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("ones"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.float32(1)

    @T.prim_func(private=True)
    def twos(a: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("twos"):
                v_i = T.axis.spatial(4, i)
                a[v_i] = T.float32(2)

    @T.prim_func(private=True)
    def update_both(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), source: T.Buffer((4,), "float32")):
        for i in range(2):
            with T.sblock("update_a"):
                v_i = T.axis.spatial(2, i)
                a[v_i + 1] = source[v_i]
        for i in range(2):
            with T.sblock("update_b"):
                v_i = T.axis.spatial(2, i)
                b[v_i] = source[v_i + 2]

    @T.prim_func(private=True)
    def append_first(target: T.Buffer((4,), "float32"), source: T.Buffer((4,), "float32")):
        with T.sblock("append_first"):
            target[0] = source[3]

    @T.prim_func(private=True)
    def inner_two(target: T.Buffer((4,), "float32"), source: T.Buffer((2,), "float32")):
        for i in range(2):
            with T.sblock("inner_two"):
                v_i = T.axis.spatial(2, i)
                target[v_i] = source[v_i]

    @T.prim_func(private=True)
    def previous_sum(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(3):
            with T.sblock("previous_sum"):
                v_i = T.axis.spatial(3, i)
                a[v_i + 1] = b[v_i] + b[v_i + 1]

    @T.prim_func(private=True)
    def next_sum(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in range(3):
            with T.sblock("next_sum"):
                v_i = T.axis.spatial(3, i)
                a[v_i] = b[v_i] + b[v_i + 1]

    @T.prim_func(private=True)
    def next_sum_parallel(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32")):
        for i in T.parallel(3):
            with T.sblock("next_sum_parallel"):
                v_i = T.axis.spatial(3, i)
                a[v_i] = b[v_i] + b[v_i + 1]

    @T.prim_func(private=True)
    def less_greatest(a: T.Buffer((2, 2), "float32")):
        greatest = T.alloc_buffer((2,), "float32")
        for i in range(2):
            greatest[i] = T.max(a[i, 0], a[i, 1])
        for i, j in T.grid(2, 2):
            a[i, j] = a[i, j] - greatest[i]

    @T.prim_func(private=True)
    def row_less_greatest(a: T.Buffer((2, 2), "float32"), out: T.Buffer((2, 2), "float32")):
        greatest = T.alloc_buffer((2,), "float32")
        for i in range(2):
            greatest[i] = T.max(a[i, 0], a[i, 1])
        for i, j in T.grid(2, 2):
            out[i, j] = a[i, j] - greatest[i]

    @T.prim_func(private=True)
    def greatest_of_three(a: T.Buffer((1, 1, 4), "float32"), out: T.Buffer((1, 1, 4), "float32")):
        for i in range(4):
            with T.sblock("greatest_of_three"):
                v_i = T.axis.spatial(4, i)
                out[0, 0, v_i] = T.max(a[0, 0, v_i], T.max(a[0, 0, T.max(v_i - 1, 0)], a[0, 0, T.min(v_i + 1, 3)]))

    @T.prim_func(private=True)
    def two_indices(a: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("two_indices"):
                v_i = T.axis.spatial(4, i)
                out[v_i] = a[v_i] + a[T.min(v_i + 1, 3)] + a[T.max(v_i - 1, 0)]

    @T.prim_func(private=True)
    def two_steps(a: T.Buffer((4,), "float32"), out: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("first"):
                v_i = T.axis.spatial(4, i)
                out[v_i] = a[v_i] + T.float32(1)
        for i in range(4):
            with T.sblock("second"):
                v_i = T.axis.spatial(4, i)
                out[v_i] = out[v_i] - a[v_i] - a[3 - v_i]

    @T.prim_func(private=True)
    def both_of(a: T.Buffer((4,), "float32"), b: T.Buffer((4,), "float32"), c: T.Buffer((4,), "float32")):
        for i in range(4):
            with T.sblock("both_of"):
                v_i = T.axis.spatial(4, i)
                b[v_i] = a[v_i] + T.float32(1)
                c[v_i] = a[v_i] - T.float32(1)

    @T.prim_func(private=True)
    def halves_parallel(a: T.Buffer((4,), "float32")):
        for i in T.parallel(2):
            for j in range(2):
                with T.sblock("halves_parallel"):
                    v_i, v_j = T.axis.remap("SS", [i, j])
                    a[v_i * 2 + v_j] = a[v_i * 2 + v_j] * T.float32(3)
'''
