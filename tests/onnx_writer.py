"""ONNX models as bytes, without the onnx package: just what the tests need of the format."""
import struct

FLOAT, INT32, INT64, STRING, BOOL = 1, 6, 7, 8, 9


def varint(value):
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out + bytes([value]))


def number(field, value):
    return varint(field << 3) + varint(value)


def part(field, content):
    content = content.encode() if isinstance(content, str) else content
    return varint(field << 3 | 2) + varint(len(content)) + content


def tensor(name, kind, dims, raw=None, external=None, more=b""):
    out = b"".join(number(1, dim) for dim in dims) + number(2, kind) + part(8, name) + more
    if raw is not None:
        out += part(9, raw)
    if external:
        out += b"".join(part(13, part(1, key) + part(2, str(value))) for key, value in external.items())
        out += number(14, 1)
    return out


def floats(name, dims, values, **more):
    return tensor(name, FLOAT, dims, struct.pack(f"<{len(values)}f", *values), **more)


def integers(name, dims, values):
    return tensor(name, INT64, dims, struct.pack(f"<{len(values)}q", *values))


def attribute(name, value):
    out = part(1, name)
    if isinstance(value, int):
        return out + number(3, value) + number(20, 2)
    if isinstance(value, float):
        return out + varint(2 << 3 | 5) + struct.pack("<f", value) + number(20, 1)
    if isinstance(value, str):
        return out + part(4, value) + number(20, 3)
    if isinstance(value, dict):
        return out + part(6, value["graph"]) + number(20, 5)
    if isinstance(value, bytes):
        return out + part(5, value) + number(20, 4)
    if any(isinstance(item, float) for item in value):
        return out + b"".join(varint(7 << 3 | 5) + struct.pack("<f", item) for item in value) + number(20, 6)
    if any(isinstance(item, str) for item in value):
        return out + b"".join(part(9, item) for item in value) + number(20, 8)
    return out + b"".join(number(8, item) for item in value) + number(20, 7)


def node(kind, inputs, outputs, name="", domain="", **attributes):
    return (b"".join(part(1, each) for each in inputs) + b"".join(part(2, each) for each in outputs) +
            part(3, name) + part(4, kind) +
            b"".join(part(5, attribute(key, value)) for key, value in attributes.items()) +
            (part(7, domain) if domain else b""))


def value(name, kind=FLOAT, dims=None):
    if kind is None:
        return part(1, name)
    shape = b""
    if dims is not None:
        shape = part(2, b"".join(part(1, part(2, dim) if isinstance(dim, str) else number(1, dim)) for dim in dims))
    return part(1, name) + part(2, part(1, number(1, kind) + shape))


def graph(nodes, inputs, outputs, tensors=(), sparse=()):
    return (b"".join(part(1, each) for each in nodes) + part(2, "g") + b"".join(part(5, each) for each in tensors) +
            b"".join(part(11, each) for each in inputs) + b"".join(part(12, each) for each in outputs) +
            b"".join(part(15, each) for each in sparse))


def function(name, domain, inputs, outputs, nodes, opset=17):
    return (part(1, name) + b"".join(part(4, each) for each in inputs) + b"".join(part(5, each) for each in outputs) +
            b"".join(part(7, each) for each in nodes) + part(9, number(2, opset)) + part(10, domain))


def model(content, opset=17, opsets=None, functions=()):
    opsets = {"": opset} if opsets is None else opsets
    return (number(1, 8) + part(2, "test") + part(7, content) +
            b"".join(part(8, part(1, domain) + number(2, version)) for domain, version in opsets.items()) +
            b"".join(part(25, each) for each in functions))
