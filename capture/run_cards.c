/* SPDX-License-Identifier: GPL-2.0-only */
/* The cards of a run; see run_cards.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/place.h"
#include "base/text.h"
#include "capture/audit.h"
#include "capture/cgroup_names.h"
#include "capture/reporter.h"
#include "capture/run_cards.h"
#include "capture/sink.h"
#include "capture/totals.h"
#include "machine/card.h"
#include "machine/clock_pair.h"
#include "machine/disk_stack.h"
#include "machine/machine_id.h"

enum {
	WORDS_BYTES = 65536,	/* of a command line in a card, at most */
	END_BYTES = 16384,	/* that the end adds to a card, at most, plus */
	END_BYTES_CPU = 128,	/* per CPU */
};

struct one {			/* a device's */
	char *name;
	char *file;		/* its card's name */
	char *head;		/* the card's constant part, not closed */
	char *end;		/* "end":{...},"audit":{...}; NULL: not yet */
};

struct run_cards {
	struct run_cards_options o;
	struct clock_pair start;
	struct one *list;
	unsigned int count;
};

static void one_clear(struct one *one)
{
	free(one->name);
	free(one->file);
	free(one->head);
	free(one->end);
}

void run_cards_free(struct run_cards *c)
{
	if (!c)
		return;
	for (unsigned int i = 0; i < c->count; i++)
		one_clear(&c->list[i]);
	free(c->list);
	free(c);
}

int run_cards_new(struct run_cards **out, const struct run_cards_options *o)
{
	struct run_cards *c = calloc(1, sizeof(*c));

	*out = c;
	if (!c)
		return -ENOMEM;
	c->o = *o;
	c->start = clock_pair_now();
	return 0;
}

/* --- what is in a card ---------------------------------------------------- */

static void put_machine(struct json *j)
{
	char id[MACHINE_ID], boot[64];
	struct utsname name;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (!uname(&name)) {
		json_put_string(j, "host", name.nodename);
		json_put_string(j, "kernel", name.release);
		json_put_string(j, "arch", name.machine);
	}
	if (machine_id(id))
		json_put_string(j, "machine_id", id);
	if (!text_read("/proc/sys/kernel/random/boot_id", boot, sizeof(boot)))
		json_put_string(j, "boot_id", boot);
	if (cpus > 0)
		json_put_number(j, "cpus_online", (uint64_t)cpus);
}

/* Leaves out a command line of thousands of devices. */
static void put_words(const struct run_cards_options *o, struct json *j)
{
	size_t bytes = 0;

	for (unsigned int i = 0; i < o->word_count; i++)
		bytes += strlen(o->words[i]) + 1;
	if (bytes > WORDS_BYTES || o->word_count > CARD_VALUES / 8)
		return;
	json_put_array(j, "command");
	for (unsigned int i = 0; i < o->word_count; i++)
		json_put_string(j, NULL, o->words[i]);
	json_put_array_end(j);
}

static void put_run(const struct run_cards_options *o, struct json *j)
{
	json_put_string(j, "program", o->program);
	put_words(o, j);
	json_put_string(j, "via", o->via);
	if (o->joined)
		json_put_bool(j, "joined", true);
	if (o->record_version)
		json_put_number(j, "record_version", o->record_version);
}

/* A copy of what was written; NULL: no memory, or too much. */
static char *take_text(struct buf *b)
{
	char *text = b->error ? NULL : strndup(b->data, b->len);

	buf_free(b);
	return text;
}

static char *make_head(const struct run_cards *c, const char *name, dev_t dev)
{
	struct buf b;
	struct json j = { .b = &b };

	/* never flushed: larger is an error */
	if (buf_init(&b, -1, CARD_BYTES / 2))
		return NULL;
	json_put_object(&j, NULL);
	json_put_number(&j, "schema", CARD_SCHEMA);
	put_machine(&j);
	put_run(&c->o, &j);
	disk_stack_write(dev, name, c->o.serial, &j);
	return take_text(&b);
}

int run_cards_add(struct run_cards *c, const char *name, dev_t dev)
{
	struct one *list = realloc(c->list, (c->count + 1) * sizeof(*list));
	struct one one = { .head = NULL };

	if (!list)
		return -ENOMEM;
	c->list = list;
	one.name = strdup(name);
	one.head = make_head(c, name, dev);
	if (asprintf(&one.file, "%s" CARD_SUFFIX,
		     c->o.base ? c->o.base : name) < 0)
		one.file = NULL;
	if (!one.name || !one.head || !one.file) {
		one_clear(&one);
		return -ENOMEM;
	}
	list[c->count++] = one;
	return 0;
}

/* --- the end -------------------------------------------------------------- */

static void put_cpus(const struct run_cards_end *end, struct json *j)
{
	json_put_array(j, "cpus");
	for (unsigned int i = 0; i < end->cpu_count; i++) {
		json_put_object(j, NULL);
		json_put_number(j, "cpu", i);
		json_put_number(j, "events", end->cpus[i].events);
		json_put_number(j, "bytes", end->cpus[i].bytes);
		json_put_object_end(j);
	}
	json_put_array_end(j);
}

