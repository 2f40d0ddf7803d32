/* inlay import: a model as a script and a file of weights. */
#include "cli/report.h"
#include "driver/model.h"
#include "driver/model_contract.h"
#include "driver/model_export.h"

int command_import(const struct cli_options *options)
{
    const char *path = options->arguments.items[0];

    if (!options->output)
        return cli_usage_error(options, "where to? -o m.py");
    if (!model_is_one(path))
        return cli_usage_error(options, "`%s` is no model: its name does not end in .onnx", path);
    struct driver *driver = driver_create(&options->driver);
    struct ir_module *module = report_load(options, driver);

    if (module && model_contract(driver, module, options->donated, options->bounds))
        (void)model_export(driver, module, options->output);
    return report_finish(options, driver, module);
}
