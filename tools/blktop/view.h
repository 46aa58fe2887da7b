/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is on the screen, and what keys change about it.
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

/* what a key asks of the caller */
enum view_wish {
	VIEW_NOTHING,
	VIEW_QUIT,
	VIEW_STEP,		/* one more sample than there are */
	VIEW_FILTER,		/* view->filter is another one */
	VIEW_SAVE,		/* the last events are to be a trace */
	VIEW_FINDINGS,		/* of what is shown are to be a page */
	VIEW_STEPS,		/* other steps are to be traced */
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
	const char *const *names;	/* what is looked at: the caller's */
	int name_count;
	const char *source;	/* "recorded", "pipe": the caller's */
	bool recorded;		/* it has a speed */
	bool live;		/* we have it traced, */
	bool all_steps;		/* and every step: the caller's */
	bool ended;		/* nothing more comes */
	bool hold;		/* what comes is not shown */
	int speed;		/* as a power of two */
	struct history history;
	struct late late;	/* now, of a live input: the caller's */
	unsigned int back;	/* of the sample that is shown */
	unsigned int chosen, top;	/* rows: that keys are about; first */
	enum view_shows shows;
	bool help;
	char *page;		/* shown in place of all that; NULL: none */
	unsigned int page_top;	/* its first line that is shown */
	char note[VIEW_NOTE];	/* what the last key has done, or "" */
	struct expr *filter;	/* what is counted; NULL: all */
	char where[VIEW_WHERE];	/* the same as it was written */

	/* the line where one is being written, if asking */
	bool asking;
	char line[VIEW_WHERE];
	size_t len;
	char mistake[WHERE_MAX];	/* in the last one, or "" */
};

/* v has all zeros but look, names, source, recorded and text.by, sort and
 * interval, which stay; where: the first expression, or NULL */
void view_init(struct view *v, struct expr *filter, const char *where);

void view_free(struct view *v);

/* a new sample, which is the view's from now on */
void view_add(struct view *v, struct sample *s);

/* forgets all samples */
void view_clear(struct view *v);

/* lines that are shown until a key is pressed, from malloc(): the view's from
 * now on */
void view_set_page(struct view *v, char *page);

/* a line for the foot of the screen, until the next key */
void view_note(struct view *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* when what is shown begins and ends: the intervals of the map, or one; false:
 * nothing is shown */
bool view_span(const struct view *v, uint64_t *from, uint64_t *to);

/* what the key of that screen_key() does */
enum view_wish view_key(struct view *v, int key);

/* 0 or -ENOMEM */
int view_draw(struct view *v, struct display *d);

#endif
