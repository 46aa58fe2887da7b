/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Anonymises records, by a key (keyed.h).
 *
 * Names of processes and messages become words; pids and cgroups' ids become
 * other ones; sectors of a device, and of those that it is stacked with, are
 * shifted by an amount that is their own, a multiple of 1 MiB; times of day
 * start at 2 January 1970.  Times, sizes, order and errors stay.
 */
#ifndef TOOLS_BTPACK_DISGUISE_H
#define TOOLS_BTPACK_DISGUISE_H

#include <stddef.h>
#include <stdint.h>

struct disguise;
struct record_bytes;		/* tools/btpack/record_bytes.h */

/* key: a text, or NULL: a random one.  NULL: no memory, no random numbers, or
 * built without nettle (keyed_built()). */
struct disguise *disguise_new(const char *key);
void disguise_free(struct disguise *d);

/*
 * Before the first record: the time of day, ns since 1970, at a time of a
 * machine's clock, ns.  Of all such pairs, the machine that was started first
 * was so on 2 January 1970.
 */
void disguise_clock(struct disguise *d, uint64_t wall, uint64_t time);

/*
 * Before the first record: sectors of one device are also sectors of the other,
 * by a remap, so that both must be shifted alike.  0 or -ENOMEM.
 */
int disguise_link(struct disguise *d, uint32_t a, uint32_t b);

/* Changes a record, but no seal.  0 or -ENOMEM. */
int disguise_record(struct disguise *d, struct record_bytes *b);

/* What other things become, as in records: */

/* a text's word, with KEYED_WORD bytes for it */
void disguise_word(const struct disguise *d, char *word, const char *text,
		   size_t len);

/* a cgroup's id */
uint64_t disguise_cgroup(const struct disguise *d, uint64_t id);

/* a time of day, ns since 1970 */
uint64_t disguise_wall(const struct disguise *d, uint64_t wall);

#endif
