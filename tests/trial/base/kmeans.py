@I.ir_module
class Module:
    @T.prim_func(private=True, s_tir=True)
    def distances(points: T.Buffer(("n", 2), "float32"), centres: T.Buffer((3, 2), "float32"), dist: T.Buffer(("n", 3), "float32")):
        n = T.int64()
        for i, k, d in T.grid(n, 3, 2):
            with T.sblock("distances"):
                vi, vk, vd = T.axis.remap("SSR", [i, k, d])
                with T.init():
                    dist[vi, vk] = T.float32(0)
                dist[vi, vk] += (points[vi, vd] - centres[vk, vd]) * (points[vi, vd] - centres[vk, vd])

    @T.prim_func(private=True)
    def accumulate(points: T.Buffer(("n", 2), "float32"), label: T.Buffer(("n",), "int64"), sums: T.Buffer((3, 2), "float32"), counts: T.Buffer((3,), "int32")):
        n = T.int64()
        for k in range(3):
            counts[k] = 0
            for d in range(2):
                sums[k, d] = T.float32(0)
        for i in range(n):
            counts[label[i]] = counts[label[i]] + 1
            for d in range(2):
                sums[label[i], d] = sums[label[i], d] + points[i, d]

    @R.function
    def main(points: R.Tensor(("n", 2), "float32"), centres: R.Tensor((3, 2), "float32")) -> R.Tuple(R.Tensor((3, 2), "float32"), R.Tensor(("n",), "int64"), R.Tensor((), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            dist = R.call_tir(cls.distances, (points, centres), out_ty=R.Tensor((n, 3), "float32"))
            label = R.argmin(dist, axis=1)
            inertia = R.sum(R.min(dist, axis=[1]))
            both = R.call_tir(cls.accumulate, (points, label), out_ty=[R.Tensor((3, 2), "float32"), R.Tensor((3,), "int32")])
            sums = both[0]
            counts = both[1]
            filled = R.maximum(counts, R.const(1, "int32"))
            divisor = R.expand_dims(R.astype(filled, "float32"), axis=[1])
            means = R.divide(sums, divisor)
            empty = R.expand_dims(R.equal(counts, R.const(0, "int32")), axis=[1])
            moved = R.where(empty, centres, means)
            R.output(moved, label, inertia)
        return (moved, label, inertia)
