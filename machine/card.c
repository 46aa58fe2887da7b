/* SPDX-License-Identifier: GPL-2.0-only */
/* The card of a trace; see card.h. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "machine/card_impl.h"

/* --- fields --------------------------------------------------------------- */

#define ROWS(table) (sizeof(table) / sizeof(*(table)))

/* of the run and the machine */
static const struct card_field run_fields[] = {
	{ "schema", CARD_NUMBER, NULL, "" },
	{ "host", CARD_TEXT, "host", "" },
	{ "machine_id", CARD_TEXT, "machine", "" },
	{ "boot_id", CARD_TEXT, "boot", "" },
	{ "kernel", CARD_TEXT, "kernel", "" },
	{ "arch", CARD_TEXT, "architecture", "" },
	{ "cpus_online", CARD_NUMBER, "CPUs online", "" },
	{ "program", CARD_TEXT, "program", "" },
	{ "command", CARD_LIST, NULL, "" },
	{ "via", CARD_TEXT, "via", "" },
	{ "joined", CARD_FLAG, "joined records", "" },
	{ "record_version", CARD_NUMBER, "record version", "" },
	{ "device", CARD_OBJECT, NULL, "" },
	{ "clock", CARD_OBJECT, NULL, "" },
	{ "clock.start", CARD_OBJECT, NULL, "" },
	{ "clock.start.realtime_ns", CARD_NUMBER, NULL, "" },
	{ "clock.start.monotonic_ns", CARD_NUMBER, NULL, "" },
	{ "clock.start.synchronised", CARD_FLAG, NULL, "" },
	{ "clock.start.maxerror_us", CARD_NUMBER, NULL, "" },
	{ "clock.end", CARD_OBJECT, NULL, "" },
	{ "clock.end.realtime_ns", CARD_NUMBER, NULL, "" },
	{ "clock.end.monotonic_ns", CARD_NUMBER, NULL, "" },
	{ "clock.end.synchronised", CARD_FLAG, NULL, "" },
	{ "clock.end.maxerror_us", CARD_NUMBER, NULL, "" },
	{ "cgroups", CARD_OBJECT, NULL, "" },
	{ "end", CARD_OBJECT, NULL, "" },
	{ "end.cause", CARD_TEXT, "ended by", "" },
	{ "end.monotonic_ns", CARD_NUMBER, NULL, "" },
	{ "end.events", CARD_NUMBER, "events", "" },
	{ "end.bytes", CARD_NUMBER, "bytes", "B" },
	{ "end.dropped", CARD_NUMBER, "dropped", "" },
	{ "end.undelivered", CARD_NUMBER, "not delivered", "" },
	{ "end.undelivered_bytes", CARD_NUMBER, "not delivered", "B" },
	{ "end.cpus", CARD_LIST, NULL, "" },
	{ "selected", CARD_FLAG, "a part of the trace", "" },
	{ "anonymised", CARD_FLAG, "anonymised", "" },
	{ "imported", CARD_OBJECT, NULL, "" },
	{ "imported.from", CARD_TEXT, "imported from", "" },
	{ "imported.lacks", CARD_TEXT, "with", "" },
	{ "imported.tool", CARD_TEXT, "recorded by", "" },
	{ "imported.command", CARD_TEXT, "by", "" },
	{ "imported.clock", CARD_TEXT, "clock", "" },
	{ "audit", CARD_OBJECT, NULL, "" },
	{ "audit.verdict", CARD_TEXT, "audit", "" },
	{ "audit.reason", CARD_TEXT, "audit impossible", "" },
	{ "audit.completed", CARD_NUMBER, "completed by the device", "" },
	{ "audit.recorded", CARD_NUMBER, "completions recorded", "" },
	{ "audit.missing", CARD_NUMBER, "missing", "" },
	{ "audit.completed_bytes", CARD_NUMBER, NULL, "B" },
	{ "audit.recorded_bytes", CARD_NUMBER, NULL, "B" },
	{ "audit.missing_bytes", CARD_NUMBER, "missing", "B" },
	{ "audit.tolerance", CARD_NUMBER, "missing unnoticed, at most", "" },
	{ "audit.from_ns", CARD_NUMBER, NULL, "" },
	{ "audit.to_ns", CARD_NUMBER, NULL, "" },
};

