# FAIL: check --diagnostics=sarif
# One document of SARIF 2.1.0.
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
# {"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"inlay","rules":[{"id":"E0603","shortDescription":{"text":"The shapes of elementwise operands broadcast to one shape."},"defaultConfiguration":{"level":"error"}}]}},"columnKind":"unicodeCodePoints","results":[{"ruleId":"E0603","level":"error","message":{"text":"`R.add`: `x1` of shape (2, 3) and `x2` of shape (2, 4) do not broadcast\nnote: from the last dimension on, each two must be equal, or one of them 1"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"sarif.py"},"region":{"startLine":12,"startColumn":13,"endLine":12,"endColumn":24}}}],"relatedLocations":[{"physicalLocation":{"artifactLocation":{"uri":"sarif.py"},"region":{"startLine":11,"startColumn":14,"endLine":11,"endColumn":15}},"message":{"text":"shape (2, 3)"}},{"physicalLocation":{"artifactLocation":{"uri":"sarif.py"},"region":{"startLine":11,"startColumn":52,"endLine":11,"endColumn":53}},"message":{"text":"shape (2, 4)"}}]}]}]}
