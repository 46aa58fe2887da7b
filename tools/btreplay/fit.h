/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a device is like the one that was recorded. */
#ifndef TOOLS_BTREPLAY_FIT_H
#define TOOLS_BTREPLAY_FIT_H

struct replay_options;		/* tools/btreplay/options.h */
struct target;			/* tools/btreplay/target.h */

/*
 * Warns on stderr if the device has another size or other blocks than the card
 * says that is with the replay files of name: NAME.BASE.json as btrecord leaves
 * it, or the trace's NAME.blktrace.json.  Without a card nothing is known.
 */
void fit_check(const struct replay_options *o, const char *name,
	       const struct target *t);

#endif
