import tvm

metadata = tvm.ir.load_json("""{
  \"root_index\": 38,
  \"nodes\": [
    {
      \"type\": \"ffi.String\",
      \"data\": \"ir.GenericConst\"
    },
    {
      \"type\": \"None\"
    },
    {
      \"type\": \"ir.PrimType\",
      \"data\": {
        \"span\": 1,
        \"dtype\": \"int64\"
      }
    },
    {
      \"type\": \"int\",
      \"data\": 8
    },
    {
      \"type\": \"ir.IntImm\",
      \"data\": {
        \"span\": 1,
        \"ty\": 2,
        \"value\": 3
      }
    },
    {
      \"type\": \"int\",
      \"data\": 16
    },
    {
      \"type\": \"ir.IntImm\",
      \"data\": {
        \"span\": 1,
        \"ty\": 2,
        \"value\": 5
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        4,
        6
      ]
    },
    {
      \"type\": \"relax.ShapeType\",
      \"data\": {
        \"span\": 1,
        \"values\": 7,
        \"ndim\": 2
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"ty\": 8,
        \"values\": 7
      }
    },
    {
      \"type\": \"ir.PrimType\",
      \"data\": {
        \"span\": 1,
        \"dtype\": \"float32\"
      }
    },
    {
      \"type\": \"relax.TensorType\",
      \"data\": {
        \"span\": 1,
        \"shape\": 9,
        \"dtype\": 10,
        \"vdevice\": 1,
        \"ndim\": 2
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQAIAAAAAAAAABAAAAAAAAAAAAIAAAAAAAAZPaE6LfWYPsxbjL7U\\/WO\\/nMrovozcfb8jWXY9LIyrP34C\\/L5x1x6\\/lMz6PuW5tj5t49c9JzNuv4Wh77xk\\/zE\\/OQ+sv51M6r5EW\\/O\\/kw+lv\\/m967+7u3C+sDuivynjij5bgyA+02o\\/vpcSIcDH5wm\\/7ahGvYsO6D1928O\\/FJz0vjqAer\\/1D0+\\/h8uHP5i6Tr97NQW9YGdiP9dmFb\\/+w+S9BjviPQWggj2hzpy\\/ae+bPe3trT\\/WCMa\\/gQBcP+Jv9D1nNyS\\/0wYAQHQjQz9Mgpm\\/95uYPe6hEz8aUEG+NdMuPzw6iL280Co\\/giG4PzT4LL+RA1A+pzbtvqdSAj7+9Ze\\/HE0Uv5nnSL5kFWY\\/opaSP1xpqb+vbUu\\/dpslP50H\\/7+aJO2+Xj7Hvd7loD\\/GfDA\\/hIinvvu1vL6dGYC+AwPDPxYm277\\/e5u+joa0Pn9W973gBEq+wZmOv4rEPLwUHeO+rUOVP88wJz\\/UyMW8BRsrP2IDrr4UrIY\\/zO6wu4xYFT\\/9O6W\\/DICxPhMX2L\\/UQgLAZeSbvqhhZr91\\/Sc+GKoPQM\\/rVL\\/Euh+\\/aVVSPj1s\\/D7LozS+Z99Svp3UMz+rGAU\\/fU+Ev9Epor3xiBA9WvmGv6EJhT4Jo1u\\/Xdl4Py9fRT5S5rY9ok0Xv7Xp8r0ntv+\\/9tGQvyPGuT5xOgjAVrtYPw==\"
    },
    {
      \"type\": \"ir.GenericConst\",
      \"data\": {
        \"span\": 1,
        \"ty\": 11,
        \"value\": 12
      }
    },
    {
      \"type\": \"ir.IntImm\",
      \"data\": {
        \"span\": 1,
        \"ty\": 2,
        \"value\": 5
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        14
      ]
    },
    {
      \"type\": \"relax.ShapeType\",
      \"data\": {
        \"span\": 1,
        \"values\": 15,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"ty\": 16,
        \"values\": 15
      }
    },
    {
      \"type\": \"relax.TensorType\",
      \"data\": {
        \"span\": 1,
        \"shape\": 17,
        \"dtype\": 10,
        \"vdevice\": 1,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQAQAAAAAAAAAEAAAAAAAAAAF4Dfv525QT9+cli\\/9mtHPxMYBj4Ct8S\\/G+SfP9yJuD+5xIa9wT6Mviq0I76Vo3m\\/fp6MP\\/f6Cr8KrVG9eRVLvw==\"
    },
    {
      \"type\": \"ir.GenericConst\",
      \"data\": {
        \"span\": 1,
        \"ty\": 18,
        \"value\": 19
      }
    },
    {
      \"type\": \"ir.IntImm\",
      \"data\": {
        \"span\": 1,
        \"ty\": 2,
        \"value\": 5
      }
    },
    {
      \"type\": \"int\",
      \"data\": 4
    },
    {
      \"type\": \"ir.IntImm\",
      \"data\": {
        \"span\": 1,
        \"ty\": 2,
        \"value\": 22
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        21,
        23
      ]
    },
    {
      \"type\": \"relax.ShapeType\",
      \"data\": {
        \"span\": 1,
        \"values\": 24,
        \"ndim\": 2
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"ty\": 25,
        \"values\": 24
      }
    },
    {
      \"type\": \"relax.TensorType\",
      \"data\": {
        \"span\": 1,
        \"shape\": 26,
        \"dtype\": 10,
        \"vdevice\": 1,
        \"ndim\": 2
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAgAAAAIgAQAQAAAAAAAAAAQAAAAAAAAAAAEAAAAAAABURiC\\/f4yjv6bnoD8iyR2+pEZ3P2lPWjxuxDG\\/SkOnvk1rD7\\/iZgI8+iLAvlePmb4jdbC\\/dI1Ovyi40z\\/x1Su\\/jOyGvwm2rD5\\/IbQ\\/eB26v8CGVb4yziG\\/FmnhvygkPD92DcC8GlCSPXyXQL942eg+ZA8KvzhVEr59242\\/Qambv7Xyqj+d0QG\\/IVeVPtdnCr3J3eG+uwkCvxhNIT9kjpq+CxQbvvwJtjzTl5Y\\/+DUuPy\\/kwz43RhC\\/WuSwv2UUcz8UaXc\\/3RUQvua4Cj+nDEg\\/gchUP8rfaz+3Rum+ourBP12Qn7\\/imVw\\/quT8PoGlXz9Yg\\/A\\/TwK+PyiVkr9kJti\\/\"
    },
    {
      \"type\": \"ir.GenericConst\",
      \"data\": {
        \"span\": 1,
        \"ty\": 27,
        \"value\": 28
      }
    },
    {
      \"type\": \"ir.IntImm\",
      \"data\": {
        \"span\": 1,
        \"ty\": 2,
        \"value\": 22
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        30
      ]
    },
    {
      \"type\": \"relax.ShapeType\",
      \"data\": {
        \"span\": 1,
        \"values\": 31,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"relax.expr.ShapeExpr\",
      \"data\": {
        \"span\": 1,
        \"ty\": 32,
        \"values\": 31
      }
    },
    {
      \"type\": \"relax.TensorType\",
      \"data\": {
        \"span\": 1,
        \"shape\": 33,
        \"dtype\": 10,
        \"vdevice\": 1,
        \"ndim\": 1
      }
    },
    {
      \"type\": \"ffi.Tensor\",
      \"data\": \"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQAEAAAAAAAAABAAAAAAAAAApB9RP+3rgb\\/5P0u8YfhWPw==\"
    },
    {
      \"type\": \"ir.GenericConst\",
      \"data\": {
        \"span\": 1,
        \"ty\": 34,
        \"value\": 35
      }
    },
    {
      \"type\": \"ffi.Array\",
      \"data\": [
        13,
        20,
        29,
        36
      ]
    },
    {
      \"type\": \"ffi.Map\",
      \"data\": [
        0,
        37
      ]
    }
  ],
  \"metadata\": {
    \"tvm_version\": \"0.27.0.post1\"
  }
}""")
from tvm.script import ir as I
from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 8), dtype="float32")) -> R.Tensor((2, 4), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            lv: R.Tensor((2, 16), dtype="float32") = R.matmul(x, metadata["ir.GenericConst"][0], out_dtype=None)
            lv1: R.Tensor((2, 16), dtype="float32") = R.add(lv, metadata["ir.GenericConst"][1])
            lv2: R.Tensor((2, 16), dtype="float32") = R.nn.relu(lv1)
            lv3: R.Tensor((2, 4), dtype="float32") = R.matmul(lv2, metadata["ir.GenericConst"][2], out_dtype=None)
            gv: R.Tensor((2, 4), dtype="float32") = R.add(lv3, metadata["ir.GenericConst"][3])
            R.output(gv)
        return gv
