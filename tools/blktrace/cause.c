/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a dump was written; see cause.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time.h"
#include "base/json.h"
#include "tools/blktrace/cause.h"

enum { SCHEMA = 1, ROOM = 65536, WALL = 40, ROOM_AGAIN = 4096 };

/* --- parts ---------------------------------------------------------------- */

static void wall_text(uint64_t ns, char text[WALL])
{
	time_t seconds = (time_t)(ns / NS_PER_SECOND);
	struct tm tm = { .tm_mday = 1 };
	size_t len;

	localtime_r(&seconds, &tm);
	len = strftime(text, WALL, "%Y-%m-%d %H:%M:%S", &tm);
	snprintf(text + len, WALL - len, ".%06u",
		 (unsigned int)(ns % NS_PER_SECOND / NS_PER_US));
}

void cause_text(const struct cause *c, char text[CAUSE_TEXT])
{
	const struct cause_event *e = &c->event;
	char wall[WALL];

	wall_text(c->wall, wall);
	snprintf(text, CAUSE_TEXT, "%s%s%s at %s", e->trigger,
		 *e->value ? ": " : "", e->value, wall);
}

static void write_time(struct json *j, const char *name, uint64_t ns)
{
	if (ns == IO_NONE)
		json_put_null(j, name);
	else
		json_put_number(j, name, ns);
}

static void write_phases(struct json *j, const struct io *io)
{
	json_put_object(j, "phases");
	for (unsigned int p = 0; p < IO_PHASES; p++)
		if (io->has >> p & 1)
			json_put_number(j, io_phase_name(p), io->phase[p]);
	json_put_object_end(j);
}

static void write_io(struct json *j, const struct cause *c)
{
	const struct io *io = &c->io;
	char flags[RWBS_MAX];

	if (!c->has_io) {
		json_put_null(j, "io");
		return;
	}
	io_flags(io, flags);
	json_put_object(j, "io");
	json_put_string(j, "device", *c->device ? c->device : NULL);
	json_put_string(j, "process", *c->process ? c->process : NULL);
	json_put_number(j, "pid", io->pid);
	json_put_number(j, "cpu", io->cpu);
	json_put_string(j, "kind", io_kind_name(io->kind));
	json_put_string(j, "op", io_op_name(io->op));
	json_put_string(j, "flags", flags);
	json_put_string(j, "ended", io_ended_name(io->ended));
	write_time(j, "sector", io->sector);
	json_put_number(j, "bytes", io->bytes);
	json_put_number(j, "errno", io->error);
	json_put_number(j, "time", io->time);
	write_time(j, "total", io->total);
	write_phases(j, io);
	json_put_object_end(j);
}

static void write_event(struct json *j, const struct cause_event *e)
{
	json_put_string(j, "trigger", e->trigger);
	json_put_string(j, "value", e->value);
	json_put_number(j, "time", e->time);
}

static void write_also(struct json *j, const struct cause *c)
{
	uint64_t listed = c->also_count < CAUSE_ALSO ? c->also_count :
						       CAUSE_ALSO;

	json_put_array(j, "also");
	for (uint64_t i = 0; i < listed; i++) {
		json_put_object(j, NULL);
		write_event(j, &c->also[i]);
		json_put_object_end(j);
	}
	json_put_array_end(j);
	json_put_number(j, "also_count", c->also_count);
}

/* The text is first: who wants nothing else needs no more of it. */
static void write_all(struct json *j, const struct cause *c)
{
	char text[CAUSE_TEXT], wall[WALL];

	cause_text(c, text);
	wall_text(c->wall, wall);
	json_put_object(j, NULL);
	json_put_string(j, "text", text);
	json_put_number(j, "schema", SCHEMA);
	write_event(j, &c->event);
	json_put_string(j, "wall", wall);
	json_put_number(j, "wall_ns", c->wall);
	write_io(j, c);
	json_put_number(j, "from", c->from);
	json_put_number(j, "to", c->to);
	json_put_number(j, "whole_from", c->whole);
	write_time(j, "ring_reach", c->reach ? c->reach : IO_NONE);
	write_also(j, c);
	json_put_number(j, "suppressed", c->suppressed);
	json_put_number(j, "blind_ms", c->blind / NS_PER_MS);
	json_put_number(j, "dropped", c->dropped);
	json_put_string(j, "incomplete", c->incomplete);
	json_put_object_end(j);
}

/* --- the file ------------------------------------------------------------- */

static int write_to(const struct cause *c, int fd)
{
	struct buf b;
	struct json j = { .b = &b };
	int err = buf_init(&b, fd, ROOM);

	if (err)
		return err;
	write_all(&j, c);
	buf_append(&b, "\n", 1);
	err = buf_flush(&b);
	if (!err && ftruncate(fd, lseek(fd, 0, SEEK_CUR)))
		err = -errno;
	/* so that it can be written again when the records fill the disk; where
	 * that is not to be had it is tried without */
	if (!err && c->incomplete)
		fallocate(fd, FALLOC_FL_KEEP_SIZE, 0,
			  lseek(fd, 0, SEEK_CUR) + ROOM_AGAIN);
	buf_free(&b);
	return err;
}

/* Over what was there, so that there always is one: who is killed meanwhile
 * leaves the one or the other. */
int cause_write(const struct cause *c, const char *directory)
{
	char *path;
	int fd, err;

	if (asprintf(&path, "%s/cause.json", directory) < 0)
		return -ENOMEM;
	fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	err = fd < 0 ? -errno : write_to(c, fd);
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	free(path);
	return err;
}
