"""Reads and writes .npz and .npy files with the standard library alone, and compares them."""
import ast
import math
import struct
import zipfile

CODES = {"f4": "f", "f8": "d", "f2": "e", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B",
         "u2": "H", "u4": "I", "u8": "Q", "b1": "?"}
# How far results of different instructions may lie apart, relative to the largest element.
TOLERANCE = {"f8": 1e-12, "f4": 2e-5, "f2": 4e-3}


def read_npy(data):
    """(descr, shape, bytes)"""
    if data[:6] != b"\x93NUMPY":
        raise ValueError("no .npy data")
    size, start = (struct.unpack("<H", data[8:10])[0], 10) if data[6] == 1 else (
        struct.unpack("<I", data[8:12])[0], 12)
    header = ast.literal_eval(data[start:start + size].decode())
    return header["descr"], header["shape"], data[start + size:]


def read_npz(path):
    with zipfile.ZipFile(path) as archive:
        return {name.removesuffix(".npy"): read_npy(archive.read(name))
                for name in archive.namelist()}


def write_npz(path, arrays):
    """@arrays: name -> (descr, shape, bytes)"""
    with zipfile.ZipFile(path, "w") as archive:
        for name, (descr, shape, data) in arrays.items():
            header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}\n"
            head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
            archive.writestr(f"{name}.npy", head + data)


def values(descr, data):
    code = CODES[descr[1:]]
    return struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data)


def is_close(a, b, tolerance):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= tolerance


def first_difference(descr, expected, actual):
    """Index and values of the first elements too far apart, or None."""
    expected, actual = values(descr, expected), values(descr, actual)
    largest = max((abs(v) for v in expected if math.isfinite(v)), default=0)
    tolerance = TOLERANCE.get(descr[1:], 0) * max(largest, 1e-30)
    for index, (a, b) in enumerate(zip(expected, actual)):
        if not is_close(a, b, tolerance):
            return f"element {index} is {b!r}, not {a!r}"
    return None


def differences(expected_path, actual_path, is_exact):
    """What differs between two .npz files, a line each."""
    expected, actual = read_npz(expected_path), read_npz(actual_path)
    if expected.keys() != actual.keys():
        return [f"results are {sorted(actual)}, not {sorted(expected)}"]
    found = []
    for name, (descr, shape, data) in expected.items():
        if (descr, shape) != actual[name][:2]:
            found.append(f"`{name}` is {actual[name][:2]}, not {(descr, shape)}")
        elif data != actual[name][2]:
            why = first_difference(descr, data, actual[name][2]) if descr[1:] in CODES else None
            if is_exact or why or descr[1:] not in CODES:
                found.append(f"`{name}`: {why or 'bits differ'}")
    return found
