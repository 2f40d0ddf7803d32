"""Inlay from Python: compile a script or an ONNX model, and call it on tensors of NumPy or torch.

    import inlay, numpy
    double = inlay.compile(text)                      # or inlay.compile("model.onnx")
    y = double(numpy.ones((2, 4), "float32"))
    print(inlay.why(text))                            # what works in place, and why not

docs/python.md says it all.
"""
import collections
import ctypes
import dataclasses
import os
import threading

from ._arrays import Borrowed, own
from ._library import BOOL, FLOAT, FOLDER, INPLACE, INT, LIBRARY, SHAPE, TENSOR, Message, Options, Shape, Value
from ._library import Decision as _Decision

__all__ = ["compile", "why", "Error", "Diagnostic", "Decision", "Module", "__version__"]
__version__ = LIBRARY.inlay_version().decode()


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler. Lines and columns count from 1; line 0: it has no place."""
    severity: str
    code: str
    message: str
    file: str
    line: int
    column: int
    helps: tuple


@dataclasses.dataclass(frozen=True)
class Decision:
    """What the passes decided of an argument whose storage a call asks for."""
    function: str
    value: str
    line: int
    is_inplace: bool
    verdict: str
    code: str
    reason: str
    help: str


class Error(Exception):
    """The script, or a call, is wrong. str() is what the tool prints; @diagnostics are its messages."""

    def __init__(self, text, diagnostics=()):
        super().__init__(text)
        self.diagnostics = list(diagnostics)


class Decisions(list):
    """A list of Decision that prints as a table of lines."""

    def __str__(self):
        lines = []
        for item in self:
            lines.append(f"line {item.line}: `{item.value}` in `{item.function}`: {item.verdict}: {item.reason} ({item.code})")
            lines += [f"    help: {item.help}"] if item.help else []
        return "\n".join(lines) or "nothing asks to work in place"


def _text(data):
    return data.decode(errors="replace") if data else ""


class _Run:
    """The memory of one call: given back when the last of its results is gone."""

    def __init__(self, module, handle):
        self.module, self.handle = module, handle

    def __del__(self):
        self.module._give_back(self.handle)


class Module:
    """A compiled module: calling it calls its function `main`, or the only public one, or @entry.

    Arguments are tensors with `__dlpack__` on the CPU (of NumPy, torch), in rows without gaps; numbers; tuples of these; shapes are tuples of
    numbers. They are only read, but for those that the script donates (`relax.inplace_arg`), which must be writable. A result that lies in an
    argument is that argument; others are new tensors of the library that the first tensor argument is of. Several threads may call.
    """

    def __init__(self, source, passes, entry, options):
        self._lock, self._dead = threading.Lock(), collections.deque()
        self._entry = entry.encode() if entry else None
        self._session = LIBRARY.inlay_session_create(ctypes.byref(options))
        if not self._session:
            raise MemoryError("there is no memory for a session")
        self._handle = self._checked(_parse(self._session, source))
        self._checked(LIBRARY.inlay_module_run_passes(self._handle, passes.encode()))

    def _compile(self):
        self._checked(LIBRARY.inlay_module_compile(self._handle))
        found = self._checked(LIBRARY.inlay_module_signature(self._handle, self._entry)).contents
        self._arguments = [_leaf(found.arguments[i]) for i in range(found.argument_count)]
        self._results = [_leaf(found.results[i])[0].split(".")[1:] for i in range(found.result_count)]
        self._names = list(dict.fromkeys(name.split(".")[0] for name, _, _ in self._arguments))
        return self

    def __del__(self):
        if getattr(self, "_session", None):
            LIBRARY.inlay_session_destroy(self._session)

    def _checked(self, result):
        """@result, or the error that the session tells."""
        if result:
            return result
        error = self._error()
        LIBRARY.inlay_diagnostics_clear(self._session)
        raise error

    def _error(self):
        items = ctypes.POINTER(Message)()
        count = LIBRARY.inlay_diagnostics(self._session, ctypes.byref(items))
        text = _text(LIBRARY.inlay_diagnostics_text(self._session, 0)).strip()
        return Error(text, [_diagnostic(items[i]) for i in range(count)])

    def _give_back(self, handle):
        """Runs end when no call is under way; one that is does it when it ends."""
        self._dead.append(handle)
        if self._lock.acquire(blocking=False):
            try:
                self._end_runs()
            finally:
                self._lock.release()

    def _end_runs(self):
        while self._dead:
            LIBRARY.inlay_run_destroy(self._dead.popleft())

    @property
    def signature(self):
        """The arguments, tuples taken apart: (name, type, is it donated)."""
        return list(self._arguments)

    @property
    def text(self):
        """The module as a script, behind its passes."""
        with self._lock:
            return _text(LIBRARY.inlay_module_text(self._handle))

    @property
    def decisions(self):
        """What was decided of each call that asks to work in place."""
        items = ctypes.POINTER(_Decision)()
        with self._lock:
            count = LIBRARY.inlay_module_decisions(self._handle, ctypes.byref(items))
            return Decisions(_decision(items[i]) for i in range(count))

    def __call__(self, *args, **kwargs):
        values, borrowed = self._values(args, kwargs)
        with self._lock:
            self._end_runs()
            handle = self._checked(LIBRARY.inlay_module_call(self._handle, self._entry, values, len(values)))
        run = _Run(self, handle)
        found = ctypes.POINTER(Value)()
        count = LIBRARY.inlay_run_results(handle, ctypes.byref(found))
        like = next(iter(borrowed), None)
        leaves = [_result(found[i], run, borrowed, like.array if like else None) for i in range(count)]
        return _nested(list(zip(self._results, leaves)))

    def _values(self, args, kwargs):
        if len(args) + len(kwargs) != len(self._names) or not set(kwargs) <= set(self._names[len(args):]):
            given = ", ".join([f"{len(args)} by place", *kwargs])
            raise TypeError(f"the arguments are {', '.join(self._names) or 'none'}, but given are {given}")
        ordered = list(args) + [kwargs[name] for name in self._names[len(args):]]
        leaves = [leaf for argument in ordered for leaf in _leaves(argument)]
        if len(leaves) != len(self._arguments):
            raise TypeError(f"{len(self._arguments)} tensors and numbers are needed, in tuples as the script has them, but given are {len(leaves)}")
        values, borrowed = (Value * max(1, len(leaves)))(), []
        for value, leaf, (name, _, is_donated) in zip(values, leaves, self._arguments):
            _fill(value, leaf, name, is_donated, borrowed)
        return values if leaves else (Value * 0)(), borrowed


def _parse(session, source):
    if isinstance(source, os.PathLike) or ("\n" not in source and source.endswith((".py", ".onnx"))):
        return LIBRARY.inlay_parse_file(session, os.fsencode(source))
    data = source.encode()
    return LIBRARY.inlay_parse(session, b"<text>", data, len(data))


def _leaf(leaf):
    return _text(leaf.name), _text(leaf.type), leaf.is_donated


def _diagnostic(item):
    helps = tuple(_text(item.notes[i].text) for i in range(item.note_count) if item.notes[i].kind == 2)
    return Diagnostic(("error", "warning", "remark")[item.severity], f"E{item.code:04}", _text(item.message), _text(item.place.file), item.place.line,
                      item.place.column, helps)


def _decision(item):
    return Decision(_text(item.function), _text(item.value), item.call.line, item.is_inplace, _text(item.verdict), _text(item.code), _text(item.reason),
                    _text(item.help))


def _is_shape(value):
    return isinstance(value, tuple) and all(isinstance(dim, int) and not isinstance(dim, bool) for dim in value)


def _leaves(value):
    if isinstance(value, (tuple, list)) and (not _is_shape(value) or not value):
        for part in value:
            yield from _leaves(part)
    else:
        yield value


def _fill(value, leaf, name, is_donated, borrowed):
    if hasattr(leaf, "__dlpack__") and not isinstance(leaf, (int, float)):
        try:
            tensor = Borrowed(leaf)
        except (BufferError, RuntimeError, TypeError) as problem:
            raise TypeError(f"`{name}` cannot be borrowed: {problem}") from None
        if is_donated and tensor.is_read_only:
            raise ValueError(f"`{name}` is donated, so it must be writable")
        borrowed.append(tensor)
        value.kind, value.tensor = TENSOR, ctypes.pointer(tensor.tensor)
    elif isinstance(leaf, bool):
        value.kind, value.integer = BOOL, leaf
    elif isinstance(leaf, int):
        value.kind, value.integer = INT, leaf
    elif isinstance(leaf, float):
        value.kind, value.real = FLOAT, leaf
    elif _is_shape(leaf):
        dims = (ctypes.c_int64 * len(leaf))(*leaf)
        value.kind, value.shape = SHAPE, ctypes.pointer(Shape(dims, len(leaf)))
    else:
        raise TypeError(f"`{name}` is a {type(leaf).__name__}, but tensors with __dlpack__, numbers and tuples of them are taken")


def _result(value, run, borrowed, like):
    if value.kind == TENSOR:
        tensor = value.tensor.contents
        held = next((item for item in borrowed if item.is_same(tensor)), None)
        return held.array if held else own(tensor, (run, borrowed), like)
    if value.kind == SHAPE:
        return tuple(value.shape.contents.dims[:value.shape.contents.count])
    return {INT: lambda: value.integer, BOOL: lambda: bool(value.integer), FLOAT: lambda: value.real}.get(value.kind, lambda: None)()


def _nested(leaves):
    """Tuples as the paths of @leaves say."""
    if len(leaves) == 1 and not leaves[0][0]:
        return leaves[0][1]
    groups = {}
    for path, leaf in leaves:
        groups.setdefault(path[0], []).append((path[1:], leaf))
    return tuple(_nested(group) for group in groups.values())


def _options(inplace, opt_level, threads, dims, cache):
    if inplace not in INPLACE:
        raise ValueError(f"inplace is one of {', '.join(INPLACE)}, not {inplace!r}")
    options = Options()
    LIBRARY.inlay_options_init_sized(ctypes.byref(options), ctypes.sizeof(Options))
    options.inplace, options.opt_level, options.threads = INPLACE[inplace], opt_level, threads
    options.code_generator = os.fsencode(FOLDER / "inlay-llvm.so")
    options.dims = ",".join(f"{name}={value}" for name, value in dims.items()).encode() if dims else None
    options.cache = os.fsencode(os.path.abspath(cache)) if cache else None
    return options


def compile(source, *, passes="default", entry=None, inplace="auto", opt_level=2, threads=0, dims=None, cache=None):
    """A Module to call, of the text of a script or the path of a .py or .onnx file.

    @passes: a pipeline as for `inlay opt -p`. @inplace: "auto", "strict" (an error where a call would have to copy), "off". @threads: 0: one for
    each core. @dims: values of symbolic dimensions, for BindSymbolicVars. @cache: a folder where compiled code is kept. Raises Error.
    """
    return Module(source, passes, entry, _options(inplace, opt_level, threads, dims, cache))._compile()


def why(source, *, passes="default", inplace="auto", dims=None):
    """What works in place, and what stands against the rest: a list of Decision that prints."""
    return Module(source, passes, None, _options(inplace, 2, 1, dims, None)).decisions
