/*
 * One page about a script and a pipeline, for people: what the passes did, what was decided about
 * storage, where memory goes, the graph in front of fusion and behind it, and each kernel with its
 * loops, its assembly and its times; and beside each of these why it is so.
 *
 * The page is one file that asks no server and no network for anything.  What it shows is what the
 * driver knows anyway: observers of passes, decisions, remarks, plans, measured times.  It is put into the
 * page as one JSON object, which page/page.js draws; page/page.html and page/page.css are the rest.
 */
#pragma once

#include "analysis/remark.h"
#include "driver/runner.h"

/* A pass that ran. */
struct page_pass {
    const char *text;
    const struct pass_info *pass;
    double ms;
    bool is_changed;
    const char *difference; /* of the module's text; NULL: it changed nothing */
    size_t left_out;        /* lines of the difference that are not there */
};
/* A graph as JSON, at some point of the pipeline. */
struct page_graph {
    const char *behind; /* a pass, or "the script" */
    struct text json;
};

struct page {
    struct session *session;
    const char *passes;
    const struct pass_watch *inner;
    struct page_graph before, after; /* of fusion */
    struct text dot;                 /* what is after, for Graphviz */
    array(struct page_pass) runs;
    struct remarks remarks;
    /* of the pass in work */
    struct text text;
    double begin_ms;
    const char *pass;
};

/*
 * A watch that fills @page; @inner sees what it sees alone.  The session keeps its script, and its driver
 * records remarks until they are written or the page is finished.
 */
struct pass_watch page_watch(struct page *page, struct session *session, const char *passes,
                             const struct pass_watch *inner);
void page_finish(struct page *page);

/* Nodes and edges of all functions of @module: as JSON, and for Graphviz. */
void page_put_graph(const struct ir_module *module, struct text *out);
void page_put_dot(const struct ir_module *module, struct text *out);

/*
 * Kernels of @runner: loops, assembly (text of LLVM; "": none), and what they took if @times is not
 * NULL.
 */
struct kernel_times;
struct roof;
void page_put_kernels(const struct runner *runner, const char *assembly, struct kernel_times *times,
                      struct text *out);

/*
 * On loops, fusion and memory; code of the module of @runner is made to hear what becomes of its loops.
 * False after a report.
 */
bool page_put_remarks(struct page *page, struct runner *runner, struct text *out);
/* The driver of the session records remarks for @page, and does so no more. */
void page_begin_remarks(struct page *page);
void page_end_remarks(struct page *page);

/* The whole page.  @members: of the object that it shows, with a comma in front of each. */
void page_put(const struct page *page, const struct runner *runner, const char *members,
              struct text *out);