static void put_end(const struct run_cards_end *end, struct json *j)
{
	uint64_t events = 0, bytes = 0;

	for (unsigned int i = 0; i < end->cpu_count; i++) {
		events += end->cpus[i].events;
		bytes += end->cpus[i].bytes;
	}
	json_put_object(j, "end");
	json_put_string(j, "cause", end->cause);
	if (end->time)
		json_put_number(j, "monotonic_ns", end->time);
	json_put_number(j, "events", events);
	json_put_number(j, "bytes", bytes);
	json_put_number(j, "dropped", end->dropped);
	if (end->sent) {
		json_put_number(j, "undelivered", end->undelivered);
		json_put_number(j, "undelivered_bytes",
				end->undelivered_bytes);
	}
	/* four values each, and the card has others */
	if (end->cpu_count <= CARD_VALUES / 8)
		put_cpus(end, j);
	json_put_object_end(j);
}

/* Without a verdict, a reason instead of numbers. */
static void put_audit(const struct audit_result *r, struct json *j)
{
	static const char *const verdicts[] = {
		[AUDIT_NONE] = "none", [AUDIT_COMPLETE] = "complete",
		[AUDIT_MISSING] = "missing",
	};

	json_put_object(j, "audit");
	json_put_string(j, "verdict", verdicts[r->verdict]);
	if (r->reason)
		json_put_string(j, "reason", r->reason);
	if (r->has_ios) {
		json_put_number(j, "completed", r->completed);
		json_put_number(j, "recorded", r->recorded);
	}
	if (r->verdict != AUDIT_NONE) {
		json_put_number(j, "completed_bytes", r->completed_bytes);
		json_put_number(j, "recorded_bytes", r->recorded_bytes);
	}
	if (r->verdict != AUDIT_NONE && r->tolerance)
		json_put_number(j, "tolerance", r->tolerance);
	if (r->verdict == AUDIT_MISSING) {
		json_put_number(j, "missing", r->missing);
		json_put_number(j, "missing_bytes", r->missing_bytes);
		json_put_number(j, "from_ns", r->from);
		json_put_number(j, "to_ns", r->to);
	}
	json_put_object_end(j);
}

int run_cards_finish(struct run_cards *c, unsigned int device,
		     const struct run_cards_end *end)
{
	struct buf b;
	struct json j = { .b = &b };

	if (!c || device >= c->count)
		return 0;
	if (buf_init(&b, -1, CARD_BYTES / 4))
		return -ENOMEM;
	put_end(end, &j);
	if (end->audit)
		put_audit(end->audit, &j);
	free(c->list[device].end);
	c->list[device].end = take_text(&b);
	return c->list[device].end ? 0 : -ENOMEM;
}

/* --- as text and as files --------------------------------------------- */

static void put_clock(const struct run_cards *c, const struct clock_pair *end,
		      struct json *j)
{
	json_put_object(j, "clock");
	json_put_object(j, "start");
	clock_pair_write(&c->start, j);
	json_put_object_end(j);
	if (end) {
		json_put_object(j, "end");
		clock_pair_write(end, j);
		json_put_object_end(j);
	}
	json_put_object_end(j);
}

/* In a buffer that is not flushed, as their size is limited. */
static int put_cgroups(const struct run_cards *c, struct buf *to)
{
	struct buf b;
	struct json j = { .b = &b };
	int err = c->o.cgroups ? buf_init(&b, -1, 2 * CGROUP_BYTES_WRITTEN) : 0;

	if (err || !c->o.cgroups)
		return err;
	cgroup_names_write(c->o.cgroups, &j);
	if (!b.error) {
		buf_append(to, ",", 1);
		buf_append(to, b.data, b.len);
	}
	buf_free(&b);
	return 0;
}

/* The current card; end is NULL while its run continues.  0 or -ENOMEM. */
static int put_card(const struct run_cards *c, const struct one *one,
		    const struct clock_pair *end, struct buf *b)
{
	/* the head ends with a value */
	struct json j = { .b = b, .begun = true };
	int err;

	buf_append(b, one->head, strlen(one->head));
	put_clock(c, end, &j);
	if (end && one->end) {
		buf_append(b, ",", 1);
		buf_append(b, one->end, strlen(one->end));
	}
	err = put_cgroups(c, b);
	json_put_object_end(&j);
	buf_append(b, "\n", 1);
	return err;
}

/* The same in a new *b; the caller frees it also after -errno. */
static int put_whole(const struct run_cards *c, const struct one *one,
		     const struct clock_pair *end, struct buf *b)
{
	int err = buf_init(b, -1, CARD_BYTES);

	if (!err)
		err = put_card(c, one, end, b);
	return !err && b->error ? -EFBIG : err;
}

