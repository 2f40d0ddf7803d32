/* Converters of operators.def; what they do stands there. */
#pragma once

#include "frontend/onnx/import.h"

#define ONNX(name, since, until, convert, op, note) bool onnx_##convert(struct onnx_node *n);
#define OTHER(domain, name, since, until, convert, op, note) \
    bool onnx_##convert(struct onnx_node *n);
#include "frontend/onnx/operators.def"
