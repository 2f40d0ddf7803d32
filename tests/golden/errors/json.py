# FAIL: check --diagnostics=json
# One object a message.
from tvm.script import ir as I
from tvm.script import relax as R
from tvm.script import tir as T


@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), y: R.Tensor((2, 4), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        z = R.add(x, y)
        return z
# OUT:
# {"$message_type":"diagnostic","message":"`R.add`: `x1` of shape (2, 3) and `x2` of shape (2, 4) do not broadcast","code":{"code":"E0603","explanation":null},"level":"error","spans":[{"file_name":"json.py","byte_start":338,"byte_end":349,"line_start":12,"line_end":12,"column_start":13,"column_end":24,"is_primary":true,"text":[{"text":"        z = R.add(x, y)","highlight_start":13,"highlight_end":24}],"label":null,"suggested_replacement":null,"suggestion_applicability":null,"expansion":null},{"file_name":"json.py","byte_start":212,"byte_end":213,"line_start":11,"line_end":11,"column_start":14,"column_end":15,"is_primary":false,"text":[{"text":"    def main(x: R.Tensor((2, 3), dtype=\"float32\"), y: R.Tensor((2, 4), dtype=\"float32\")) -> R.Tensor((2, 3), dtype=\"float32\"):","highlight_start":14,"highlight_end":15}],"label":"shape (2, 3)","suggested_replacement":null,"suggestion_applicability":null,"expansion":null},{"file_name":"json.py","byte_start":250,"byte_end":251,"line_start":11,"line_end":11,"column_start":52,"column_end":53,"is_primary":false,"text":[{"text":"    def main(x: R.Tensor((2, 3), dtype=\"float32\"), y: R.Tensor((2, 4), dtype=\"float32\")) -> R.Tensor((2, 3), dtype=\"float32\"):","highlight_start":52,"highlight_end":53}],"label":"shape (2, 4)","suggested_replacement":null,"suggestion_applicability":null,"expansion":null}],"children":[{"message":"from the last dimension on, each two must be equal, or one of them 1","code":null,"level":"note","spans":[],"children":[],"rendered":null}],"rendered":"error[E0603]: `R.add`: `x1` of shape (2, 3) and `x2` of shape (2, 4) do not broadcast\n  --> json.py:12:13\n   |\n11 |     def main(x: R.Tensor((2, 3), dtype=\"float32\"), y: R.Tensor((2, 4), dtype=\"float32\")) -> R.Tensor((2, 3), dtype=\"float32\"):\n   |              -                                     - shape (2, 4)\n   |              |\n   |              shape (2, 3)\n12 |         z = R.add(x, y)\n   |             ^^^^^^^^^^^\n   |\n   = note: from the last dimension on, each two must be equal, or one of them 1\n"}
