/* SPDX-License-Identifier: GPL-2.0-only */
/* Packing single blocks; see frame_packing.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/to/frame_packing.h"
#include "net.h"
#include "pack/packer.h"

struct frame_packing {
	struct packer *packer;
	uint8_t *out;		/* of the current call */
	size_t len, room;
};

static int put(void *ctx, const struct pack_header *h, const uint8_t *block,
	       size_t len)
{
	struct frame_packing *p = ctx;

	(void)h;
	if (len > p->room - p->len)
		return -ENOBUFS;
	memcpy(p->out + p->len, block, len);
	p->len += len;
	return 0;
}

/* The server names what it stores. */
static struct packer_options options_of(struct frame_packing *p)
{
	return (struct packer_options){ .name = "", .put = put, .ctx = p };
}

struct frame_packing *frame_packing_new(void)
{
	struct frame_packing *p = calloc(1, sizeof(*p));
	struct packer_options o = options_of(p);

	if (!p)
		return NULL;
	p->packer = packer_new(&o);
	if (p->packer)
		return p;
	free(p);
	return NULL;
}

size_t frame_packing_keep(struct frame_packing *p, const uint8_t *records,
			  size_t len, uint8_t *out, size_t room)
{
	static const struct packer_past none;
	const struct packer_options o = options_of(p);

	p->out = out;
	p->len = 0;
	p->room = room;
	packer_turn(p->packer, &o, &none);
	if (packer_add(p->packer, records, len, true) < 0 ||
	    packer_flush(p->packer))
		return 0;
	return p->len;
}

size_t frame_packing_pack(struct frame_packing *p, const uint8_t *records,
			  size_t len, uint8_t *out)
{
	size_t n = len > FRAME_PACKED_MAX ? 0 :
		   frame_packing_keep(p, records, len, out, len);

	/* what a server would refuse */
	return len / FRAME_PACKED_RATIO > n ? 0 : n;
}

void frame_packing_free(struct frame_packing *p)
{
	if (!p)
		return;
	packer_free(p->packer);
	free(p);
}
