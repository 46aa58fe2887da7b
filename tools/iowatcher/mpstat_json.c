/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mpstat's JSON (-o JSON).  Of all that is in it two things are looked for: the
 * member "timestamp", behind which a record begins, and objects with a member
 * "cpu":
 *
 *	{ "timestamp": "10:00:01", "cpu-load": [
 *		{ "cpu": "all", "usr": 10.00, "iowait": 20.00, ... }, ... ] }
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/iowatcher/mpstat_impl.h"

/* longer names and values mean nothing to us, and are cut */
enum { TEXT_MAX = 32 };

struct json {
	struct cpu_times *c;
	FILE *f;
	struct mpstat_clock clock;
	char name[TEXT_MAX];	/* of the member whose value comes */
	char text[TEXT_MAX];	/* a string, or a number, just read */
	struct cpu_row row;	/* of the object that is being read */
	bool has_cpu, all;	/* it has a "cpu"; which is all of them */
};

static void append(char text[TEXT_MAX], int c)
{
	size_t len = strlen(text);

	if (len + 1 < TEXT_MAX) {
		text[len] = (char)c;
		text[len + 1] = '\0';
	}
}

static void read_string(struct json *j)
{
	int c;

	j->text[0] = '\0';
	while ((c = getc(j->f)) != EOF && c != '"') {
		if (c == '\\')
			c = getc(j->f);
		append(j->text, c);
	}
}

/* a number, or a word */
static void read_plain(struct json *j, int first)
{
	int c = first;

	j->text[0] = '\0';
	while (c != EOF && !strchr(" \t\r\n,:]}[{\"", c)) {
		append(j->text, c);
		c = getc(j->f);
	}
	if (c != EOF)
		ungetc(c, j->f);
}

/* a value has been read, of the member with this name */
static int take_value(struct json *j)
{
	const struct mpstat_column *column =
		mpstat_column(j->name, strlen(j->name));

	if (!strcmp(j->name, "timestamp"))
		return mpstat_record(&j->clock, j->c, j->text, false, false);
	if (!strcmp(j->name, "cpu")) {
		j->has_cpu = true;
		j->all = !strcmp(j->text, "all") || !strcmp(j->text, "-1");
	}
	if (column)
		j->row.percent[column->kind] = strtod(j->text, NULL);
	return 0;
}

static void begin_object(struct json *j)
{
	j->name[0] = '\0';
	j->row = (struct cpu_row){ { 0 } };
	j->has_cpu = false;
}

static int end_object(struct json *j)
{
	bool is_row = j->has_cpu;

	j->has_cpu = false;
	return is_row ? cpu_times_row(j->c, j->all, &j->row) : 0;
}

/* Whatever is not one of these only separates. */
static int take(struct json *j, int c)
{
	int err = 0;

	if (c == '{') {
		begin_object(j);
	} else if (c == '}') {
		err = end_object(j);
	} else if (c == ':') {
		memcpy(j->name, j->text, sizeof(j->name));
	} else if (c == '"' || c == '-' || (c >= '0' && c <= '9')) {
		if (c == '"')
			read_string(j);
		else
			read_plain(j, c);
		err = take_value(j);
	} else if (c == ',' || c == '[') {
		j->name[0] = '\0';
	}
	return err;
}

int mpstat_read_json(struct cpu_times *c, FILE *f)
{
	struct json j = { .c = c, .f = f };
	int err = 0, next;

	while (!err && (next = getc(f)) != EOF)
		err = take(&j, next);
	if (!err && ferror(f))
		err = -EIO;
	return err ? err : cpu_times_close(c);
}
