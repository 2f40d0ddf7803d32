"""What operators whose operands belong together mean by NumPy: `value()` of a call, or Misfit."""
import numpy as np


class Misfit(Exception):
    """NumPy, or what stands beside the operator in docs/operators.md, refuses the shapes."""


def need(holds):
    if not holds:
        raise Misfit


def spread(x, shape):
    """NumPy's broadcast of @x to @shape, not the other way round."""
    try:
        return np.broadcast_to(x, shape)
    except ValueError:
        raise Misfit from None


def along(x, axis, vector, may_be_one):
    """@vector, as it stands beside @x."""
    if vector.ndim == 0:
        return vector
    need(vector.shape[0] == x.shape[axis] or (may_be_one and vector.shape[0] == 1))
    return vector.reshape([-1 if d == axis % x.ndim else 1 for d in range(x.ndim)])


def wrapped(index, extent):
    need(((index >= -extent) & (index < extent)).all())
    return np.where(index < 0, index + extent, index)


def reduce(out, at, value, reduction):
    old = out[at]
    out[at] = {"update": value, "add": old + value, "mul": old * value, "min": np.minimum(old, value), "max": np.maximum(old, value)}[reduction]


def grid(indices, axis, data):
    """The places of @data that @indices name."""
    need(indices.ndim == data.ndim)
    need(all(d == axis % data.ndim or n <= m for d, (n, m) in enumerate(zip(indices.shape, data.shape))))
    places = list(np.indices(indices.shape, dtype="int64"))
    places[axis] = wrapped(indices, data.shape[axis])
    return tuple(places)


class R:
    """Operators as functions of arrays."""

    @staticmethod
    def const(value, dtype):
        return np.array(value, dtype)

    @staticmethod
    def gather_elements(data, indices, axis=0):
        return data[grid(indices, axis, data)]

    @staticmethod
    def scatter_elements(data, indices, updates, axis=0, reduction="update"):
        places, out = grid(indices, axis, data), data.copy()
        need(updates.shape == indices.shape)
        for at in np.ndindex(indices.shape):
            reduce(out, tuple(place[at] for place in places), updates[at], reduction)
        return out

    @staticmethod
    def gather_nd(data, indices, batch_dims=0):
        need(data.shape[:batch_dims] == indices.shape[:batch_dims])
        depth, outer = indices.shape[-1], indices.shape[:-1]
        need(batch_dims + depth <= data.ndim)
        out = np.zeros(outer + data.shape[batch_dims + depth:], data.dtype)
        for at in np.ndindex(outer):
            place = [wrapped(indices[at][i], data.shape[batch_dims + i]) for i in range(depth)]
            out[at] = data[at[:batch_dims] + tuple(place)]
        return out

    @staticmethod
    def scatter_nd(data, indices, updates, reduction="update"):
        depth, outer, out = indices.shape[-1], indices.shape[:-1], data.copy()
        need(1 <= depth <= data.ndim and updates.shape == outer + data.shape[depth:])
        for at in np.ndindex(outer):
            reduce(out, tuple(wrapped(indices[at][i], data.shape[i]) for i in range(depth)), updates[at], reduction)
        return out

    @staticmethod
    def slice_scatter(data, source, start, end, step, axis=0):
        out = data.copy()
        place = tuple(slice(start, end, step) if d == axis else slice(None) for d in range(data.ndim))
        need(out[place].shape == source.shape)
        out[place] = source
        return out

    @staticmethod
    def index_put(data, indices, values, accumulate=False):
        try:
            places = [wrapped(index, data.shape[i]) for i, index in enumerate(np.broadcast_arrays(*indices))]
        except ValueError:
            raise Misfit from None
        out, outer = data.copy(), places[0].shape
        values = spread(values, outer + data.shape[len(indices):])
        for at in np.ndindex(outer):
            reduce(out, tuple(place[at] for place in places), values[at], "add" if accumulate else "update")
        return out

    @staticmethod
    def masked_fill(x, mask, value):
        return np.where(spread(mask, x.shape), value, x)

    @staticmethod
    def broadcast_to(x, shape):
        return spread(x, shape)

    @staticmethod
    def collapse_sum_like(data, target):
        return R.collapse_sum_to(data, target.shape)

    @staticmethod
    def collapse_sum_to(data, shape):
        need(len(shape) <= data.ndim)
        while data.ndim > len(shape):
            data = data.sum(0, dtype=data.dtype)
        need(all(n in (1, m) for n, m in zip(shape, data.shape)))
        return data.sum(tuple(d for d, n in enumerate(shape) if n != data.shape[d]), dtype=data.dtype, keepdims=True)

    @staticmethod
    def linear(data, weight, bias=None):
        need(data.shape[-1] == weight.shape[-1])
        product = data @ weight.T
        return product if bias is None else product + spread(bias, product.shape)

    @staticmethod
    def einsum(operands, subscripts):
        letters, inputs = {}, subscripts.split("->", maxsplit=1)[0].split(",")
        for text, operand in zip(inputs, operands, strict=True):
            for letter, extent in zip(text, operand.shape, strict=True):
                need(letters.setdefault(letter, extent) == extent)
        return np.einsum(subscripts, *operands)

    @staticmethod
    def quantize(data, scale, zero_point, axis=-1, out_dtype="int8"):
        value = np.round(data / along(data, axis, scale, True)) + along(data, axis, zero_point, True).astype("float32")
        return np.clip(value, np.iinfo(out_dtype).min, np.iinfo(out_dtype).max).astype(out_dtype)

    @staticmethod
    def dequantize(data, scale, zero_point, axis=-1):
        return along(data, axis, scale, True) * (data.astype("float32") - along(data, axis, zero_point, True).astype("float32"))

    class nn:
        @staticmethod
        def prelu(data, alpha, axis=1):
            return np.where(data > 0, data, data * along(data, axis, alpha, True))


def value(call, names, arrays):
    """What the call gives; None where it has no meaning here."""
    try:
        return eval(call, {"R": R}, dict(zip(names, arrays, strict=True)))
    except (AttributeError, TypeError, KeyError):
        return None
