/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rest of a line of the default text: what stands behind the RWBS letters,
 * which depends on the action.  For emit/line alone.
 */
#ifndef EMIT_LINE_REST_H
#define EMIT_LINE_REST_H

#include <stdint.h>
#include <string.h>

struct event;			/* record/record.h */

/* in place of a latency: there is none */
#define LINE_NO_LATENCY UINT64_MAX

/* texts of a process */
struct line_process {
	uint64_t key;		/* origin and pid */
	uint8_t pid_len, name_len;
	char pid_text[16];	/* "  100 " */
	char name_text[32];	/* "[dd]\n" */
} __attribute__((aligned(64)));

/* Copies a short text in one go: both sides have room for size bytes. */
#define LINE_PASTE(p, text, len) \
	(memcpy((p), (text), sizeof(text)), (p) + (len))

/*
 * Renders the rest at p, where there is room for the longest, with the newline;
 * returns its end.  latency: LINE_NO_LATENCY, or of the wait that ends here.
 */
typedef char *line_rest(char *p, const struct line_process *process,
			const struct event *ev, uint64_t latency);

/* the one for an event's action; NULL: it has no line */
line_rest *line_rest_for(const struct event *ev);

/* the one of remaps, whose lines stand under another device */
line_rest rest_remap;

#endif
