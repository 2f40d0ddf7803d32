"""More families for make-op-values.py: tensors of indices, bools and powers of integers."""
import math

import numpy as np


def power(x, y):
    """Integers to integer powers: products that wrap; 1 / .. rounded towards zero for negative ones."""
    x, y = np.broadcast_arrays(x, y)
    bits = x.dtype.itemsize * 8
    want = np.empty(x.shape, x.dtype)
    for at in np.ndindex(*x.shape):
        a, n = int(x[at]), int(y[at])
        if n >= 0:
            value = pow(a, n, 1 << bits)
        else:
            value = (1 if a == 1 or n % 2 == 0 else -1) if a in (1, -1) else 0
        value &= (1 << bits) - 1
        want[at] = value - (1 << bits) if x.dtype.kind == "i" and value >> (bits - 1) else value
    return want


def advanced(Family):
    f = Family("advanced")
    r, integers = f.rng.standard_normal, f.rng.integers
    x = r((3, 4, 5)).astype("float32")
    for shapes, types in [([(2,)], []), ([(2,), (2,)], ['("a", "b", 5)', '("n",)', '("n",)']), ([(2, 1), (3,), (1, 1)], []), ([(), (4,)], []),
                          ([(1, 1, 2), (6, 1, 1)], []), ([(0,), (1,)], []), ([(2, 1), (1, 3)], ['(3, "b", "c")', '("n", 1)', '(1, "m")'])]:
        index = [integers(-x.shape[d], x.shape[d], s).astype(["int64", "int32"][d % 2]) for d, s in enumerate(shapes)]
        names = ", ".join(f"{{{i + 1}}}" for i in range(len(index)))
        for data in (x, x > 0, (x * 50).astype("int8"), x.astype("float16"), (x * 1000).astype("uint64")):
            f.case(f"index_tensor({{0}}, ({names},))", data, *index, want=data[tuple(index)], shapes=types if data is x else [])
        place = x[tuple(index)].shape
        for data in (x, (x * 50).astype("int8")):
            for shape in (place, place[-1:], (1,) * len(place), ()):
                values = (r(shape) * 9).astype(data.dtype)
                want, added = data.copy(), data.astype("float64")
                spread = np.broadcast_to(values, place)
                for at in np.ndindex(*place[:len(place) - 3 + len(index)]):
                    to = tuple(int(np.broadcast_to(i, place[:len(place) - 3 + len(index)])[at]) for i in index)
                    want[to] = spread[at]
                    added[to] += spread[at]
                if data is not x:
                    added = (added.astype("int64") & 255).astype("uint8").view("int8")
                values_name = f"{{{len(index) + 1}}}"
                f.case(f"index_put({{0}}, ({names},), {values_name})", data, *index, values, want=want)
                f.case(f"index_put({{0}}, ({names},), {values_name}, accumulate=True)", data, *index, values, want=added.astype(data.dtype),
                       shapes=types if data is x and shape == place else [])
    b = r((3, 7)) > 0
    for data, types in [(b, ['("p", "q")']), (np.zeros((0, 3), bool), []), (np.zeros((2, 0), bool), []), (np.ones((1, 1), bool), [])]:
        for axis in (0, 1):
            f.case(f"cumsum({{0}}, axis={axis})", data, want=np.logical_or.accumulate(data, axis), shapes=types)
            f.case(f"cumprod({{0}}, axis={axis})", data, want=np.logical_and.accumulate(data, axis), shapes=types)
            f.case(f'cumsum({{0}}, axis={axis}, dtype="int64")', data, want=np.cumsum(data, axis), shapes=types)
            f.case(f"max({{0}}, axis={axis})", data, want=data.any(axis), shapes=types)
            f.case(f"min({{0}}, axis={axis}, keepdims=True)", data, want=data.all(axis, keepdims=True), shapes=types)
        f.case("max({0})", data, want=np.asarray(data.any()))
        f.case("min({0})", data, want=np.asarray(data.all()))
        f.case("cumsum({0}, exclusive=True)", data, want=np.concatenate([[False], np.logical_or.accumulate(data.reshape(-1))])[:data.size])
    f.case("maximum({0}, {1})", b, b[:, ::-1].copy(), want=b | b[:, ::-1], shapes=['("p", "q")', '("p", "q")'])
    f.case("minimum({0}, {1})", b, b[:1, ::-1].copy(), want=b & b[:1, ::-1])
    for dtype in ("int8", "uint8", "int16", "int32", "uint32", "int64", "uint64"):
        info = np.iinfo(dtype)
        base = np.array([0, 1, 2, 3, 7, 10, info.min, info.max, info.max - 1, -1 & info.max, -3 & info.max], dtype=dtype)
        exponent = np.array([0, 1, 2, 5, 31, 63, info.max], dtype=dtype)
        if info.min < 0:
            base = np.concatenate([base, np.array([-1, -2, -7], dtype)])
            exponent = np.concatenate([exponent, np.array([-1, -2, -3, info.min], dtype)])
        f.case("power({0}, {1})", base[:, None], exponent, want=power(base[:, None], exponent), shapes=['("u", 1)', '("v",)'] if dtype == "int32" else [])
        f.case(f'power({{0}}, R.const(3, "{dtype}"))', base, want=power(base, np.array(3, dtype)))
    f.write()