const char *run_cards_name(const struct run_cards *c, unsigned int device)
{
	return c && device < c->count ? c->list[device].name : NULL;
}

int run_cards_text(const struct run_cards *c, unsigned int device,
		   bool complete, struct buf *b)
{
	struct clock_pair end = clock_pair_now();
	int err = put_whole(c, &c->list[device], complete ? &end : NULL, b);

	if (err)
		buf_free(b);
	return err;
}

/* How much a card may grow by the end of its run. */
static off_t room_for_end(const struct run_cards *c)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);

	return END_BYTES + END_BYTES_CPU * (cpus > 0 ? cpus : 1) +
	       (c->o.cgroups ? 2 * CGROUP_BYTES_WRITTEN : 0);
}

/* Reserves the space by blanks, where fallocate() cannot. */
static int pad(int fd, off_t room)
{
	char blanks[4096];

	memset(blanks, ' ', sizeof(blanks));
	for (; room > 0; room -= (off_t)sizeof(blanks))
		if (write(fd, blanks, sizeof(blanks)) !=
		    (ssize_t)sizeof(blanks))
			return errno ? -errno : -ENOSPC;
	return 0;
}

/* Reserves space for the last card, in case the records fill the disk. */
static int reserve(const struct run_cards *c, int fd)
{
	off_t len = lseek(fd, 0, SEEK_CUR), room = room_for_end(c);

	/* not a regular file */
	if (len < 0)
		return 0;
	if (!fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, len + room))
		return 0;
	return errno == ENOSPC || errno == EDQUOT ? -errno : pad(fd, room);
}

static int write_card(const struct run_cards *c, const struct one *one,
		      const struct clock_pair *end, int fd)
{
	struct buf b;
	int err = buf_init(&b, fd, 65536);

	if (err)
		return err;
	err = put_card(c, one, end, &b);
	if (!err)
		err = buf_flush(&b);
	buf_free(&b);
	if (!err && !end)
		err = reserve(c, fd);
	return err;
}

/* Overwrites a file, and truncates it. */
static int overwrite(const char *path, const struct buf *b)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), err = 0;
	size_t done = 0;

	if (fd < 0)
		return -errno;
	while (!err && done < b->len) {
		ssize_t n = write(fd, b->data + done, b->len - done);

		if (n < 0)
			err = -errno;
		else
			done += (size_t)n;
	}
	if (!err && ftruncate(fd, (off_t)b->len))
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

/* For a full disk: writes into the space that the first card has reserved. */
static int write_over(const struct run_cards *c, const struct one *one,
		      const struct clock_pair *end, const char *path)
{
	struct buf b;
	int err = put_whole(c, one, end, &b);

	if (!err)
		err = overwrite(path, &b);
	buf_free(&b);
	return err;
}

static int replace(const struct run_cards *c, const struct one *one,
		   const struct clock_pair *end, const char *path)
{
	struct place p;
	int err = place_open(&p, NULL, path);

	if (err)
		return err;
	err = write_card(c, one, end, p.fd);
	if (err)
		place_discard(&p);
	else
		err = place_commit_soon(&p);
	return err;
}

static void write_file(const struct run_cards *c, const struct one *one,
		       const struct clock_pair *end, const char *directory)
{
	char *path;
	int err = -ENOMEM;

	if (asprintf(&path, "%s/%s", directory ? directory : ".",
		     one->file) < 0)
		path = NULL;
	if (path)
		err = replace(c, one, end, path);
	if (end && (err == -ENOSPC || err == -EDQUOT))
		err = write_over(c, one, end, path);
	if (err)
		reporter_write(c->o.reporter, "cannot write %s: %s",
			       path ? path : one->file, strerror(-err));
	/* an old card would be another trace's */
	if (err && path && !end)
		unlink(path);
	free(path);
}

/* Does not report a pipe's reader that has gone. */
static void write_aside(const struct run_cards *c, const struct one *one,
			const struct clock_pair *end, struct sink *s)
{
	struct buf b = { .data = NULL };
	int err = put_whole(c, one, end, &b);

	if (!err)
		err = s->ops->aside(s, one->file, b.data, b.len);
	if (err && err != -EPIPE)
		reporter_write(c->o.reporter, "cannot write %s: %s", one->file,
			       strerror(-err));
	buf_free(&b);
}

static void write_all(const struct run_cards *c, const char *directory,
		      struct sink *s, const struct clock_pair *end)
{
	for (unsigned int i = 0; i < c->count; i++) {
		if (s && s->ops->aside)
			write_aside(c, &c->list[i], end, s);
		else
			write_file(c, &c->list[i], end, directory);
	}
}

void run_cards_begin(const struct run_cards *c, const char *directory,
		     struct sink *s)
{
	if (c)
		write_all(c, directory, s, NULL);
}

void run_cards_complete(const struct run_cards *c, const char *directory,
			struct sink *s)
{
	struct clock_pair end = clock_pair_now();

	if (c)
		write_all(c, directory, s, &end);
}
