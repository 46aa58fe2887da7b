/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes a part of the last events; see past_part.h.
 *
 * Events are sorted by lane first, so that only one file is open at a time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/opener.h"
#include "record/payload.h"
#include "record/record.h"
#include "run/device.h"
#include "run/reader.h"
#include "tools/blktop/past.h"
#include "tools/blktop/past_part.h"

enum {
	OUT_SIZE = 65536,
	DIR = 4096,		/* a path, with its NUL */
	NAME = 128,		/* of a device or a host, with its NUL */
	PATH = DIR + 4 * NAME,	/* of a file in it */
	COMM = 16,		/* bytes of a process' name in a note */
};

/* --- files made ----------------------------------------------------------- */

/* the paths made, to be removed after a failure */
struct made {
	const struct opener *opener;
	const char *dir;
	char **paths;
	size_t count;
};

/* call before making the path; 0 or -ENOMEM */
static int remember(struct made *m, const char *path)
{
	char **paths = realloc(m->paths, (m->count + 1) * sizeof(*paths));

	if (!paths)
		return -ENOMEM;
	m->paths = paths;
	paths[m->count] = strdup(path);
	return paths[m->count++] ? 0 : -ENOMEM;
}

static int make_dir(struct made *m, const char *path)
{
	if (opener_mkdir(m->opener, path, 0777))
		return -errno;
	return remember(m, path);
}

static void made_remove(const struct made *m)
{
	for (size_t i = m->count; i-- > 0;)
		if (m->paths[i])
			opener_remove(m->opener, m->paths[i]);
}

static void made_free(struct made *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->paths[i]);
	free(m->paths);
}

/* --- records -------------------------------------------------------------- */

struct file {
	const struct past_part *e;
	struct buf out;
	struct hash named;	/* pids */
	uint32_t sequence;	/* of the last event, if we number them */
};

static void put_big(uint8_t *to, uint64_t value, size_t bytes)
{
	while (bytes--) {
		to[bytes] = (uint8_t)value;
		value >>= 8;
	}
}

static void put_record(struct file *f, const struct event *ev,
		       const void *payload)
{
	uint8_t head[BLK_HEADER_MAX];
	unsigned int version = ev->version == BLK_VERSION_8 ? BLK_VERSION_8 :
							      BLK_VERSION_7;
	size_t len = record_encode(ev, version, head);

	/* 0: it does not fit into version 7 */
	if (!len)
		len = record_encode(ev, BLK_VERSION_8, head);
	buf_append(&f->out, head, len);
	buf_append(&f->out, payload, ev->pdu_len);
}

static struct event make_note(const struct event *ev, uint32_t number,
			      size_t len)
{
	return (struct event){
		.magic = ev->magic, .version = BLK_VERSION_7,
		.time = ev->time, .device = ev->device, .cpu = ev->cpu,
		.action = number | BLK_TC_ACT(BLK_TC_NOTIFY),
		.pdu_len = (uint16_t)len,
	};
}

static void put_clock(struct file *f, const struct event *ev)
{
	struct event note;
	struct timespec ts;
	uint32_t wall[2];

	if (reader_wall(f->e->reader, ev->time, &ts))
		return;
	wall[0] = (uint32_t)ts.tv_sec;
	wall[1] = (uint32_t)ts.tv_nsec;
	note = make_note(ev, BLK_TN_TIMESTAMP, sizeof(wall));
	put_record(f, &note, wall);
}

/* before a process' first event */
static int put_name(struct file *f, const struct event *ev)
{
	const char *name = reader_process(f->e->reader, ev->origin, ev->pid);
	void **known = hash_place(&f->named, ev->pid);
	struct event note = make_note(ev, BLK_TN_PROCESS, COMM);
	char comm[COMM] = "";

	if (!known)
		return -ENOMEM;
	if (*known)
		return 0;
	*known = f;
	if (!name)
		return 0;
	memcpy(comm, name, strnlen(name, COMM));
	note.pid = ev->pid;
	put_record(f, &note, comm);
	return 0;
}

/* converts a remap of versions before 7 */
static void put_remap(struct file *f, struct event *ev)
{
	uint8_t payload[16];
	struct remap r;

	payload_remap(ev, &r);
	put_big(payload, r.from, 4);
	put_big(payload + 4, r.to, 4);
	put_big(payload + 8, r.sector, 8);
	ev->pdu_len = sizeof(payload);
	put_record(f, ev, payload);
}

/* A cgroup id has the byte order of the recording machine. */
static void put_swapped(struct file *f, const struct event *ev)
{
	uint8_t payload[UINT16_MAX];

	memcpy(payload, ev->payload, ev->pdu_len);
	for (int i = 0; i < BLK_CGROUP_SIZE; i++)
		payload[i] = ev->payload[BLK_CGROUP_SIZE - 1 - i];
	put_record(f, ev, payload);
}

/* Other numbers have holes that are no loss. */
static bool has_own_numbers(const struct event *ev)
{
	return ev->version >= 6 && !ev->lane->filtered;
}