def sized(Family):
    f = Family("sized")
    r, integers = f.rng.standard_normal, f.rng.integers
    for i, x in enumerate([integers(0, 3, (3, 4)).astype("float32"), r((2, 3, 4)) > 0, np.zeros((0, 3), "int8"), np.zeros((2, 2), "float32"),
                           np.array([0.0, -0.0, np.nan, 1], "float16"), np.array([7], "uint64"), np.array(5, "int32"), np.array(False)]):
        f.case("nonzero({0})", x, want=np.array(np.nonzero(np.atleast_1d(x)), "int64").reshape(max(x.ndim, 1), -1), shapes=['("a", "b")'] if i == 0 else [])
    x = r((3, 5)).astype("float32")
    for begin, end, stride in [((0, 0), (3, 5), (1, 1)), ((1, -4), (10, -1), (1, 2)), ((-1, 4), (-100, 0), (-1, -2)), ((2, 0), (1, 5), (1, 3)), ((5, 9), (-9, -9), (-3, -1))]:
        for dtype in ("int64", "int32"):
            bounds = [np.array(b, dtype) for b in (begin, end, stride)]
            f.case("dynamic_strided_slice({0}, {1}, {2}, {3})", x, *bounds, want=x[tuple(slice(*b) for b in zip(begin, end, stride))],
                   shapes=['("c", "d")'] if begin == (0, 0) else [])
    for n, x in enumerate([integers(-3, 4, (5, 4)), np.array([2.5, np.nan, -1, np.nan, 2.5, 0, -0.0, np.inf], "float32"), np.array([], "int8"),
                           np.array([True, False, True]), np.array([[3], [3]], "uint8"), integers(0, 3, (2, 3, 4)).astype("float16")]):
        types = ['("u", "v")'] if n == 0 else []
        value, first, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
        inverse = inverse.reshape(-1)
        flat, order = x.reshape(-1), np.argsort(first)
        value = flat[first]
        rank = np.argsort(order)
        for flags in ((0, 0, 0), (1, 1, 1), (0, 1, 0), (1, 0, 1)):
            for is_sorted in (1, 0):
                want = [value, first, inverse, counts] if is_sorted else [value[order], first[order], rank[inverse] if len(flat) else inverse, counts[order]]
                want = [want[0]] + [w.astype("int64") for w, flag in zip(want[1:], flags) if flag]
                text = ", ".join(f"R.prim_value({v})" for v in (is_sorted, *flags))
                f.case(f"unique({{0}}, {text})", x, want=want if len(want) > 1 else want[0], shapes=types)
    for x, axis in [(integers(0, 2, (6, 2)), 0), (integers(0, 2, (2, 7)).astype("float32"), 1), (integers(0, 2, (3, 2, 2)), -1), (np.array([3, 1, 3]), 0),
                    (np.zeros((0, 2), "int32"), 0), (np.zeros((3, 0), "int32"), 0)]:
        value, first, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True, axis=axis)
        f.case(f"unique({{0}}, R.prim_value(1), R.prim_value(1), R.prim_value(1), R.prim_value(1), R.prim_value({axis}))", x,
               want=[value, first, inverse.reshape(-1), counts])
    f.write()


