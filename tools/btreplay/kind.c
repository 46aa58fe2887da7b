/* SPDX-License-Identifier: GPL-2.0-only */
/* Kinds of I/Os; see kind.h. */
#include "replay/bunch.h"
#include "tools/btreplay/kind.h"
#include "tools/btreplay/options.h"

enum kind kind_of(const struct packet *p)
{
	if (packet_is_flush(p))
		return KIND_FLUSH;
	if (p->kind == PACKET_DISCARD)
		return KIND_DISCARD;
	if (p->kind == PACKET_ZEROES)
		return KIND_ZEROES;
	if (p->read)
		return KIND_READ;
	return p->fua ? KIND_FUA : KIND_WRITE;
}

const char *kind_name(enum kind k)
{
	static const char *const names[KINDS] = {
		[KIND_READ] = "reads",
		[KIND_WRITE] = "writes",
		[KIND_FUA] = "FUA writes",
		[KIND_FLUSH] = "flushes",
		[KIND_DISCARD] = "discards",
		[KIND_ZEROES] = "zeroes",
	};

	return names[k];
}

const char *kind_member(enum kind k)
{
	return k == KIND_FUA ? "fua_writes" : kind_name(k);
}

enum kind kind_sent_as(enum kind k, const struct replay_options *o)
{
	static const enum kind unwritten[KINDS] = {
		[KIND_READ] = KIND_READ,
		[KIND_WRITE] = KIND_READ,
		[KIND_FUA] = KIND_READ,
		[KIND_FLUSH] = KINDS,
		[KIND_DISCARD] = KINDS,
		[KIND_ZEROES] = KINDS,
	};

	if (!o->write)
		return unwritten[k];
	if (o->no_flush && k == KIND_FLUSH)
		return KINDS;
	if (o->no_flush && k == KIND_FUA)
		return KIND_WRITE;
	if (o->no_discard && k == KIND_DISCARD)
		return KINDS;
	return k;
}
