"""libinlay as ctypes sees it: the layouts of include/inlay/*.h, and the library that the wheel brings along."""
import ctypes
import pathlib
from ctypes import POINTER, Structure, Union, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

FOLDER = pathlib.Path(__file__).resolve().parent / "_lib"
NONE, INT, BOOL, FLOAT, TENSOR, SHAPE = 0, 1, 2, 3, 7, 68
INPLACE = {"auto": 0, "strict": 1, "off": 2}


class Tensor(Structure):  # DLTensor
    _fields_ = [("data", c_void_p), ("device_type", c_int32), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8), ("bits", c_uint8),
                ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


class Shape(Structure):
    _fields_ = [("dims", POINTER(c_int64)), ("count", c_size_t)]


class Payload(Union):
    _fields_ = [("integer", c_int64), ("real", c_double), ("tensor", POINTER(Tensor)), ("shape", POINTER(Shape))]


class Value(Structure):
    _anonymous_ = ["payload"]
    _fields_ = [("kind", c_int32), ("padding", c_uint32), ("payload", Payload)]


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
    "inlay_module_call": (c_void_p, [c_void_p, c_char_p, POINTER(Value), c_size_t]),
    "inlay_run_results": (c_size_t, [c_void_p, POINTER(POINTER(Value))]),
    "inlay_run_destroy": (None, [c_void_p]),
}
PACKAGES = "libzip4 libcjson1 libisl23 libprotobuf-c1 libllvm19"


def load():
    """The library; calls of its functions let other threads of Python run."""
    try:
        library = ctypes.CDLL(str(FOLDER / "libinlay.so"))
    except OSError as problem:
        raise ImportError(f"libinlay cannot be loaded: {problem}; on Debian: apt-get install {PACKAGES}") from None
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


LIBRARY = load()