def vision(Family):
    import torch
    f = Family("vision")
    r = f.rng.standard_normal
    for n, (shape, points) in enumerate([((2, 3, 5, 4), (3, 6)), ((1, 1, 1, 1), (2, 2)), ((1, 2, 3, 4, 2), (2, 3, 3)), ((1, 1, 2, 7), (1, 1)), ((1, 1, 2, 2), (0, 3))]):
        x = r(shape).astype("float32")
        grid = (r((shape[0], *points, len(points))) * 1.3).astype("float32")
        for method in ("bilinear", "nearest", "bicubic")[:3 if len(points) == 2 else 2]:
            for padding in ("zeros", "border", "reflection"):
                for aligned in (False, True):
                    if shape[2] == 1 and padding == "reflection" and method == "bicubic":
                        continue
                    want = torch.nn.functional.grid_sample(torch.tensor(x, dtype=torch.float64), torch.tensor(grid, dtype=torch.float64), mode=method,
                                                           padding_mode=padding, align_corners=aligned).numpy()
                    layout = "NCHW" if len(points) == 2 else "NCDHW"
                    f.case(f'image.grid_sample({{0}}, {{1}}, method="{method}", layout="{layout}", padding_mode="{padding}", align_corners={aligned})', x,
                           np.moveaxis(grid, -1, 1).copy(), want=want.astype("float32"),
                           shapes=['(2, 3, "h", "w")', '(2, 2, "p", "q")'] if n == 0 and padding == "zeros" else [])
    for size in [(3, 4), (1, 5), (2, 3, 2)]:
        theta = r((2, len(size), len(size) + 1)).astype("float32")
        for aligned in (False, True):
            want = torch.nn.functional.affine_grid(torch.tensor(theta, dtype=torch.float64), (2, 1, *size), align_corners=aligned).numpy()
            if aligned:  # of one place torch takes the middle, TVM the beginning
                want = want if 1 not in size else None
            if want is not None:
                f.case(f"image.affine_grid({{0}}, {size}, align_corners={aligned})", theta, want=np.moveaxis(want, -1, 1).astype("float32"))
    x = r((1, 2, 5, 6)).astype("float32")
    for size in ((9, 4), (3, 13), (5, 6)):
        for aligned in (False, True):
            want = torch.nn.functional.interpolate(torch.tensor(x, dtype=torch.float64), size=size, mode="bicubic", align_corners=aligned).numpy()
            mode = "align_corners" if aligned else "half_pixel"
            f.case(f'image.resize2d({{0}}, {size}, method="cubic", coordinate_transformation_mode="{mode}")', x, want=want.astype("float32"),
                   shapes=['(1, 2, "h5", "w5")'] if aligned else [])
        f.case(f'image.resize2d({{0}}, {size}, method="linear", coordinate_transformation_mode="half_pixel_symmetric")', x,
               want=torch.nn.functional.interpolate(torch.tensor(x), size=size, mode="bilinear").numpy())
        # the same by matrices, with weights outside left out
        matrices = []
        for out, extent in zip(size, x.shape[2:]):
            m = np.zeros((out, extent))
            for i in range(out):
                place = (i + 0.5) * extent / out - 0.5
                for at in range(int(np.floor(place)) - 1, int(np.floor(place)) + 3):
                    d = abs(place - at)
                    weight = 1.5 * d**3 - 2.5 * d**2 + 1 if d <= 1 else -0.5 * d**3 + 2.5 * d**2 - 4 * d + 2
                    if 0 <= at < extent:
                        m[i, at] += weight
            matrices.append(m / m.sum(1, keepdims=True))
        f.case(f'image.resize2d({{0}}, {size}, method="cubic", cubic_alpha=-0.5, cubic_exclude=1)', x,
               want=np.einsum("ncij,yi,xj->ncyx", x.astype("float64"), *matrices).astype("float32"))
    x = r((2, 3, 6, 8)).astype("float32")
    rois = np.array([[0, 0.6, 1.1, 5.3, 4.2], [1, -2.2, -1.7, 9.4, 7.9], [1, 3.3, 2.2, 3.4, 2.3], [0, 2, 2, 2, 2], [0, 20, 20, 25, 22]], "float32")

    def bilinear(image, y, x):
        h, w = image.shape[1:]
        if y < -1 or x < -1 or y > h or x > w:
            return np.zeros(len(image))
        y, x = min(max(y, 0), h - 1), min(max(x, 0), w - 1)
        y0, x0 = int(y), int(x)
        y1, x1, p, q = min(y0 + 1, h - 1), min(x0 + 1, w - 1), y - y0, x - x0
        return image[:, y0, x0] * (1 - p) * (1 - q) + image[:, y1, x0] * p * (1 - q) + image[:, y0, x1] * (1 - p) * q + image[:, y1, x1] * p * q

    def align(size, scale, ratio, aligned, mode):
        out = np.zeros((len(rois), 3, *size))
        for i, (batch, *box) in enumerate(rois.astype("float64")):
            x1, y1, x2, y2 = (b * scale for b in box)
            h, w = (y2 - y1, x2 - x1) if aligned else (max(y2 - y1, 1), max(x2 - x1, 1))
            bh, bw = h / size[0], w / size[1]
            gh, gw = (ratio, ratio) if ratio > 0 else (int(np.ceil(bh)), int(np.ceil(bw)))
            for ph, pw in np.ndindex(*size):
                values = [bilinear(x[int(batch)].astype("float64"), y1 + ph * bh + (a + 0.5) * bh / gh, x1 + pw * bw + (b + 0.5) * bw / gw)
                          for a in range(gh) for b in range(gw)]
                if values:
                    out[i, :, ph, pw] = np.mean(values, 0) if mode == "avg" else np.max(values, 0)
                elif mode == "max":
                    out[i, :, ph, pw] = -np.inf
        return out.astype("float32")
    for n, (size, scale, ratio, aligned, mode) in enumerate([((2, 3), 1.0, 2, False, "avg"), ((3, 2), 0.5, -1, False, "avg"), ((2, 2), 1.0, -1, True, "avg"),
                                                             ((2, 2), 0.75, 3, True, "max"), ((1, 1), 1.0, -1, False, "max")]):
        want = align(size, scale, ratio, aligned, mode)
        attributes = f'pooled_size={size}, spatial_scale={scale}, sample_ratio={ratio}, aligned={aligned}, mode="{mode}"'
        f.case(f"vision.roi_align({{0}}, {{1}}, {attributes})", x, rois, want=want, shapes=['(2, 3, "y", "x")', '("r", 5)'] if n == 1 else [])
        f.case(f'vision.roi_align({{0}}, {{1}}, {attributes}, layout="NHWC")', x.transpose(0, 2, 3, 1).copy(), rois, want=want.transpose(0, 2, 3, 1))
        out = np.zeros((len(rois), 3, *size), "float32")
        for i, (batch, *box) in enumerate(rois):
            x1, y1, x2, y2 = (int(np.floor(b * np.float32(scale) + np.float32(0.5))) for b in box)
            for ph, pw in np.ndindex(*size):
                bh, bw = np.float32(max(y2 - y1 + 1, 1)) / np.float32(size[0]), np.float32(max(x2 - x1 + 1, 1)) / np.float32(size[1])
                ys = max(int(np.floor(ph * bh)) + y1, 0), min(int(np.ceil((ph + 1) * bh)) + y1, 6)
                xs = max(int(np.floor(pw * bw)) + x1, 0), min(int(np.ceil((pw + 1) * bw)) + x1, 8)
                part = x[int(batch), :, ys[0]:max(ys), xs[0]:max(xs)]
                if part.size:
                    out[i, :, ph, pw] = part.max((1, 2))
        f.case(f"vision.roi_pool({{0}}, {{1}}, pooled_size={size}, spatial_scale={scale})", x, rois, want=out)
    f.write()


