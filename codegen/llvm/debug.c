/*
 * Lines of the script in the object (DWARF), so that a debugger stops on them.
 *
 * One compile unit for the script, one subprogram a function or kernel, and a line for whatever is
 * emitted.  Instructions without a line of their own get that of the function.
 */
#include "codegen/llvm/internal.h"

#include <string.h>

static LLVMMetadataRef file_of(struct cg *cg, const struct source *source)
{
    LLVMMetadataRef known = map_get(&cg->unit->debug.files, source);
    if (known)
        return known;
    const char *name = source ? source->name : "<module>";
    const char *slash = strrchr(name, '/');
    const char *base = slash ? slash + 1 : name;
    size_t folder = slash ? (size_t)(slash - name) : 0;
    LLVMMetadataRef file = LLVMDIBuilderCreateFile(cg->unit->debug.builder, base, strlen(base),
                                                   folder ? name : ".", folder ? folder : 1);
    map_set(&cg->unit->debug.files, source, file);
    return file;
}

static void add_flag(struct cg *cg, const char *name, int64_t value)
{
    LLVMAddModuleFlag(cg->unit->llvm, LLVMModuleFlagBehaviorWarning, name, strlen(name),
                      LLVMValueAsMetadata(cg_i32(cg, value)));
}

static const struct source *first_source(const struct ir_module *module)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->loc.source)
            return module->globals[i]->loc.source;
    return NULL;
}

void cg_debug_init(struct cg *cg)
{
    const struct source *source = first_source(cg->module);
    if (!cg->codegen->options.debug_info || !source)
        return;
    add_flag(cg, "Debug Info Version", LLVMDebugMetadataVersion());
    add_flag(cg, "Dwarf Version", 4);
    cg->unit->debug.builder = LLVMCreateDIBuilder(cg->unit->llvm);
    cg->unit->debug.unit = LLVMDIBuilderCreateCompileUnit(
        cg->unit->debug.builder, LLVMDWARFSourceLanguageC99, file_of(cg, source), "inlay", 5,
        cg->codegen->options.opt_level > 0, "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0, false, false,
        "", 0, "", 0);
    cg->unit->debug.subroutine_type = LLVMDIBuilderCreateSubroutineType(
        cg->unit->debug.builder, file_of(cg, source), NULL, 0, LLVMDIFlagZero);
}

void cg_debug_finish(struct cg *cg)
{
    if (cg->unit->debug.builder)
        LLVMDisposeDIBuilder(cg->unit->debug.builder);
    map_finish(&cg->unit->debug.files);
}

void cg_debug_enter_function(struct cg *cg, const char *name, struct location loc)
{
    cg->scope = NULL;
    cg->source = loc.source;
    if (!cg->unit->debug.builder || !loc.source)
        return;
    LLVMMetadataRef file = file_of(cg, loc.source);
    unsigned line = location_line(loc);
    cg->scope =
        LLVMDIBuilderCreateFunction(cg->unit->debug.builder, file, name, strlen(name), name,
                                    strlen(name), file, line, cg->unit->debug.subroutine_type, true,
                                    true, line, LLVMDIFlagZero, cg->codegen->options.opt_level > 0);
    LLVMSetSubprogram(cg->function, cg->scope);
}

void cg_debug_set_location(struct cg *cg)
{
    LLVMMetadataRef place = NULL;
    /* A scope is in one file: what comes from another one has no line. */
    if (cg->scope && cg->loc.source == cg->source) {
        unsigned column = 0;
        unsigned line = source_line(cg->loc.source, cg->loc.begin, &column);
        place = LLVMDIBuilderCreateDebugLocation(cg->context, line, column, cg->scope, NULL);
    } else if (cg->scope) {
        place = LLVMDIBuilderCreateDebugLocation(cg->context, 0, 0, cg->scope, NULL);
    }
    LLVMSetCurrentDebugLocation2(cg->builder, place);
}
