/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verify_blkparse: checks whether blkparse's default text is in order of time.
 * Manual: doc/verify_blkparse.1.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/msg.h"
#include "blktrace.h"
#include "cli/confined.h"
#include "cli/options.h"
#include "cli/reading.h"
#include "cli/set.h"

/* longer lines are shown cut */
enum { LINE_SHOWN = 256 };

struct line {
	char text[LINE_SHOWN];	/* ends with a newline; maybe cut */
	unsigned long cpu;
	uint32_t sequence;
	double time;		/* seconds */
};

struct order {
	const char *path;
	unsigned long cpus;	/* CPU numbers accepted */
	unsigned long long number;	/* of the current line, from 1 */
	unsigned long long events;
	unsigned int unordered, aliases;
	bool last;		/* the current line is the last one */
	bool damaged;		/* reading stopped at bytes that are no text */
	uint32_t *sequences;	/* the last one of each CPU */
	struct line now, before;
	struct reading reading;
};

/* --- lines -------------------------------------------------------------- */

static void skip_line(FILE *in)
{
	int c;

	while ((c = getc(in)) != EOF && c != '\n')
		;
}

/* reads a line, cut; false at the end */
static bool read_line(FILE *in, char text[LINE_SHOWN])
{
	size_t len;

	if (!fgets(text, LINE_SHOWN, in))
		return false;
	len = strlen(text);
	if (len == LINE_SHOWN - 1 && text[len - 1] != '\n') {
		text[len - 1] = '\n';
		skip_line(in);
	}
	return true;
}

/* reads the number at *p, after any blanks; moves *p past it */
static bool scan_number(const char **p, long *n)
{
	char *end;

	errno = 0;
	*n = strtol(*p, &end, 10);
	if (end == *p || errno)
		return false;
	*p = end;
	return true;
}

/* "major,minor cpu sequence time", the start of an event's line.  As for
 * scanf(3), blanks are any or none. */
static bool scan_line(struct line *l)
{
	const char *p = l->text;
	long major, minor, cpu, sequence;
	char *end;

	if (!scan_number(&p, &major) || *p++ != ',' ||
	    !scan_number(&p, &minor) || !scan_number(&p, &cpu) || cpu < 0 ||
	    !scan_number(&p, &sequence))
		return false;
	l->cpu = (unsigned long)cpu;
	l->sequence = (uint32_t)sequence;
	l->time = strtod(p, &end);
	return end != p;
}

/* Only a summary may follow the events, never binary data.  A zero byte hides
 * the newline, which only the last line may lack. */
static bool is_text(const char *text, bool last)
{
	size_t len = strlen(text);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ' && !strchr("\t\n", text[i]))
			return false;
	return len && (last || text[len - 1] == '\n');
}

/* --- order -------------------------------------------------------------- */

static void check_time(struct order *o)
{
	if (o->now.time >= o->before.time)
		return;
	reading_erase(&o->reading);
	printf("last: %sthis: %s", o->before.text, o->now.text);
	o->unordered++;
}

/* Sequence numbers are per device; two devices may share one by chance. */
static void check_sequence(struct order *o)
{
	uint32_t *last = &o->sequences[o->now.cpu];

	if (o->now.sequence == *last) {
		reading_erase(&o->reading);
		printf("alias on sequence %u\n", o->now.sequence);
		o->aliases++;
	}
	*last = o->now.sequence;
}

/* false: no valid event, stop here */
static bool check_line(struct order *o)
{
	if (!scan_line(&o->now)) {
		if (!is_text(o->now.text, o->last)) {
			msg_warn("%s: line %llu is not text that blkparse"
				 " writes", o->path, o->number);
			o->damaged = true;
		}
		return false;
	}
	check_time(o);
	if (o->now.cpu >= o->cpus) {
		msg_warn("%s: line %llu: cpu%lu too large, %lu CPUs are known;"
			 " the text is checked up to here (see --cpus)",
			 o->path, o->number, o->now.cpu, o->cpus);
		return false;
	}
	check_sequence(o);
	o->before = o->now;
	o->events++;
	return true;
}

/* nothing for a pipe, whose size is unknown */
static void show_progress(struct order *o, FILE *in)
{
	off_t at = ftello(in);
	struct stat st;

	if (at > 0 && !fstat(fileno(in), &st))
		reading_show(&o->reading, (uint64_t)at, (uint64_t)st.st_size);
}

static void check_file(struct order *o, FILE *in)
{
	while (read_line(in, o->now.text)) {
		o->number++;
		if (reading_due(&o->reading))
			show_progress(o, in);
		o->last = feof(in);
		if (!check_line(o))
			break;
	}
	reading_end(&o->reading);
	if (ferror(in)) {
		msg_warn("%s:", o->path);
		o->damaged = true;
	}
	printf("Events %llu: %u unordered, %u aliases\n", o->events,
	       o->unordered, o->aliases);
}

/* --- command line ------------------------------------------------------- */

struct options {
	const char *path;	/* or NULL */
	uint64_t cpus;
	bool no_progress;
};

/* 1.3.0: looks at the first name only. */
static void set_path(void *options, const char *name)
{
	struct options *o = options;

	if (!o->path)
		o->path = name;
}

static const struct cli_option rows[] = {
	{ NULL, "cpus", "N", "it is from a machine with N CPUs (this one's)",
	  .group = "Options", .min = 1, .max = BLK_CPU_MAX,
	  CLI_U64(struct options, cpus) },
	{ READING_OPTION(struct options, no_progress) },
};

static const struct cli_program program = {
	.name = "verify_blkparse",
	.usage = "[OPTION]... FILE",
	.purpose = "Report whether FILE, as blkparse prints it, is in order of"
		   " time.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_FILE,
	.operand = set_path,
	.examples =
		"blkparse -q sda > text; verify_blkparse text\n"
		"verify_blkparse --cpus=64 text  of a larger machine\n",
	.status = "0 if all events are in order; 1 if not, or if the file"
		  " cannot be read or is no text.",
	.section = 1,
	.version_letters = "V",
};

static void parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){
		.cpus = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN),
	};
	cli_parse(&program, o, argc, argv);
	if (!o->path)
		cli_usage_error(&program, "no file is named");
}

int main(int argc, char **argv)
{
	struct order o = { .number = 0 };
	struct options options;
	FILE *in;

	msg_guard_fds();
	parse(&options, argc, argv);
	o.path = options.path;
	o.cpus = (unsigned long)options.cpus;
	confined_enter(&(struct confined){ .files = &o.path, .file_count = 1 });
	in = fopen(o.path, "re");
	if (!in)
		msg_die("%s: %s", o.path, strerror(errno));
	o.sequences = malloc(o.cpus * sizeof(*o.sequences));
	if (!o.sequences)
		msg_die("out of memory");
	memset(o.sequences, 0xff, o.cpus * sizeof(*o.sequences));

	reading_start(&o.reading, !options.no_progress);
	check_file(&o, in);
	fclose(in);
	free(o.sequences);
	if (fflush(stdout) || ferror(stdout))
		msg_die("cannot write to standard output:");
	return o.unordered || o.damaged;
}
