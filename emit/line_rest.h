/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rest of a line of the default text, after the RWBS letters, which depends
 * on the action.  For emit/line only.
 */
#ifndef EMIT_LINE_REST_H
#define EMIT_LINE_REST_H

#include <stdint.h>
#include <string.h>

struct event;			/* record/record.h */

#define LINE_NO_LATENCY UINT64_MAX

/* cached texts of a process */
struct line_process {
	uint64_t key;		/* origin and pid */
	uint8_t pid_len, name_len;
	char pid_text[16];	/* "  100 " */
	char name_text[32];	/* "[dd]\n" */
} __attribute__((aligned(64)));

/* Copies the array text with its padding: both sides have room for it. */
#define LINE_PASTE(p, text, len) \
	(memcpy((p), (text), sizeof(text)), (p) + (len))

/*
 * Renders the rest and a newline at p, which has room for the longest; returns
 * its end.  latency: ns of the wait that ends here, or LINE_NO_LATENCY.
 */
typedef char *line_rest(char *p, const struct line_process *process,
			const struct event *ev, uint64_t latency);

/* the function for an event's action; NULL: it has no line */
line_rest *line_rest_for(const struct event *ev);

/* that of remaps, whose lines show another device */
line_rest rest_remap;

#endif
