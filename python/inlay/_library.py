"""libinlay as ctypes sees it, for all but calls (python/call): layouts of include/inlay/inlay.h, and the library that the wheel brings along."""
import ctypes
import pathlib
from ctypes import POINTER, Structure, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

FOLDER = pathlib.Path(__file__).resolve().parent / "_lib"
INPLACE = {"auto": 0, "strict": 1, "off": 2}


class Options(Structure):
    _fields_ = [("size", c_size_t), ("inplace", c_int), ("opt_level", c_uint), ("threads", c_uint), ("cpu", c_char_p), ("vector_bytes", c_uint),
                ("memory_limit", c_size_t), ("dims", c_char_p), ("code_generator", c_char_p), ("print", c_void_p), ("find_packed", c_void_p),
                ("state", c_void_p), ("checks_memory", c_bool), ("compile_threads", c_uint), ("cache", c_char_p), ("cache_bytes", c_uint64)]


class Place(Structure):
    _fields_ = [("file", c_char_p), ("line", c_uint), ("column", c_uint), ("end_line", c_uint), ("end_column", c_uint)]


class Note(Structure):
    _fields_ = [("kind", c_int), ("text", c_char_p), ("place", Place), ("edit", c_char_p)]


class Message(Structure):
    _fields_ = [("severity", c_int), ("code", c_uint), ("message", c_char_p), ("place", Place), ("label", c_char_p), ("note_count", c_size_t),
                ("notes", POINTER(Note))]


class Decision(Structure):
    _fields_ = [("function", c_char_p), ("value", c_char_p), ("output", c_int), ("argument", c_uint), ("is_inplace", c_bool), ("verdict", c_char_p),
                ("code", c_char_p), ("reason", c_char_p), ("bytes", c_char_p), ("help", c_char_p), ("call", Place), ("blocking", Place), ("alias", Place)]


class Leaf(Structure):
    _fields_ = [("name", c_char_p), ("type", c_char_p), ("is_donated", c_bool)]


class Signature(Structure):
    _fields_ = [("argument_count", c_size_t), ("result_count", c_size_t), ("arguments", POINTER(Leaf)), ("results", POINTER(Leaf))]


FUNCTIONS = {  # name: result, arguments
    "inlay_version": (c_char_p, []),
    "inlay_options_init_sized": (None, [POINTER(Options), c_size_t]),
    "inlay_session_create": (c_void_p, [POINTER(Options)]),
    "inlay_session_destroy": (None, [c_void_p]),
    "inlay_diagnostics": (c_size_t, [c_void_p, POINTER(POINTER(Message))]),
    "inlay_diagnostics_clear": (None, [c_void_p]),
    "inlay_diagnostics_text": (c_char_p, [c_void_p, c_int]),
    "inlay_parse": (c_void_p, [c_void_p, c_char_p, c_char_p, c_size_t]),
    "inlay_parse_file": (c_void_p, [c_void_p, c_char_p]),
    "inlay_module_text": (c_char_p, [c_void_p]),
    "inlay_module_run_passes": (c_bool, [c_void_p, c_char_p]),
    "inlay_module_decisions": (c_size_t, [c_void_p, POINTER(POINTER(Decision))]),
    "inlay_module_signature": (POINTER(Signature), [c_void_p, c_char_p]),
    "inlay_module_compile": (c_bool, [c_void_p]),
}


def load():
    """The library; calls of its functions let other threads of Python run."""
    try:
        library = ctypes.CDLL(str(FOLDER / "libinlay.so"))
    except OSError as problem:
        raise ImportError(f"libinlay cannot be loaded: {problem}; all that it needs comes with the wheel: pip install --force-reinstall inlay") from None
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


LIBRARY = load()
