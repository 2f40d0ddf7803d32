/*
 * What must stay in front of what in a block although no operand says so.
 *
 *   storage   an op that reads storage stays in front of a call that updates it in place
 *   symbols   an op that mentions a symbol stays behind the match_cast that binds it
 *
 * It goes by classes of storage (analysis/storage): they hold for all orders of the ops.
 */
#pragma once

#include "analysis/storage/storage.h"
#include "base/array.h"
#include "base/map.h"
#include "ir/module.h"

struct order_edge {
    struct ir_op *before, *after;
};

struct order {
    array(struct order_edge) edges;
    /* of the function: */
    struct storage storage;
    /* of the block: */
    struct ir_op **updates;        /* by class: the last update met */
    array(struct ir_op *) readers; /* lists by class of those that no update was met behind */
    array(size_t) nexts;           /* of each reader: place + 1 of the next of its class */
    size_t *heads;                 /* by class */
    array(unsigned) touched;       /* classes with an update or a reader */
    struct map makers;             /* symbol -> the match_cast that binds it */
};

/* Prepares for the blocks of @function (an outermost one); numbers it. */
void order_init(struct order *order, struct arena *arena, struct storage_module *facts,
                struct ir_function *function);
void order_finish(struct order *order);

/* The edges of @block: in order->edges, each from an op to a later one of the block. */
void order_find(struct order *order, struct ir_block *block);