def boxes(Family):
    f = Family("boxes")
    r, integers = f.rng.uniform, f.rng.integers

    def keep(box, scores, most, overlap, threshold):
        kept = []
        for i in sorted(range(len(scores)), key=lambda i: -scores[i]):
            y1, x1, y2, x2 = np.minimum(box[i, 0], box[i, 2]), np.minimum(box[i, 1], box[i, 3]), np.maximum(box[i, 0], box[i, 2]), np.maximum(box[i, 1], box[i, 3])

            def share(j):
                a1, b1, a2, b2 = np.minimum(box[j, 0], box[j, 2]), np.minimum(box[j, 1], box[j, 3]), np.maximum(box[j, 0], box[j, 2]), np.maximum(box[j, 1], box[j, 3])
                both = max(min(y2, a2) - max(y1, a1), 0) * max(min(x2, b2) - max(x1, b1), 0)
                union = (y2 - y1) * (x2 - x1) + (a2 - a1) * (b2 - b1) - both
                return both / union if union > 0 else 0
            if len(kept) < most and scores[i] > threshold and all(share(j) <= overlap for j in kept):
                kept.append(i)
        return kept
    for n, (images, classes, count, most, overlap, threshold) in enumerate([(2, 3, 12, 4, 0.3, 0.2), (1, 1, 40, 100, 0.5, -1.0), (1, 2, 5, 0, 0.5, 0.0), (1, 2, 9, 9, 0.0, 0.5),
                                                                            (2, 1, 1, 3, 0.5, 0.0)]):
        box, scores = r(0, 1, (images, count, 4)).astype("float32"), r(0, 1, (images, classes, count)).astype("float32")
        rows, total = [], classes * count
        indices, best, numbers = np.zeros((images, total, 2), "int64"), np.zeros((images, total), "float32"), np.zeros(images, "int64")
        for image in range(images):
            for c in range(classes):
                for i in keep(box[image].astype("float64"), scores[image, c], most, overlap, threshold):
                    rows.append((image, c, i))
                    indices[image, numbers[image]] = c, i
                    best[image, numbers[image]] = scores[image, c, i]
                    numbers[image] += 1
        padded = np.zeros((images * total, 3), "int64")
        padded[:len(rows)] = np.array(rows, "int64").reshape(-1, 3)
        limits = f'R.const({most}, "int64"), R.const({overlap}, "float32"), R.const({threshold}, "float32")'
        types = ['("i", "b", 4)', '("i", "c", "b")'] if n == 0 else []
        f.case(f"vision.all_class_non_max_suppression({{0}}, {{1}}, {limits})", box, scores, want=[padded, np.array([len(rows)])], shapes=types)
        f.case(f'vision.all_class_non_max_suppression({{0}}, {{1}}, {limits}, output_format="tensorflow")', box, scores, want=[indices, best, numbers])
        args = [np.array([most]), np.array([overlap], "float32"), np.array([threshold], "float32")]
        f.case("vision.all_class_non_max_suppression({0}, {1}, {2}, {3}, {4})", box, scores, *args, want=[padded, np.array([len(rows)])])
    x = np.concatenate([integers(-1, 3, (2, 6, 1)).astype("float32"), r(0, 1, (2, 6, 5)).astype("float32")], 2)
    for threshold, ids in [(0.4, 0), (0.4, -1), (2.0, 0)]:
        numbers, valid, places = np.zeros(2, "int32"), np.full(x.shape, -1, "float32"), np.full((2, 6), -1, "int32")
        for image, i in np.ndindex(2, 6):
            if x[image, i, 1] > threshold and (ids < 0 or x[image, i, 0] >= 0):
                valid[image, numbers[image]], places[image, numbers[image]] = x[image, i], i
                numbers[image] += 1
        f.case(f"vision.get_valid_counts({{0}}, score_threshold={threshold}, id_index={ids})", x, want=[numbers, valid, places])
    f.write()


