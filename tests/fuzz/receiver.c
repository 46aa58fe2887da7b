/* SPDX-License-Identifier: GPL-2.0-only */
/* A receiver of imports; see receiver.h. */
#include <errno.h>
#include <string.h>

#include "file/source.h"
#include "import/import.h"
#include "record/record.h"
#include "tests/fuzz/must.h"
#include "tests/fuzz/receiver.h"

static int take_about(void *ctx, const struct import_about *a)
{
	struct received *r = ctx;

	must(a->from && *a->from);
	r->about = true;
	return 0;
}

static int take_device(void *ctx, uint32_t number, const char *name)
{
	struct received *r = ctx;

	must(*name && *name != '.' && !strchr(name, '/'));
	must(strlen(name) < IMPORT_NAME);
	return hash_put_number(&r->devices, number, 0);
}

static int take_process(void *ctx, uint32_t pid, const char *name, size_t len)
{
	(void)ctx, (void)pid;
	must(len && name);
	return 0;
}

static int take_event(void *ctx, const struct event *ev)
{
	struct received *r = ctx;

	must(r->about && ev->time >= r->time);
	must(ev->cpu < BLK_CPU_MAX && !event_is_note(ev));
	must(hash_get_number(&r->devices, ev->device) >= 0);
	for (unsigned int i = 0; i < ev->pdu_len; i++)
		r->sum += ev->payload[i];	/* they can be read */
	r->time = ev->time;
	r->events++;
	return 0;
}

static int take_loss(void *ctx, uint32_t cpu, uint64_t events)
{
	(void)ctx, (void)cpu, (void)events;
	return 0;
}

static void take_fault(void *ctx, uint64_t line, uint64_t at, const char *why)
{
	struct received *r = ctx;

	must(*why && strlen(why) < IMPORT_WHY);
	must(!line || at);
	r->faults++;
}

static void take_remark(void *ctx, const char *why)
{
	(void)ctx;
	must(*why && strlen(why) < IMPORT_WHY);
}

void receive(const struct import_format *f, struct source *s,
	     const struct import_options *o, struct received *r)
{
	const struct import_to to = { take_about, take_device, take_process,
				      take_event, take_loss, take_fault,
				      take_remark, r };
	int err;

	*r = (struct received){ .about = false };
	err = f->read(f, s, o, &to);
	must(!err || err == -EBADMSG || err == -EILSEQ || err == -ENOMEM);
	must(err != -EBADMSG || r->faults);
	source_close(s);
	hash_free(&r->devices);
}
