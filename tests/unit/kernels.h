/* Kernels as text, for tests of what is known of them. */
#pragma once

#include "frontend/frontend.h"
#include "ops/ops.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

struct kernels {
    struct arena arena;
    struct ir_context *context;
    struct diag *diag;
    struct ir_module *module;
    struct tir_func *func; /* the first */
};

/* Parses the kernel `f` with parameters @params and @body, which is indented by four. */
static inline void kernels_parse(struct kernels *k, const char *params, const char *body)
{
    char script[8000];

    *k = (struct kernels){.context = ir_context_create(), .diag = diag_create()};
    ops_register(k->context);
    snprintf(script, sizeof(script),
             "from tvm.script import tirx as T\n@T.prim_func(s_tir=True)\ndef f(%s):\n%s", params,
             body);
    k->module =
        frontend_parse(k->context, k->diag, source_new(&k->arena, "t.py", script, strlen(script)));
    if (!k->module) {
        struct text out = {0};

        diag_print(k->diag, DIAG_FORMAT_SHORT, false, &out);
        fail_msg("\n%s\n%s", body, text_string(&out));
    }
    k->func = k->module->globals[0]->kernel;
}

static inline void kernels_finish(struct kernels *k)
{
    ir_module_destroy(k->module);
    diag_destroy(k->diag);
    ir_context_destroy(k->context);
    arena_finish(&k->arena);
}