def draws(Family):
    f = Family("draws")
    for n, (batch, count, samples) in enumerate([(3, 5, 7), (1, 1, 2), (2, 4, 0)]):
        prob = f.rng.dirichlet(np.ones(count), batch).astype("float32")
        uniform, rows = f.rng.uniform(0, 1, (samples, 1)).astype("float32"), f.rng.integers(0, batch, (samples, 1))
        want = [[min(int((np.cumsum(prob[i], dtype="float32") <= u).sum()), count - 1)] for i, u in zip(rows[:, 0], uniform[:, 0])]
        for dtype in ("int64", "int32"):
            f.case(f'multinomial_from_uniform({{0}}, {{1}}, {{2}}, dtype="{dtype}")', prob, uniform, rows, want=np.array(want, dtype).reshape(-1, 1),
                   shapes=['("b", "v")', '("s", 1)', '("s", 1)'] if n == 0 else [])
    prob = np.array([[0.2, 0.3, 0.5], [0.3, 0.4, 0.3]], "float32")  # the example of Relax
    f.case("multinomial_from_uniform({0}, {1}, {2})", prob, np.array([[0.4], [0.9]], "float32"), np.array([[0], [1]]), want=np.array([[1], [2]]))
    f.write()


def suppressed(rows, valid, numbers, limit, *, forced=False, top=-1, most=-1, sigma=0.0, least=0.0, ids=0):
    """Of one image: the rows, the numbers of the boxes that stay, step by step as TVM's library has it."""
    order = sorted(range(valid), key=lambda i: -rows[i, 1])[:top if top > 0 else None]
    out, places = np.full(rows.shape, -1.0), np.full(len(rows), -1)
    out[:len(order)], places[:len(order)] = rows[order], order
    least, kept = (least if sigma > 0 else 0.0), 0

    def share(i, j):
        low, high = np.minimum(out[[i, j], 2:4], out[[i, j], 4:6]), np.maximum(out[[i, j], 2:4], out[[i, j], 4:6])
        both = np.prod(np.maximum(high.min(0) - low.max(0), 0))
        union = np.prod(high - low, axis=1).sum() - both
        return both / union if union > 0 else 0.0

    def rivals(i):
        for j in range(len(order)):
            if j > i and places[j] >= 0 and out[j, 1] > least and (forced or ids < 0 or out[i, ids] == out[j, ids]):
                yield j

    if sigma > 0:
        for _ in order:
            left = [j for j in range(kept, len(order)) if places[j] >= 0 and out[j, 1] > least]
            if not left or 0 < most <= kept:
                break
            best = max(left, key=lambda j: (out[j, 1], -j))
            out[[kept, best]], places[[kept, best]] = out[[best, kept]], places[[best, kept]]
            for j in list(rivals(kept)):
                part = share(kept, j)
                if part < limit:
                    out[j, 1] *= math.exp(-0.5 / sigma * part * part)
                if part >= limit or out[j, 1] <= least:
                    places[j] = -1
            kept += 1
        out[kept:], places[kept:] = -1, -1
    else:
        for i in range(len(order)):
            if out[i, 1] <= 0 or 0 < most <= kept:
                out[i], places[i] = -1, -1
                continue
            kept += 1
            for j in [j for j in rivals(i) if share(i, j) >= limit]:
                out[j, 1], places[j] = -1, -1
    return out, [numbers[p] for p in places if p >= 0]


