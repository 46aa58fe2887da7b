/* SPDX-License-Identifier: GPL-2.0-only */
/* What mpstat has written; see mpstat.h. */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/msg.h"
#include "tools/iowatcher/cpu_times.h"
#include "tools/iowatcher/mpstat.h"
#include "tools/iowatcher/named.h"

/* --- columns and clocks --------------------------------------------------- */

struct mpstat_column {
	const char *name;	/* in JSON; text has a % in front */
	enum cpu_kind kind;
};

/* a clock that only shows the time of day */
struct mpstat_clock {
	bool known;		/* it was read before */
	double last;		/* its last time, seconds */
	double now;		/* seconds since the start */
};

enum { DAY = 86400, HALF_DAY = 43200 };

static const struct mpstat_column *mpstat_column(const char *name, size_t len)
{
	static const struct mpstat_column columns[] = {
		{ "iowait", CPU_IO }, { "sys", CPU_SYS }, { "irq", CPU_IRQ },
		{ "soft", CPU_SOFT }, { "usr", CPU_USER },
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		if (strlen(columns[i].name) == len &&
		    !memcmp(columns[i].name, name, len))
			return &columns[i];
	return NULL;
}

/* seconds of the day, or -1 */
static double time_of_day(const char *text, bool am, bool pm)
{
	unsigned int hours, minutes, seconds;

	if (sscanf(text, "%2u:%2u:%2u", &hours, &minutes, &seconds) != 3 ||
	    hours > 23 || minutes > 59 || seconds > 60)
		return -1;
	if ((am || pm) && hours == 12)
		hours = 0;
	return hours * 3600.0 + minutes * 60.0 + seconds +
	       (pm ? HALF_DAY : 0);
}

/* seconds since the last record; of the first, and of one whose time has not
 * moved on as it should, one */
static double step_of(struct mpstat_clock *k, double time)
{
	double step = time - k->last;

	if (step < -HALF_DAY)
		step += DAY;
	return k->known && time >= 0 && step > 0 && step < HALF_DAY ? step : 1;
}

/*
 * A record starts in *c which ends at a time of day, "10:00:01", in the
 * afternoon if pm.  Other text is a second after the last time.  0 or -ENOMEM.
 */
static int mpstat_record(struct mpstat_clock *k, struct cpu_times *c,
			 const char *time, bool am, bool pm)
{
	double shown = time_of_day(time, am, pm), from = k->now;

	k->now += step_of(k, shown);
	k->known = shown >= 0;
	k->last = shown;
	return cpu_times_record(c, from, k->now);
}

/* --- mpstat json ---------------------------------------------------------- */

/*
 * mpstat's JSON (-o JSON).  Of all that is in it two things are looked for: the
 * member "timestamp", behind which a record begins, and objects with a member
 * "cpu":
 *
 *	{ "timestamp": "10:00:01", "cpu-load": [
 *		{ "cpu": "all", "usr": 10.00, "iowait": 20.00, ... }, ... ] }
 */

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

static int mpstat_read_json(struct cpu_times *c, FILE *f)
{
	struct json j = { .c = c, .f = f };
	int err = 0, next;

	while (!err && (next = getc(f)) != EOF)
		err = take(&j, next);
	if (!err && ferror(f))
		err = -EIO;
	return err ? err : cpu_times_close(c);
}

/* --- mpstat text ---------------------------------------------------------- */

/*
 * mpstat's text.  Each report begins with a line of names, and has a line for
 * each CPU:
 *
 *	10:00:01 AM  CPU    %usr   %nice    %sys %iowait    %irq   %soft ...
 *	10:00:01 AM  all   10.00    0.00    5.00   20.00    1.00    0.00 ...
 *
 * The time is one word, or two; names stand above their columns, and more of
 * them come with each release, so columns are known by their names alone.
 */

enum { WORDS = 64 };

struct text {
	struct cpu_times *c;
	struct mpstat_clock clock;
	int cpu;		/* its column; -1: no names were read yet */
	const struct mpstat_column *columns[WORDS];
	size_t words;		/* in the line of names */
};

static size_t split(char *line, char *words[WORDS])
{
	char *rest = line, *word;
	size_t n = 0;

	while (n < WORDS && (word = strtok_r(n ? NULL : line, " \t\r\n",
					     &rest)))
		words[n++] = word;
	return n;
}

static int read_names(struct text *t, char *words[WORDS], size_t n, int cpu)
{
	bool two = cpu > 1;

	t->cpu = cpu;
	t->words = n;
	for (size_t i = 0; i < n; i++)
		t->columns[i] = words[i][0] == '%' ?
			mpstat_column(words[i] + 1, strlen(words[i] + 1)) :
			NULL;
	return mpstat_record(&t->clock, t->c, words[0],
			     two && !strcmp(words[1], "AM"),
			     two && !strcmp(words[1], "PM"));
}

/* with a comma where the locale has one */
static double number(char *text)
{
	char *comma = strchr(text, ',');

	if (comma)
		*comma = '.';
	return strtod(text, NULL);
}

static int read_row(struct text *t, char *words[WORDS])
{
	const char *cpu = words[t->cpu];
	bool all = !strcmp(cpu, "all");
	struct cpu_row row = { { 0 } };

	if (!all && cpu[strspn(cpu, "0123456789")])
		return 0;
	for (size_t i = 0; i < t->words; i++)
		if (t->columns[i])
			row.percent[t->columns[i]->kind] = number(words[i]);
	return cpu_times_row(t->c, all, &row);
}

static int read_line(struct text *t, char *line)
{
	char *words[WORDS];
	size_t n = split(line, words);

	/* what is at the end is about all records */
	if (!n || !strcmp(words[0], "Average:")) {
		t->cpu = -1;
		return 0;
	}
	for (size_t i = 0; i + 1 < n; i++)
		if (i && !strcmp(words[i], "CPU") && words[i + 1][0] == '%')
			return read_names(t, words, n, (int)i);
	if (t->cpu < 0 || n != t->words)
		return 0;
	return read_row(t, words);
}

static int mpstat_read_text(struct cpu_times *c, FILE *f)
{
	struct text t = { .c = c, .cpu = -1 };
	char *line = NULL;
	size_t size = 0;
	int err = 0;

	while (!err && getline(&line, &size, f) >= 0)
		err = read_line(&t, line);
	free(line);
	if (!err && ferror(f))
		err = -EIO;
	return err ? err : cpu_times_close(c);
}

/* --- cpu file ------------------------------------------------------------- */

/* a directory's name may end in a slash */
static size_t length_of(const char *name)
{
	size_t len = strlen(name);

	while (len > 1 && name[len - 1] == '/')
		len--;
	return len;
}

static bool read_file(struct cpu_times *c, FILE *f, const char *path)
{
	int err = mpstat_read(c, f);

	if (err == -ENOMEM)
		msg_die("out of memory");
	if (err) {
		errno = -err;
		msg_warn("cannot read %s:", path);
	} else if (!c->mean[0].count) {
		msg_warn("%s: no CPU times in it", path);
		err = -EINVAL;
	}
	return !err;
}

void cpu_file_names(const char *name, char *names[CPU_FILES])
{
	const size_t lengths[CPU_FILES] = { length_of(name), named_stem(name) };

	for (int i = 0; i < CPU_FILES; i++)
		if (asprintf(&names[i], "%.*s.mpstat", (int)lengths[i],
			     name) < 0)
			msg_die("out of memory");
}

bool cpu_file_read(struct cpu_times *c, const char *name)
{
	char *names[CPU_FILES];
	bool good = true;
	FILE *f = NULL;

	cpu_file_names(name, names);
	for (int i = 0; !f && i < CPU_FILES; i++) {
		f = fopen(names[i], "re");
		if (f)
			good = read_file(c, f, names[i]);
	}
	if (f)
		fclose(f);
	for (int i = 0; i < CPU_FILES; i++)
		free(names[i]);
	return good;
}

/* --- mpstat --------------------------------------------------------------- */

int mpstat_read(struct cpu_times *c, FILE *f)
{
	int first;

	do
		first = getc(f);
	while (first != EOF && isspace(first));
	if (first == EOF)
		return 0;
	ungetc(first, f);
	return first == '{' ? mpstat_read_json(c, f) : mpstat_read_text(c, f);
}
