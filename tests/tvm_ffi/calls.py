"""Calls of programs.py, compiled to the library given, through tvm-ffi: NumPy, and PyTorch where it is.  Prints TAP.

usage: calls.py LIBRARY
"""
import gc
import sys
import threading

import numpy as np
import tvm_ffi

try:
    import torch
except ImportError:
    torch = None

module = tvm_ffi.load_module(sys.argv[1])


def host(tensor):
    return np.from_dlpack(tensor)


def address(tensor):
    return host(tensor).ctypes.data


def random(*shape, dtype="float32"):
    return np.random.default_rng(sum(shape)).uniform(-9, 9, shape).astype(dtype)


def fails(kind, words, function, *args):
    """The error is of that very kind, and has the words and the signature of the function."""
    try:
        function(*args)
    except Exception as error:  # pylint: disable=broad-except
        text = str(error)
        assert type(error) is kind, f"{type(error).__name__} instead of {kind.__name__}: {text}"
        assert "when calling: `" in text, text
        for word in words:
            assert word in text, f"no `{word}` in: {text}"
        return
    raise AssertionError(f"no {kind.__name__}")


def one_result():
    for n in (1, 3, 8):
        x, y = random(n, 4), random(n, 4)
        z = module.add(x, y)
        assert isinstance(z, tvm_ffi.Tensor) and z.shape == (n, 4), z
        assert np.array_equal(host(z), x + y)
        assert address(z) % 64 == 0


def nothing_in_a_tensor():
    z = module.add(np.empty((0, 4), "float32"), np.empty((0, 4), "float32"))
    assert host(z).shape == (0, 4)


def tuples_keep_their_form():
    x, y = random(3), np.array([2, -3, 4], "int32")
    result = module.nested(x, y)
    assert len(result) == 3 and len(result[1]) == 2 and len(result[2]) == 0, result
    assert np.array_equal(host(result[0]), x + x)
    assert np.array_equal(host(result[1][0]), y * y)
    assert np.array_equal(host(result[1][1]), x - x)


def rank_0_and_bool():
    flag = np.array([True, False, False, True])
    y, z = module.scalar(np.array(1.5, "float32"), flag)
    assert host(y).shape == () and host(y) == 3.0
    assert host(z).dtype == bool and np.array_equal(host(z), ~flag)


def results_outlive_what_they_were_made_of():
    z = [module.add(random(5, 4), random(5, 4)) for _ in range(50)]
    gc.collect()
    expected = random(5, 4) + random(5, 4)
    assert all(np.array_equal(host(t), expected) for t in z)
    view = host(z[0])
    del z
    gc.collect()
    assert np.array_equal(view, expected)


def in_place_in_the_memory_of_the_caller():
    state, x = random(4), random(4, 1)[:, 0].copy()
    before = state.copy()
    total, grown = module.update(state, x)
    assert np.array_equal(state, before * 2), "the argument was not updated"
    assert np.array_equal(host(grown), state) and np.array_equal(host(total), state + x)
    owned = tvm_ffi.from_dlpack(state)
    _, grown = module.update(owned, x)
    assert address(grown) == state.ctypes.data, "what can be owned twice was copied"
    del owned
    assert np.array_equal(state, before * 4) and np.array_equal(host(grown), state)


def results_into_given_memory():
    x, y = random(2, 4), random(2, 4)
    z = np.zeros((2, 4), "float32")
    assert module.add(x, y, z) is None
    assert np.array_equal(z, x + y)
    a, b = np.zeros((2, 3), "float32"), np.zeros((2, 3), "float32")
    x, y = random(2, 3), random(3, 2).reshape(2, 3)
    assert module.pair(x, y, a, b) is None
    assert np.array_equal(a, x + y) and np.array_equal(b, x - y)
    fails(ValueError, ["result 1", "shape"], module.add, random(2, 4), random(2, 4), np.zeros((3, 4), "float32"))
    fails(ValueError, ["result 1", "float32"], module.add, random(2, 4), random(2, 4), np.zeros((2, 4), "float64"))
    fails(ValueError, ["shares memory"], module.pair, x, y, a, a)
    fails(ValueError, ["shares memory"], module.pair, x, y, x, a)


def grows_in_the_storage_of_the_caller():
    storage = random(8, 4)
    whole = tvm_ffi.from_dlpack(storage)
    wanted = storage.copy()
    for length in range(3, 8):
        x = random(1, 4)
        now, total = module.append((whole, length), x)
        wanted[length] = x[0] * 2
        assert now.shape == (length + 1, 4) and address(now) == storage.ctypes.data, "it was moved"
        assert np.array_equal(storage, wanted), "other rows were written"
        assert np.array_equal(host(now), wanted[:length + 1])
        assert np.allclose(host(total), wanted[:length + 1].sum(0), atol=1e-4)
    del storage, whole
    gc.collect()
    assert np.array_equal(host(now), wanted), "the result does not keep its storage"


