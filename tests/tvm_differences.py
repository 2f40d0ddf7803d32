"""Why Inlay and TVM give different numbers, or Inlay refuses: for tvm_differential.py.

A row: outcome, a pattern for the name of the case, a pattern for the message, the reason. Inlay's own rules are in
docs/operators.md. A difference that no row explains is a failure.
"""
import re

ROWS = [
    # ---- numbers ----
    ("differs", r"R\.(maximum|minimum|sign|nn\.relu6?|clip)\(x[01]\b|R\.(max|min)\(x4", r"nan, TVM gives",
     "a NaN stays one, as in NumPy; TVM drops it"),
    ("differs", r"R\.not_equal\(", r"True, TVM gives False", "NaN differs from everything, by IEEE 754; TVM compares ordered"),
    ("differs", r"R\.log_add_exp\(", r"TVM gives inf", "TVM's formula overflows"),
    ("differs", r"R\.(left|right)_shift\(", r"", "a shift by the width or more is undefined in TVM; here it shifts everything out"),
    ("differs", r"R\.astype\(x0, \"u?int", r"", "out of the range of the integer: undefined in TVM; here it saturates, and NaN is 0"),
    ("differs", r"R\.(sum|prod|max|min|mean|matmul)\(x(11|12|13|14|34)\b", r"",
     "nothing to sum up: TVM leaves the result unwritten"),
    ("differs", r"R\.sum\(x5", r"4096\.0, TVM gives 2048\.0", "sums of float16 are kept in float32; TVM rounds each step"),
    ("differs", r"R\.mean\(x10", r"int32, TVM's int64", "the mean of int32 is int32 by its type; TVM's kernel gives int64"),
    ("differs", r"R\.arg(max|min)\(x1[568]", r"", "the first NaN wins, ties give the first index, infinities count; TVM starts from a finite number"),
    ("differs", r"R\.nn\.(layer|instance)_norm\(.*(center|scale)=False", r"", "TVM's lowering ignores `center` and `scale`"),
    ("differs", r"R\.gather_elements\(", r"", "negative indices count from the end; TVM reads outside"),
    ("differs", r"R\.scatter_(elements|nd)\(", r"", "several updates to one place: TVM's loop is parallel, or allows none"),
    ("differs", r"R\.nn\.attention\(.*BottomRight", r"", "a mask for fewer keys than queries: TVM takes the absolute value"),
    ("differs", r"R\.(sort|argsort|topk|median)\(x3\b", r"", "a NaN is larger than all numbers; TVM's order has no place for it"),
    ("differs", r"R\.topk\(", r"has shape", "no more than the axis has; TVM makes the result larger and leaves the rest unwritten"),
    # ---- refused ----
    ("inlay", r"", r"E0254.*annotation says", "the test's annotation is wrong; TVM does not check it"),
    ("inlay", r"", r"E0622: `R\.prod` cannot be compiled for bool", "bool has no arithmetic here: convert it first"),
    ("inlay", r"conv2d(_transpose)?_symbolic", r"E0804: assertion failed: the channels",
     "the extents that are made up do not fit; TVM does not check them and reads outside"),
]


def explanation(outcome, operators, name, message):
    for wanted, names, messages, reason in ROWS:
        if wanted == outcome and re.search(names, name) and re.search(messages, message):
            return reason
    return None
