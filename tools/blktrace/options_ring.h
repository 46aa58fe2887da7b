/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the arguments of --rotate, --ring and the options beside it mean.  Each
 * is a cli_option's set(), and does not return from a mistake.
 */
#ifndef TOOLS_BLKTRACE_OPTIONS_RING_H
#define TOOLS_BLKTRACE_OPTIONS_RING_H

/* of struct options */
void options_set_rotate(void *options, const char *text);
void options_set_ring(void *options, const char *text);
void options_add_trigger(void *options, const char *text);

/* a uint64_t: ns, a day at most */
void options_set_time(void *ns, const char *text);

#endif
