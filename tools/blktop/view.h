/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The contents of the screen, and how keys change them.
 */
#ifndef TOOLS_BLKTOP_VIEW_H
#define TOOLS_BLKTOP_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/look.h"
#include "cli/where.h"
#include "tools/blktop/history.h"
#include "tools/blktop/text.h"

struct display;			/* tools/blktop/screen.h */
struct expr;			/* expr/expr.h */

enum { VIEW_WHERE = 512, VIEW_NOTE = 256 };

/* what a key requests of the caller */
enum view_wish {
	VIEW_NOTHING,
	VIEW_QUIT,
	VIEW_STEP,		/* read one more sample */
	VIEW_FILTER,		/* view->filter has changed */
	VIEW_SAVE,		/* save the last events as a trace */
	VIEW_FINDINGS,		/* make a page of findings about those shown */
	VIEW_STEPS,		/* trace all steps, or not */
};

enum view_shows {
	VIEW_BOTH,
	VIEW_TABLE,
	VIEW_MAP,
	VIEW_SHOWS
};

struct view {
	struct look look;
	struct text text;
	const char *const *names;	/* of inputs: the caller's */
	int name_count;
	const char *source;	/* "recorded", "pipe": the caller's */
	bool recorded;		/* has a speed */
	bool live;		/* traced by us */
	bool all_steps;		/* of a live input: set by the caller */
	bool ended;		/* no more samples */
	bool hold;		/* do not show new samples */
	int speed;		/* as a power of two */
	struct history history;
	struct late late;	/* now, of a live input: set by the caller */
	const char *headline;	/* of the last minute, or ""; NULL: there is
				 * none of this input.  The caller's */
	unsigned int back;	/* of the sample shown */
	unsigned int chosen, top;	/* rows: selected, first shown */
	enum view_shows shows;
	char *page;		/* shown instead of all this, or NULL */
	unsigned int page_top;	/* its first line shown */
	char note[VIEW_NOTE];	/* the last key's result, or "" */
	struct expr *filter;	/* NULL: all */
	char where[VIEW_WHERE];	/* its text */

	/* the line in which a filter is edited, if asking */
	bool asking;
	char line[VIEW_WHERE];
	size_t len;
	char mistake[WHERE_MAX];	/* in the last filter, or "" */
};

/* v is all zeros but look, names, source, recorded and text's by, sort and
 * interval, which it keeps.  Takes ownership of filter; where is its text, or
 * NULL. */
void view_init(struct view *v, struct expr *filter, const char *where);

void view_free(struct view *v);

/* takes ownership of s */
void view_add(struct view *v, struct sample *s);

/* drops all samples */
void view_clear(struct view *v);

/* shows lines until a key is pressed; takes page, which is from malloc() */
void view_set_page(struct view *v, char *page);

/* shows a line at the foot of the screen until the next key */
void view_note(struct view *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* the time shown: the map's intervals, or one; false: none */
bool view_span(const struct view *v, uint64_t *from, uint64_t *to);

/* handles a key of screen_key() */
enum view_wish view_key(struct view *v, int key);

/* 0 or -ENOMEM */
int view_draw(struct view *v, struct display *d);

#endif
