/*
 * The text that tells of every bunch: DIR/NAME.BASE.CPU.rep, with -v twice.
 * A bunch is written down after it has been sent, as that must not be late
 * for it.
 */
#ifndef TOOLS_BTREPLAY_DIARY_H
#define TOOLS_BTREPLAY_DIARY_H

#include <stdbool.h>
#include <stdint.h>

struct diary;
struct packet;			/* replay/bunch.h */

/* what is told of one submission */
struct diary_entry {
	const struct packet *packets;
	unsigned int count;
	bool write;		/* else writes were sent as reads */
	bool stalls;		/* it had a time to be sent at */
	uint64_t due, now;	/* ns since the iteration began: when it should
				 * be sent, and when that was looked at */
};

/* begins path, over whatever was there; 0 and *d, or -errno */
int diary_open(struct diary **d, const char *path);

/* the CPU it runs on, of those that are online */
void diary_pinned(struct diary *d, unsigned int cpu, unsigned int online);

/* an iteration begins, and so many come after it */
void diary_iteration(struct diary *d, unsigned int left);

void diary_submit(struct diary *d, const struct diary_entry *e);

/* writes what is left and frees d, NULL is fine; 0 or -errno */
int diary_close(struct diary *d);

#endif
