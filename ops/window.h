/*
 * Operators with windows: layouts, strides and paddings as their attributes say them; type inference
 * (infer_conv.c) has checked that the letters are there.
 */
#pragma once

#include "ops/internal.h"

/* Letter of spatial axis @i of @count: W; H W; D H W. */
char window_letter(unsigned i, unsigned count);
/* Axis of @letter in a layout. */
unsigned window_axis(const char *layout, char letter);
/* How long the groups of @letter (a capital one) are in a packed layout: 16 for C in NCHW16c; 1 without groups. */
int64_t window_factor(const char *layout, char letter);
/* The extent of @letter where @dims are those of the layout, groups and all. */
const struct ir_expr *window_extent(struct ir_context *context, const char *layout,
                                    const struct ir_expr *const *dims, char letter);
/* One letter for each axis: NCHW, not NCHW4c. */
bool window_is_plain(const char *layout);
/* The same, or with channels in blocks besides: NCHW16c. */
bool window_has_blocks_of_channels_only(const char *layout);
/* Spatial axes of a layout. */
unsigned window_spatial_count(const char *layout);
/* A layout that may be left out. */
const char *window_layout(const struct ir_op *op, const char *name, const char *otherwise);
/* Entry @i of a list with one for each spatial axis, where one may stand for all. */
int64_t window_item(const struct ir_op *op, const char *name, unsigned i, int64_t otherwise);
/* Padding in front of or behind spatial axis @i of @count: 1, @count or 2 * @count entries. */
int64_t window_padding(const struct ir_op *op, unsigned i, unsigned count, bool is_behind);
