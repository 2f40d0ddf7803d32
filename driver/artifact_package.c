/* Descriptions of an artifact for build systems: pkg-config and CMake.  Both name files beside themselves. */
#include "driver/artifact.h"
#include "driver/config.h"

void artifact_put_pkg_config(const char *name, const char *library, const char *script,
                             bool has_threads, bool is_shared, struct text *out)
{
    text_printf(out,
                "prefix=${pcfiledir}\n"
                "\n"
                "Name: %s\n"
                "Description: %s, compiled by Inlay\n"
                "Version: " INLAY_VERSION "\n"
                "Cflags: -I${prefix}\n"
                "Libs: %s${prefix}/%s -lm%s\n",
                name, script, is_shared ? "-Wl,-rpath,${prefix} " : "", library,
                has_threads ? " -lpthread" : "");
}

void artifact_put_cmake(const char *name, const char *library, enum artifact_kind kind,
                        bool has_threads, struct text *out)
{
    static const char folder[] = "${CMAKE_CURRENT_LIST_DIR}";
    const char *others = has_threads ? "m;pthread" : "m";

    text_printf(out,
                "# find_package(%s CONFIG) and target_link_libraries(.. %s::%s)\n"
                "if(NOT TARGET %s::%s)\n"
                "    add_library(%s::%s %s IMPORTED)\n"
                "    set_target_properties(%s::%s PROPERTIES\n",
                name, name, name, name, name, name, name,
                kind == ARTIFACT_so  ? "SHARED"
                : kind == ARTIFACT_o ? "INTERFACE"
                                     : "STATIC",
                name, name);
    if (kind == ARTIFACT_o)
        text_printf(out, "        INTERFACE_LINK_LIBRARIES \"%s/%s;%s\"\n", folder, library,
                    others);
    else
        text_printf(
            out, "        IMPORTED_LOCATION \"%s/%s\"\n        INTERFACE_LINK_LIBRARIES \"%s\"\n",
            folder, library, others);
    text_printf(out, "        INTERFACE_INCLUDE_DIRECTORIES \"%s\")\nendif()\n", folder);
}