def detect(Family):
    f = Family("detect")
    r, integers = f.rng.uniform, f.rng.integers
    for n, more in enumerate([{}, {"forced": True}, {"top": 5}, {"most": 3}, {"ids": -1}, {"sigma": 0.4, "least": 0.15}, {"sigma": 0.7, "most": 4, "forced": True}]):
        x = np.concatenate([integers(0, 2, (2, 12, 1)), r(0, 1, (2, 12, 1)), r(0, 1, (2, 12, 4))], 2).astype("float32")
        x[0, 3, 1], x[1, 5, 1] = -0.5, x[1, 4, 1]  # one that is none, two with one score
        valid, numbers = np.array([12, 7], "int32"), integers(0, 99, (2, 12)).astype("int32")
        rows, places, counts = np.full(x.shape, -1.0), np.full((2, 12), -1, "int32"), np.zeros((2, 1), "int32")
        for i in range(2):
            rows[i], kept = suppressed(x[i].astype("float64"), valid[i], numbers[i], 0.3, **more)
            places[i, :len(kept)], counts[i] = kept, len(kept)
        names = {"forced": "force_suppress", "top": "top_k", "most": "max_output_size", "sigma": "soft_nms_sigma", "least": "score_threshold", "ids": "id_index"}
        text = "vision.non_max_suppression({0}, {1}, {2}, iou_threshold=0.3" + "".join(f", {names[k]}={v}" for k, v in more.items())
        rows = rows.astype("float32")
        types = ['("i", "b", 6)', '("i",)', '("i", "b")'] if n == 0 else []
        f.case(text + ")", x, valid, numbers, want=[rows, places, counts] if "sigma" in more else [places, counts], shapes=types)
        f.case(text + ", return_indices=False)", x, valid, numbers, want=rows, shapes=types)
        upper = np.stack([np.concatenate([image[image[:, 1] >= 0], image[image[:, 1] < 0]]) for image in rows])
        f.case(text + ", return_indices=False, invalid_to_bottom=True)", x, valid, numbers, want=upper, shapes=types)
    for clip, threshold, keeps in [(False, 0.0, True), (True, 0.3, False)]:
        scores, codes, anchors = r(-2, 2, (2, 3, 5)), r(-1, 1, (2, 20)), np.sort(r(0, 1, (1, 5, 2, 2)), 2).reshape(1, 5, 4)
        scores, codes, anchors = (v.astype("float32") for v in (scores, codes, anchors))
        a, c = anchors.astype("float64"), codes.reshape(2, 5, 4) * np.array([0.1, 0.2, 0.3, 0.4])
        middle, size = (a[..., :2] + a[..., 2:]) / 2, a[..., 2:] - a[..., :2]
        middle, half = c[..., :2] * size + middle, np.exp(c[..., 2:]) * size / 2
        box = np.concatenate([(middle - half)[..., ::-1], (middle + half)[..., ::-1]], 2)
        power = np.exp(scores.astype("float64"))
        chance = power / power.sum(1, keepdims=True)
        chance[chance < threshold] = 0
        chance[:, 0] *= keeps
        f.case(f"vision.multibox_transform_loc({{0}}, {{1}}, {{2}}, clip={clip}, threshold={threshold}, variances=[0.1, 0.2, 0.3, 0.4], keep_background={keeps})",
               scores, codes, anchors, want=[(np.clip(box, 0, 1) if clip else box).astype("float32"), chance.astype("float32")])
    for queries, keys, window in [(4, 4, 2), (3, 6, 3), (2, 5, 9)]:
        q, k, v = (r(-1, 1, (1, s, 2, 4)).astype("float32") for s in (queries, keys, keys))
        scores = np.einsum("bqhd,bkhd->bhqk", q.astype("float64"), k) / 2
        last = np.arange(queries)[:, None] + keys - queries
        seen = (np.arange(keys) <= last) & (np.arange(keys) > last - window)
        power = np.exp(np.where(seen, scores, -np.inf))
        want = np.einsum("bhqk,bkhd->bqhd", power / power.sum(-1, keepdims=True), v).astype("float32")
        f.case(f'nn.attention({{0}}, {{1}}, {{2}}, causal_mask="BottomRight", window_size={window})', q, k, v, want=want)
    x, at = r(-1, 1, (3, 4)).astype("float32"), np.array([[0, 5], [-1, 3]])
    f.case('take({0}, {1}, axis=1, mode="nan")', x, at, want=np.where((at >= 0) & (at < 4), x[:, np.clip(at, 0, 3)], np.nan).astype("float32"), shapes=['("n", 4)'])
    f.case('take({0}, {1}, mode="nan")', x, np.array([11, 12]), want=np.array([x[2, 3], np.nan], "float32"))
    f.write()


FAMILIES = [detect, advanced, sized, vision, boxes, draws]
