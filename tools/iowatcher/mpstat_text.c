/* SPDX-License-Identifier: GPL-2.0-only */
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
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "tools/iowatcher/mpstat_impl.h"

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

int mpstat_read_text(struct cpu_times *c, FILE *f)
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
