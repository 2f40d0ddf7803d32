"""Inlay from Python: compile a script or an ONNX model, and call it on tensors of NumPy or torch.

    import inlay, numpy
    double = inlay.compile(text)                      # or inlay.compile("model.onnx")
    y = double(numpy.ones((2, 4), "float32"))
    print(inlay.why(text))                            # what works in place, and why not

docs/python.md says it all.
"""
import contextlib
import ctypes
import dataclasses
import html
import os

from ._library import FOLDER, INPLACE, LIBRARY, Message, Options
from ._library import Decision as _Decision
from . import _call
from ._arrays import Room

__all__ = ["compile", "why", "Error", "Room", "Diagnostic", "Decision", "Module", "__version__"]
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
    bytes: str  # of the argument: a number, or an expression of dims; "": not known


class Error(Exception):
    """The script, or a call, is wrong. str() is what the tool prints; @diagnostics are its messages."""

    def __init__(self, text, diagnostics=()):
        super().__init__(text)
        self.diagnostics = list(diagnostics)


class Decisions(list):
    """A list of Decision that prints as lines, and in a notebook as a table beside the @lines of the script."""

    def __init__(self, items=(), lines=()):
        super().__init__(items)
        self.lines = list(lines)

    def __str__(self):
        lines = []
        for item in self:
            size = f", {item.bytes} bytes" if item.bytes else ""
            lines.append(f"line {item.line}: `{item.value}` in `{item.function}`: {item.verdict}: {item.reason} ({item.code}{size})")
            lines += [f"    help: {item.help}"] if item.help else []
        return "\n".join(lines) or "nothing asks to work in place"

    def _repr_html_(self):
        if not self:
            return "<p>nothing asks to work in place</p>"
        left = 'style="text-align:left;vertical-align:top"'
        heads = "".join(f"<th {left}>{head}</th>" for head in ("line", "argument", "verdict", "bytes", "why"))
        return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(self._row(item, left) for item in self)}</tbody></table>"

    def _row(self, item, left):
        shown = self.lines[item.line - 1].strip() if 1 <= item.line <= len(self.lines) else ""
        line = f"{item.line}<br><code>{html.escape(shown)}</code>" if shown else str(item.line or "")
        mark = "&#10003; " if item.is_inplace else "&#10007; " if item.verdict == "copy" else ""  # a copy costs, all others do not
        why = html.escape(f"{item.reason} ({item.code})") + (f"<br><i>{html.escape(item.help)}</i>" if item.help else "")
        cells = (line, f"<code>{html.escape(item.value)}</code> of <code>{html.escape(item.function)}</code>", mark + html.escape(item.verdict),
                 html.escape(item.bytes), why)
        return "<tr>" + "".join(f"<td {left}>{cell}</td>" for cell in cells) + "</tr>"


def _text(data):
    return data.decode(errors="replace") if data else ""


class Module(_call.Callable):
    """A compiled module: calling it calls its function `main`, or the only public one, or @entry.

    Arguments are tensors with `__dlpack__` on the CPU (of NumPy, torch), in rows without gaps; numbers; tuples of these; shapes are tuples of
    numbers. They are only read, but for those that the script donates (`relax.inplace_arg`), which must be writable. A result that lies in an
    argument is that argument; others are new tensors of the library that the first tensor argument is of. Several threads may call.
    """

    def __init__(self, source, passes, entry, options):
        self._entry = entry.encode() if entry else None
        self._options = options  # the session looks at its texts
        self._session = LIBRARY.inlay_session_create(ctypes.byref(options))
        if not self._session:
            raise MemoryError("there is no memory for a session")
        self._handle = self._checked(_parse(self._session, source))
        self._lines = _lines(source)
        self._checked(LIBRARY.inlay_module_run_passes(self._handle, passes.encode()))

    def _compile(self):
        self._checked(LIBRARY.inlay_module_compile(self._handle))
        found = self._checked(LIBRARY.inlay_module_signature(self._handle, self._entry)).contents
        self._arguments = [_leaf(found.arguments[i]) for i in range(found.argument_count)]
        results = [_leaf(found.results[i])[0].split(".")[1:] for i in range(found.result_count)]
        self._names = list(dict.fromkeys(name.split(".")[0] for name, _, _ in self._arguments))
        leaves = tuple((name.encode(), is_donated) for name, _, is_donated in self._arguments)
        self._bind(self._handle, self._entry, len(self._names), leaves, _nesting(results))
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

    def _refuse(self):
        """Raises what the session tells of a call that failed."""
        self._checked(None)

    @contextlib.contextmanager
    def _alone(self):
        self._acquire()
        try:
            yield
        finally:
            self._release()

    def _ordered(self, args, kwargs):
        """The arguments in their order, of a call that names some or has another number of them."""
        kwargs = kwargs or {}
        if len(args) + len(kwargs) != len(self._names) or not set(kwargs) <= set(self._names[len(args):]):
            given = ", ".join([f"{len(args)} by place", *kwargs])
            raise TypeError(f"the arguments are {', '.join(self._names) or 'none'}, but given are {given}")
        return args + tuple(kwargs[name] for name in self._names[len(args):])

    def __repr__(self):
        said = [f"{name}: {type}{', donated' if is_donated else ''}" for name, type, is_donated in getattr(self, "_arguments", [])]
        return f"<inlay.Module: {'; '.join(said) or 'no arguments'}>"

    @property
    def signature(self):
        """The arguments, tuples taken apart: (name, type, is it donated)."""
        return list(self._arguments)

    @property
    def text(self):
        """The module as a script, behind its passes."""
        with self._alone():
            return _text(LIBRARY.inlay_module_text(self._handle))

    @property
    def decisions(self):
        """What was decided of each call that asks to work in place."""
        items = ctypes.POINTER(_Decision)()
        with self._alone():
            count = LIBRARY.inlay_module_decisions(self._handle, ctypes.byref(items))
            return Decisions((_decision(items[i]) for i in range(count)), self._lines)


def _is_path(source):
    if not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"a script as text, or the path of a .py or .onnx file is needed, not a {type(source).__name__}")
    return isinstance(source, os.PathLike) or ("\n" not in source and source.endswith((".py", ".onnx")))


def _lines(source):
    """Of the script; of a model there are none."""
    if not _is_path(source):
        return source.splitlines()
    if os.fspath(source).endswith(".onnx"):
        return []
    with open(source, encoding="utf-8", errors="replace") as file:
        return file.read().splitlines()


def _parse(session, source):
    if _is_path(source):
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
                    _text(item.help), _text(item.bytes))


def _nesting(paths):
    """How leaves at @paths nest: None for one by itself, a tuple of parts for a tuple."""
    if len(paths) == 1 and not paths[0]:
        return None
    groups = {}
    for path in paths:
        groups.setdefault(path[0], []).append(path[1:])
    return tuple(_nesting(group) for group in groups.values())


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