/* of all devices */
static const struct card_field device_fields[] = {
	{ "name", CARD_TEXT, "name", "" },
	{ "number", CARD_TEXT, "number", "" },
	{ "model", CARD_TEXT, "model", "" },
	{ "serial", CARD_TEXT, "serial number", "" },
	{ "size", CARD_NUMBER, "size", "B" },
	{ "logical_block_size", CARD_NUMBER, "logical block", "B" },
	{ "physical_block_size", CARD_NUMBER, "physical block", "B" },
	{ "rotational", CARD_FLAG, "rotational", "" },
	{ "read_only", CARD_FLAG, "read-only", "" },
	{ "zoned", CARD_TEXT, "zoned", "" },
	{ "scheduler", CARD_TEXT, "scheduler", "" },
	{ "nr_requests", CARD_NUMBER, "nr_requests", "" },
	{ "nr_hw_queues", CARD_NUMBER, "hardware queues", "" },
	{ "max_sectors_kb", CARD_NUMBER, "max_sectors_kb", "KiB" },
	{ "read_ahead_kb", CARD_NUMBER, "read_ahead_kb", "KiB" },
	{ "write_cache", CARD_TEXT, "write cache", "" },
	{ "wbt_lat_usec", CARD_NUMBER, "wbt_lat_usec", "us" },
	{ "start", CARD_NUMBER, "first sector", "" },
	{ "partition", CARD_NUMBER, "partition", "" },
	{ "partitions", CARD_LIST, NULL, "" },
	{ "holders", CARD_LIST, NULL, "" },
	{ "slaves", CARD_LIST, NULL, "" },
	{ "disk", CARD_OBJECT, NULL, "" },
	{ "mounts", CARD_LIST, NULL, "" },
	{ "path", CARD_TEXT, "mounted at", "" },
	{ "type", CARD_TEXT, "type", "" },
	{ "dm", CARD_OBJECT, NULL, "" },
	{ "targets", CARD_LIST, NULL, "" },
	{ "md", CARD_OBJECT, NULL, "" },
	{ "level", CARD_TEXT, "RAID level", "" },
	{ "raid_disks", CARD_NUMBER, "RAID disks", "" },
	{ "backing_file", CARD_TEXT, "backing file", "" },
};

static const struct card_field *field_find(const struct card_field *fields,
				     size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(fields[i].key, key))
			return &fields[i];
	return NULL;
}

const struct card_field *card_field_of(const char *path)
{
	static const char device[] = "device.";
	const char *last = strrchr(path, '.');

	if (last && !strncmp(path, device, sizeof(device) - 1))
		return field_find(device_fields, ROWS(device_fields), last + 1);
	return field_find(run_fields, ROWS(run_fields), path);
}

enum { PART_MAX = 64 };		/* characters of a plain name */

struct card {
	struct card_value *list;	/* own their key and text */
	size_t count, size;
};

void card_free(struct card *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++) {
		free((char *)c->list[i].key);
		free((char *)c->list[i].text);
	}
	free(c->list);
	free(c);
}

/* --- parsing -------------------------------------------------------------- */

/* Parts of [a-z0-9_] with dots between. */
static bool is_plain(const char *key)
{
	size_t part = 0;

	for (; *key; key++) {
		if (*key == '.')
			part = 0;
		else if (!islower((unsigned char)*key) &&
			 !isdigit((unsigned char)*key) && *key != '_')
			return false;
		else if (++part > PART_MAX)
			return false;
	}
	return true;
}

int card_check(const char *key, enum card_kind kind, char why[CARD_WHY])
{
	static const char *const kinds[] = {
		[CARD_TEXT] = "text", [CARD_NUMBER] = "whole number",
		[CARD_FLAG] = "true or false", [CARD_OBJECT] = "object",
		[CARD_LIST] = "list",
	};
	const struct card_field *f = card_field_of(key);

	if (!f || f->kind == kind)
		return 0;
	snprintf(why, CARD_WHY, "%.60s is no %s", key, kinds[f->kind]);
	return -EBADMSG;
}

