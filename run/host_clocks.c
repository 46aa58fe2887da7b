/* SPDX-License-Identifier: GPL-2.0-only */
/* The clocks of several machines; see host_clocks.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "file/location.h"
#include "run/epoch.h"
#include "run/host_clocks.h"

void host_clocks_free(struct host_clocks *c)
{
	free(c->list);
	*c = (struct host_clocks){ .list = NULL };
}

/* --- the time of day ------------------------------------------------------ */

/* What a trace tells of its machine's clock, if that is better. */
static int ask_trace(struct host_clock *c, const struct location *at)
{
	struct host_clock one;
	uint64_t epoch = 0;
	int err = epoch_find(at, &epoch);

	if (err == -ENOMEM)
		return err;
	host_clock_find(&one, !err, epoch, at->card);
	one.foreign |= c->foreign;
	if (!c->known || (at->card && one.known && !one.foreign))
		*c = one;
	return 0;
}

/* By the first of its traces that tells; a card tells best.  A machine alone is
 * asked for what only a card knows. */
static int find_clock(struct host_clock *c, const struct locations *l,
		      unsigned int host)
{
	bool alone = l->host_count < 2, best = false;
	int err = 0;

	*c = (struct host_clock){ .error = HOST_CLOCK_UNKNOWN };
	for (size_t i = 0; !err && !best && i < l->count; i++) {
		const struct location *at = &l->list[i];

		if (at->host != host || (!at->card && (c->known || alone)))
			continue;
		err = ask_trace(c, at);
		best = at->card && c->known && !c->foreign;
	}
	return err;
}

static int find_all(struct host_clocks *c, const struct locations *l)
{
	int err = 0;

	c->aligned = true;
	for (unsigned int i = 0; !err && i < c->count; i++) {
		err = find_clock(&c->list[i], l, i);
		c->aligned &= c->list[i].known;
	}
	c->wall = c->aligned;
	return err;
}

/* --- first events --------------------------------------------------------- */

/* 0, also if it has none: then it does not matter; or -ENOMEM */
static int find_first(const struct locations *l, unsigned int host,
		      uint64_t *first)
{
	uint64_t time;

	*first = UINT64_MAX;
	for (size_t i = 0; i < l->count; i++) {
		int err = l->list[i].host == host ?
			  epoch_first(&l->list[i], &time) : -ENODATA;

		if (err == -ENOMEM)
			return err;
		if (!err && time < *first)
			*first = time;
	}
	return 0;
}

/* All begin when the first one does that knows when that was; else at a time
 * that all can be moved to. */
static uint64_t find_begin(struct host_clocks *c, const uint64_t *firsts)
{
	uint64_t latest = 0;

	for (unsigned int i = 0; i < c->count; i++) {
		c->wall = c->list[i].known && firsts[i] != UINT64_MAX;
		if (c->wall)
			return host_clock_wall(&c->list[i], firsts[i]);
		if (firsts[i] != UINT64_MAX && firsts[i] > latest)
			latest = firsts[i];
	}
	return latest;
}

static int align_start(struct host_clocks *c, const struct locations *l)
{
	uint64_t *firsts = calloc(c->count, sizeof(*firsts)), begin;
	int err = firsts ? 0 : -ENOMEM;

	for (unsigned int i = 0; !err && i < c->count; i++)
		err = find_first(l, i, &firsts[i]);
	if (!err) {
		begin = find_begin(c, firsts);
		for (unsigned int i = 0; i < c->count; i++) {
			struct host_clock *one = &c->list[i];

			if (firsts[i] != UINT64_MAX)
				one->epoch += begin -
					host_clock_wall(one, firsts[i]);
		}
		c->aligned = true;
	}
	free(firsts);
	return err;
}

/* --- shifts --------------------------------------------------------------- */

static int shift(struct host_clocks *c, const struct locations *l,
		 const struct host_wishes *w, size_t *which)
{
	for (size_t i = 0; i < w->count; i++) {
		unsigned int host = 0;

		while (host < c->count &&
		       strcmp(l->hosts[host], w->shifts[i].host))
			host++;
		if (host == c->count) {
			*which = i;
			return -ESRCH;
		}
		c->list[host].epoch += (uint64_t)w->shifts[i].ns;
	}
	return 0;
}

int host_clocks_find(struct host_clocks *c, const struct locations *l,
		     const struct host_wishes *w, size_t *which)
{
	int err;

	*c = (struct host_clocks){ .count = l->host_count };
	c->list = calloc(c->count + 1u, sizeof(*c->list));
	if (!c->list)
		return -ENOMEM;
	err = find_all(c, l);
	if (!err && w && w->align_start && c->count > 1)
		err = align_start(c, l);
	if (!err && w)
		err = shift(c, l, w, which);
	if (err)
		host_clocks_free(c);
	return err;
}