def growth_is_checked():
    x, storage = random(1, 4), random(8, 4)
    fails(ValueError, ["`past`", "grows in its storage", "(storage, length)"], module.append, random(3, 4), x)
    fails(ValueError, ["`past`", "length 9"], module.append, (storage, 9), x)
    fails(ValueError, ["`past`", "length -1"], module.append, (storage, -1), x)
    fails(ValueError, ["`past`", "room for 8"], module.append, (storage, 8), x)
    fails(ValueError, ["`past`", "128 bytes"], module.append, (random(7, 4), 3), x)
    fails(TypeError, ["`past`", "a tensor and the length"], module.append, (storage, 3, 4), x)
    fails(TypeError, ["`past`", "a tensor and the length"], module.append, (storage, 3.5), x)
    fails(TypeError, ["`past`", "a tensor and the length"], module.append, (3, 3), x)
    fails(ValueError, ["float32", "float64"], module.append, (storage.astype("float64"), 3), x)
    fails(ValueError, ["contiguous"], module.append, (random(8, 8)[:, :4], 3), x)
    fails(TypeError, ["a tensor"], module.add, (random(3, 4), 3), random(3, 4))
    assert np.array_equal(storage, random(8, 4)), "a refused call has written"


def wrong_types():
    x = random(2, 4)
    fails(TypeError, ["`add` takes 2 arguments, but was given 1"], module.add, x)
    fails(TypeError, ["was given 5"], module.add, x, x, x, x, x)
    fails(TypeError, ["argument 2 (`y`) of `add`", "float32", "float64"], module.add, x, x.astype("float64"))
    fails(TypeError, ["argument 1 (`x`) of `add`", "a tensor", "an integer"], module.add, 3, x)
    fails(TypeError, ["a tensor"], module.add, None, x)
    fails(TypeError, ["a tensor"], module.add, "x", x)


def wrong_values():
    x = random(2, 4)
    fails(ValueError, ["programs.py:", "`y`", "`add`"], module.add, x, random(3, 4))
    fails(ValueError, ["`x`"], module.add, random(2, 5), x)
    fails(ValueError, ["`x`", "2 dimensions"], module.add, random(4), x)
    fails(ValueError, ["contiguous"], module.add, random(4, 2).T, x)
    bytes_ = np.zeros(33, "uint8")
    fails(ValueError, ["aligned"], module.add, bytes_[1:].view("float32").reshape(2, 4), x)
    state = random(4)
    fails(ValueError, ["shares memory with argument 2"], module.update, state, state)
    fails(IndexError, ["programs.py:"], module.take, random(5, 2), np.array([0, 5], "int64"))
    assert np.array_equal(host(module.take(random(5, 2), np.array([4, 0], "int64"))), random(5, 2)[[4, 0]])


def alignment_of_elements_is_enough():
    memory = np.zeros(64, "float32")
    x = memory[3:11].reshape(2, 4)
    x[:] = random(2, 4)
    assert np.array_equal(host(module.add(x, random(2, 4))), 2 * random(2, 4))


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def nothing_leaks():
    x, bad = random(4096, 4), random(2, 4)

    def calls(count):
        for _ in range(count):
            module.add(x, x)
            try:
                module.add(x, bad)
            except ValueError:
                pass

    calls(100)
    before = resident()
    calls(1000)  # 64 KiB each
    assert resident() - before < 16 << 20, resident() - before


def threads_share_a_module():
    wrong = []

    def work(seed):
        x = np.full((64, 4), seed, "float32")
        for _ in range(200):
            if not np.array_equal(host(module.add(x, x)), x + x):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def pytorch():
    x, y = torch.rand(3, 4), torch.rand(3, 4)
    z = torch.from_dlpack(module.add(x, y))
    assert torch.equal(z, x + y)
    z[0, 0] = 7  # it is the caller's
    state, x = torch.rand(4), torch.rand(4)
    before = state.clone()
    total, grown = (torch.from_dlpack(t) for t in module.update(state, x))
    assert torch.equal(state, before * 2) and torch.equal(grown, state) and torch.equal(total, state + x)
    fails(ValueError, ["contiguous"], module.add, torch.rand(4, 3).T, torch.rand(3, 4))
    fails(TypeError, ["float64"], module.add, torch.rand(3, 4, dtype=torch.float64), torch.rand(3, 4))
    out = torch.zeros(3, 4)
    assert module.add(torch.ones(3, 4), torch.ones(3, 4), out) is None
    assert torch.equal(out, torch.full((3, 4), 2.0))


CASES = [one_result, nothing_in_a_tensor, tuples_keep_their_form, rank_0_and_bool, results_outlive_what_they_were_made_of,
         in_place_in_the_memory_of_the_caller, results_into_given_memory, grows_in_the_storage_of_the_caller, growth_is_checked,
         wrong_types, wrong_values, alignment_of_elements_is_enough,
         nothing_leaks, threads_share_a_module, pytorch]


def main():
    failed = 0
    for case in CASES:
        if case is pytorch and torch is None:
            print("ok - pytorch # SKIP it is not installed")
            continue
        try:
            case()
            print(f"ok - {case.__name__}", flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok - {case.__name__}\n# {type(error).__name__}: " + str(error).replace("\n", "\n# "), flush=True)
    return failed > 0


sys.exit(main())