static int too_many(char why[CARD_WHY])
{
	snprintf(why, CARD_WHY, "more than %d values", CARD_VALUES);
	return -EBADMSG;
}

int card_add(struct card *c, const char *key, enum card_kind kind,
	     const char *text, size_t len, char why[CARD_WHY])
{
	struct card_value v = { .kind = kind }, *list;
	int err = card_check(key, kind, why);

	if (err || !is_plain(key))
		return err;
	if (c->count == CARD_VALUES)
		return too_many(why);
	list = array_reserve(c->list, c->count, &c->size, 32, sizeof(*list));
	if (!list)
		return -ENOMEM;
	c->list = list;
	v.key = strdup(key);
	v.text = strndup(text, len);
	if (!v.key || !v.text) {
		free((char *)v.key);
		free((char *)v.text);
		return -ENOMEM;
	}
	list[c->count++] = v;
	return 0;
}

static int check_schema(const struct card *c, char why[CARD_WHY])
{
	uint64_t schema;

	if (!card_number(c, "schema", &schema) || schema == CARD_SCHEMA)
		return 0;
	snprintf(why, CARD_WHY, "schema is not %d", CARD_SCHEMA);
	return -EBADMSG;
}

int card_parse(struct card **out, const char *bytes, size_t len,
	       char why[CARD_WHY])
{
	struct card *c = calloc(1, sizeof(*c));
	int err;

	*out = NULL;
	snprintf(why, CARD_WHY, "%s", strerror(ENOMEM));
	if (!c)
		return -ENOMEM;
	err = card_fill(c, bytes, len, why);
	if (!err)
		err = check_schema(c, why);
	if (err)
		card_free(c);
	else
		*out = c;
	return err;
}

/* --- files ---------------------------------------------------------------- */

/* At most size bytes, or -errno. */
static ssize_t read_all(int fd, char *bytes, size_t size)
{
	size_t len = 0;
	ssize_t n = 1;

	while (len < size && n > 0) {
		n = read(fd, bytes + len, size - len);
		len += n > 0 ? (size_t)n : 0;
	}
	return n < 0 ? -errno : (ssize_t)len;
}

static int check_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	return st.st_size > CARD_BYTES ? -EFBIG : 0;
}

/* Takes fd over. */
static int read_file(struct card **c, int fd, char why[CARD_WHY])
{
	char *bytes = malloc(CARD_BYTES);
	int err = bytes ? check_file(fd) : -ENOMEM;
	ssize_t len = err ? err : read_all(fd, bytes, CARD_BYTES);

	close(fd);
	if (len < 0)
		snprintf(why, CARD_WHY, "%s", strerror((int)-len));
	else
		err = card_parse(c, bytes, (size_t)len, why);
	free(bytes);
	return len < 0 ? (int)len : err;
}

int card_read(struct card **c, const char *path, char why[CARD_WHY])
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), err = -errno;

	*c = NULL;
	if (fd >= 0)
		return read_file(c, fd, why);
	snprintf(why, CARD_WHY, "%s", strerror(-err));
	return err;
}

/* --- values --------------------------------------------------------------- */

static const struct card_value *find(const struct card *c, const char *key,
				     enum card_kind kind)
{
	for (size_t i = 0; c && i < c->count; i++)
		if (c->list[i].kind == kind && !strcmp(c->list[i].key, key))
			return &c->list[i];
	return NULL;
}

const char *card_text(const struct card *c, const char *key)
{
	const struct card_value *v = find(c, key, CARD_TEXT);

	return v ? v->text : NULL;
}

bool card_number(const struct card *c, const char *key, uint64_t *n)
{
	const struct card_value *v = find(c, key, CARD_NUMBER);

	if (v)
		*n = strtoull(v->text, NULL, 10);
	return v;
}

bool card_flag(const struct card *c, const char *key)
{
	const struct card_value *v = find(c, key, CARD_FLAG);

	return v && !strcmp(v->text, "true");
}

const struct card_value *card_value(const struct card *c, size_t index)
{
	return c && index < c->count ? &c->list[index] : NULL;
}