static int put_event(struct file *f, const struct event *from)
{
	struct event ev = *from;
	bool note = event_is_note(&ev);
	int err = put_name(f, &ev);

	if (!note && !has_own_numbers(&ev))
		ev.sequence = ++f->sequence;
	if (!note && ev.version < BLK_VERSION_7 &&
	    event_number(&ev) == BLK_TA_REMAP)
		put_remap(f, &ev);
	else if (ev.swapped && ev.action & BLK_CGROUP_FLAG &&
		 ev.pdu_len >= BLK_CGROUP_SIZE)
		put_swapped(f, &ev);
	else
		put_record(f, &ev, ev.payload);
	return err;
}

/* --- one file ------------------------------------------------------------- */

/* makes name safe as a part of a path */
static void tame(char *name)
{
	if (*name == '.')
		*name = '_';
	for (; *name; name++)
		if (*name == '/')
			*name = '_';
}

/* the path of a lane's file; makes its directory */
static int file_path(char path[PATH], struct made *m, const struct lane *lane)
{
	const struct device *dev = lane->device;
	char text[2 * NAME], *name = text, host[NAME] = "";
	size_t skip = dev->host ? strlen(dev->host) + 1 : 0;
	int err;

	device_text(dev, text, sizeof(text));
	if (dev->host && skip < strlen(text))
		name += skip;
	tame(name);
	if (dev->host) {
		snprintf(host, sizeof(host), "%s", dev->host);
		tame(host);
		snprintf(path, PATH, "%s/%s", m->dir, host);
		err = make_dir(m, path);
		if (err && err != -EEXIST)
			return err;
	}
	snprintf(path, PATH, "%s/%s%s%s.blktrace.%u", m->dir, host,
		 *host ? "/" : "", name, lane->cpu);
	return 0;
}

static int write_events(struct file *f, const struct event *const *list,
			size_t count)
{
	int err = 0;

	put_clock(f, list[0]);
	for (size_t i = 0; !err && i < count; i++)
		err = put_event(f, list[i]);
	return err ? err : buf_flush(&f->out);
}

/* all events of a lane; at least one */
static int write_file(const struct past_part *e, struct made *m,
		      const struct event *const *list, size_t count)
{
	struct file f = { .e = e };
	char path[PATH];
	int fd, err = file_path(path, m, list[0]->lane);

	if (err)
		return err;
	fd = opener_open(m->opener, path,
			 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	err = remember(m, path);
	if (!err)
		err = buf_init(&f.out, fd, OUT_SIZE);
	if (!err) {
		err = write_events(&f, list, count);
		buf_free(&f.out);
		hash_free(&f.named);
	}
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/* --- all files ------------------------------------------------------------ */

/* events by lane, each lane's in their order */
struct sorted {
	const struct event **list;
	size_t *ends;		/* by lane: the end of its events in list */
	uint32_t lanes;
};

/* the next event in the part's time, or NULL */
static const struct event *next_event(const struct past_part *e,
				      struct past_place *p)
{
	const struct event *ev;
	bool gap;

	while ((ev = past_next(e->past, p, &gap)))
		if (!gap && ev->time >= e->from && ev->time <= e->to)
			return ev;
	return NULL;
}

/* sets ends[] to the start of each lane's events; returns their number */
static size_t find_begins(const struct past_part *e, struct sorted *s)
{
	struct past_place p = { .block = 0 };
	const struct event *ev;
	size_t count = 0;

	while ((ev = next_event(e, &p)))
		s->ends[ev->lane->id]++;
	for (uint32_t i = 0; i < s->lanes; i++) {
		size_t n = s->ends[i];

		s->ends[i] = count;
		count += n;
	}
	return count;
}

static int sort(const struct past_part *e, struct sorted *s,
		uint64_t *events)
{
	struct past_place p = { .block = 0 };
	const struct event *ev;

	s->lanes = reader_devices(e->reader)->lanes;
	s->ends = calloc((size_t)s->lanes + 1, sizeof(*s->ends));
	if (!s->ends)
		return -ENOMEM;
	*events = find_begins(e, s);
	if (!*events)
		return -ENODATA;
	s->list = malloc(*events * sizeof(*s->list));
	if (!s->list)
		return -ENOMEM;
	while ((ev = next_event(e, &p)))
		s->list[s->ends[ev->lane->id]++] = ev;
	return 0;
}

static int write_files(const struct past_part *e, struct made *m,
		       const struct sorted *s)
{
	size_t begin = 0;
	int err = 0;

	for (uint32_t i = 0; !err && i < s->lanes; i++) {
		if (s->ends[i] > begin)
			err = write_file(e, m, s->list + begin,
					 s->ends[i] - begin);
		begin = s->ends[i];
	}
	return err;
}

static int write_dir(const struct past_part *e, const char *dir,
		     const struct sorted *s)
{
	char part[DIR];
	struct made m = { .opener = e->opener, .dir = part };
	int err;

	if (snprintf(part, sizeof(part), "%s.part-%d", dir, getpid()) >= DIR)
		return -ENAMETOOLONG;
	err = make_dir(&m, part);
	if (!err)
		err = write_files(e, &m, s);
	/* fails if dir exists, unless it is empty */
	if (!err && opener_rename(e->opener, part, dir))
		err = -errno;
	if (err)
		made_remove(&m);
	made_free(&m);
	return err;
}

int past_part_write(const struct past_part *e, const char *dir,
		    uint64_t *events)
{
	struct sorted s = { .lanes = 0 };
	int err = sort(e, &s, events);

	if (!err)
		err = write_dir(e, dir, &s);
	free(s.list);
	free(s.ends);
	return err;
}
