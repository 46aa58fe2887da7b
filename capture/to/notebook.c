/* SPDX-License-Identifier: GPL-2.0-only */
/* The notes for a trace from the middle of a run; see notebook.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "capture/to/notebook.h"
#include "file/segments.h"
#include "record/payload.h"
#include "record/record.h"

enum { FIRST_SIZE = 64, STAMP_PAYLOAD = 8 };

struct stamp {
	struct notes_stamp at;
	uint32_t number;	/* of the device in records */
	unsigned int version;	/* of these records */
};

void notebook_init(struct notebook *n)
{
	*n = (struct notebook){ .count = 0 };
	pthread_mutex_init(&n->lock, NULL);
}

void notebook_free(struct notebook *n)
{
	for (size_t i = 0; n->stamps.count && i <= n->stamps.mask; i++)
		free(n->stamps.slots[i].value);
	hash_free(&n->stamps);
	hash_free(&n->by_pid);
	free(n->names);
	pthread_mutex_destroy(&n->lock);
}

/* above any pid: the idle process of a CPU */
#define IDLE_OF(cpu) (UINT32_C(1) << 31 | (cpu))

/* Pid 0 is a different process on each CPU. */
static uint64_t key_of(unsigned int device, uint32_t cpu, uint32_t pid)
{
	return (uint64_t)device << 32 | (pid ? pid : IDLE_OF(cpu));
}

/* --- taking --------------------------------------------------------------- */

/* The slot of a process' name; NULL and *err, 0: all slots are taken. */
static struct notebook_name *place_of(struct notebook *n, uint64_t key,
				      int *err)
{
	int64_t at = hash_get_number(&n->by_pid, key);
	struct notebook_name *names;

	*err = 0;
	if (at >= 0)
		return &n->names[at];
	if (n->count == NOTEBOOK_NAMES)
		return NULL;
	*err = -ENOMEM;
	names = array_reserve(n->names, n->count, &n->size, FIRST_SIZE,
			      sizeof(*names));
	if (!names)
		return NULL;
	n->names = names;
	if (hash_put_number(&n->by_pid, key, (uint32_t)n->count))
		return NULL;
	*err = 0;
	return &names[n->count++];
}

static int take_name(struct notebook *n, unsigned int device, uint32_t cpu,
		     const struct event *note)
{
	struct notebook_name *to;
	int err;

	if (note->pdu_len > NOTES_NAME)
		return 0;
	to = place_of(n, key_of(device, cpu, note->pid), &err);
	if (!to)
		return err;
	to->device = device;
	to->cpu = cpu;
	to->len = (uint8_t)record_encode(note, note->version, to->record);
	memcpy(to->record + to->len, note->payload, note->pdu_len);
	to->len = (uint8_t)(to->len + note->pdu_len);
	return 0;
}

static int take_stamp(struct notebook *n, unsigned int device,
		      const struct event *note)
{
	struct stamp *s = hash_get(&n->stamps, device);
	uint32_t sec, nsec;

	if (!payload_clock(note, &sec, &nsec))
		return 0;
	if (!s) {
		s = malloc(sizeof(*s));
		if (!s || hash_put(&n->stamps, device, s)) {
			free(s);
			return -ENOMEM;
		}
	}
	*s = (struct stamp){ { note->time, sec, nsec }, note->device,
			     note->version };
	return 0;
}

int notebook_take(struct notebook *n, unsigned int device, uint32_t cpu,
		  const uint8_t *record)
{
	bool is_8 = get32(record) == (BLK_MAGIC | BLK_VERSION_8);
	const struct layout *l = record_layout(is_8 ? BLK_VERSION_8 :
						      BLK_VERSION_7, 0);
	struct event note = { .version = 0 };
	int err = 0;

	record_decode(l, false, record, &note);
	note.payload = record + l->size;
	pthread_mutex_lock(&n->lock);
	if (event_number(&note) == BLK_TN_PROCESS)
		err = take_name(n, device, cpu, &note);
	else if (event_number(&note) == BLK_TN_TIMESTAMP)
		err = take_stamp(n, device, &note);
	pthread_mutex_unlock(&n->lock);
	return err;
}

/* --- writing -------------------------------------------------------------- */

/* A device's last stamp, or one made for it. */
static struct stamp stamp_of(const struct notebook *n,
			     const struct notebook_head *h)
{
	const struct stamp *s = hash_get(&n->stamps, h->device);

	return s ? *s : (struct stamp){ h->now, 0, BLK_VERSION_7 };
}

static size_t write_stamp(const struct stamp *s,
			  const struct notebook_head *h, size_t len,
			  uint8_t *to)
{
	const struct segment_head mark = { h->border, (uint32_t)len };
	const uint32_t wall[] = { s->at.seconds, s->at.nanoseconds };
	struct event ev = {
		.magic = BLK_MAGIC | BLK_VERSION_7,
		.time = s->at.time,
		.action = BLK_TC_ACT(BLK_TC_NOTIFY) | BLK_TN_TIMESTAMP,
		.device = s->number,
		.cpu = h->cpu,
		.pdu_len = STAMP_PAYLOAD,
	};
	size_t head;

	segment_head_mark(&ev, &mark);
	head = record_encode(&ev, s->version, to);
	memcpy(to + head, wall, sizeof(wall));
	return head + sizeof(wall);
}

static bool is_of(const struct notebook_name *name,
		  const struct notebook_head *h)
{
	return name->device == h->device && name->cpu == h->cpu;
}

static size_t head_len(const struct notebook *n,
		       const struct notebook_head *h, unsigned int version)
{
	size_t len = record_layout(version, 0)->size + STAMP_PAYLOAD;

	for (size_t i = 0; i < n->count; i++)
		if (is_of(&n->names[i], h))
			len += n->names[i].len;
	return len;
}

static uint8_t *write_all(const struct notebook *n,
			  const struct notebook_head *h, size_t *len)
{
	const struct stamp s = stamp_of(n, h);
	uint8_t *head, *to;

	*len = head_len(n, h, s.version);
	head = malloc(*len);
	if (!head)
		return NULL;
	to = head + write_stamp(&s, h, *len, head);
	for (size_t i = 0; i < n->count; i++) {
		if (!is_of(&n->names[i], h))
			continue;
		memcpy(to, n->names[i].record, n->names[i].len);
		to += n->names[i].len;
	}
	return head;
}

uint8_t *notebook_write(struct notebook *n, const struct notebook_head *h,
			size_t *len)
{
	uint8_t *head;

	pthread_mutex_lock(&n->lock);
	head = write_all(n, h, len);
	pthread_mutex_unlock(&n->lock);
	return head;
}
