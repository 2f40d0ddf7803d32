# RUN: why --loops --all --cpu=x86-64-v3
# Loops that schedules make lead to what they are made of: panels to the product, lanes of a reduction to it.
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((256, 512), "float32"), w: R.Tensor((512, 384), "float32")):
        a = R.matmul(x, w)
        b = R.nn.relu(a)
        c = R.max(b, axis=1)
        return c
# OUT:
# remark[E0461]: the 8 loops of `max` that are made of this
#   --> scheduled.py:12:13
#    |
# 12 |         c = R.max(b, axis=1)
#    |             ^^^^^^^^^^^^^^^^
#    |
#    = note: `ax0`: LP003 is shared among threads, in tasks of 14 iterations: 19
#    = note:   `l`: LP001 runs in vectors of 8 lanes; LP072 no threads: the loop `ax0` around it is the one that threads share
#    = note:   `ko`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `l` in it
#    = note:     `l`: LP001 runs in vectors of 8 lanes
#    = note:   `l`: LP001 runs in vectors of 8 lanes
#    = note:   `l`: LP001 runs in vectors of 8 lanes
#    = note:   `l`: LP001 runs in vectors of 4 lanes
#    = note:   `l`: LP001 runs in vectors of 2 lanes
#
# remark[E0461]: the 3 loops of `fused_matmul_relu` that are made of this
#   --> scheduled.py:10:13
#    |
# 10 |         a = R.matmul(x, w)
#    |             ^^^^^^^^^^^^^^
#    |
#    = note: `p`: LP003 is shared among threads, in tasks of 1 iterations: 24
#    = note:   `k`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `c` in it; LP072 no threads: the loop `p` around it is the one that threads share
#    = note:     `c`: LP001 runs in vectors of 8 lanes
#
# remark[E0461]: the 4 loops of `fused_matmul_relu` that are made of this
#   --> scheduled.py:11:13
#    |
# 10 |         a = R.matmul(x, w)
#    |             -------------- here
# 11 |         b = R.nn.relu(a)
#    |             ^^^^^^^^^^^^
#    |
#    = note: `jb`: LP003 is shared among threads, in tasks of 1 iterations: 4
#    = note:   `ic`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `jr` in it; LP072 no threads: the loop `jb` around it is the one that threads share
#    = note:     `jr`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `ib` in it
#    = note:       `ib`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `c` in it
#
# remark[E0461]: the 5 loops of `fused_matmul_relu` that are made of this
#   --> scheduled.py:10:13
#    |
# 10 |         a = R.matmul(x, w)
#    |             ^^^^^^^^^^^^^^
#    |
#    = note: `r`: LP005 is written out, 6 iterations one behind the other
#    = note:   `c`: LP001 runs in vectors of 8 lanes; LP072 no threads: the loop `jb` around it is the one that threads share
#    = note: `k`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `c` in it
#    = note:   `r`: LP005 is written out, 6 iterations one behind the other
#    = note:     `c`: LP001 runs in vectors of 8 lanes
#
# remark[E0461]: the 3 loops of `fused_matmul_relu` that are made of this
#   --> scheduled.py:11:13
#    |
# 10 |         a = R.matmul(x, w)
#    |             -------------- here
# 11 |         b = R.nn.relu(a)
#    |             ^^^^^^^^^^^^
#    |
#    = note: `r`: LP005 is written out, 6 iterations one behind the other
#    = note:   `c`: LP001 runs in vectors of 8 lanes; LP072 no threads: the loop `jb` around it is the one that threads share
#    = note:       `jr`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `c` in it
#
# remark[E0461]: the 5 loops of `fused_matmul_relu` that are made of this
#   --> scheduled.py:10:13
#    |
# 10 |         a = R.matmul(x, w)
#    |             ^^^^^^^^^^^^^^
#    |
#    = note: `r`: LP005 is written out, 4 iterations one behind the other
#    = note:   `c`: LP001 runs in vectors of 8 lanes; LP072 no threads: the loop `jb` around it is the one that threads share
#    = note: `k`: LP006 runs one iteration after the other; LP051 no lanes: it is not innermost: there is the loop `c` in it
#    = note:   `r`: LP005 is written out, 4 iterations one behind the other
#    = note:     `c`: LP001 runs in vectors of 8 lanes
#
# remark[E0461]: the 2 loops of `fused_matmul_relu` that are made of this
#   --> scheduled.py:11:13
#    |
# 11 |         b = R.nn.relu(a)
#    |             ^^^^^^^^^^^^
#    |
#    = note: `r`: LP005 is written out, 4 iterations one behind the other
#    = note:   `c`: LP001 runs in vectors of 8 lanes; LP072 no threads: the loop `jb` around it is the one that threads share
#
