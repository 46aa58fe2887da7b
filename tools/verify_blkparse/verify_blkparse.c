/*
 * verify_blkparse: tells whether blkparse's default text is in order of time.
 *
 * It reads what people read, so this is text, and no other room's concern.
 * Manual: doc/verify_blkparse.1.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "blktrace.h"

/* longer lines are events, too, but only so much of them is shown */
enum { LINE_SHOWN = 256 };

struct line {
	char text[LINE_SHOWN];	/* ends with a newline; cut if it was longer */
	unsigned long cpu;
	uint32_t sequence;
	double time;		/* seconds */
};

struct order {
	const char *path;
	unsigned long cpus;	/* so many are believed in */
	unsigned long long number;	/* of the line at hand, from 1 */
	unsigned long long events;
	unsigned int unordered, aliases;
	bool last;		/* that is the file's end */
	bool damaged;		/* what ended the reading is no text */
	uint32_t *sequences;	/* the last one of each CPU */
	struct line now, before;
};

/* --- lines -------------------------------------------------------------- */

static void skip_line(FILE *in)
{
	int c;

	while ((c = getc(in)) != EOF && c != '\n')
		;
}

/* One line, cut to what is shown; false at the end. */
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

/* The number at *p, behind any blanks; moves *p behind it. */
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

/*
 * "major,minor cpu sequence time": how every event's line begins.  Blanks are
 * as scanf(3) has them, any or none.
 */
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

/*
 * A summary may follow the events, but no bytes that are no text.  A zero hides
 * the newline, which only the last line may lack.
 */
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
	printf("last: %sthis: %s", o->before.text, o->now.text);
	o->unordered++;
}

/* Sequence numbers are per device; two devices may share one by chance. */
static void check_sequence(struct order *o)
{
	uint32_t *last = &o->sequences[o->now.cpu];

	if (o->now.sequence == *last) {
		printf("alias on sequence %u\n", o->now.sequence);
		o->aliases++;
	}
	*last = o->now.sequence;
}

/* Whether the line is an event's, and one to go on from. */
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

static void check_file(struct order *o, FILE *in)
{
	while (read_line(in, o->now.text)) {
		o->number++;
		o->last = feof(in);
		if (!check_line(o))
			break;
	}
	if (ferror(in)) {
		msg_warn("%s:", o->path);
		o->damaged = true;
	}
	printf("Events %llu: %u unordered, %u aliases\n", o->events,
	       o->unordered, o->aliases);
}

/* --- command line ------------------------------------------------------- */

static const char help[] =
	"Usage: verify_blkparse [--cpus=N] FILE\n"
	"Tell whether FILE, as blkparse prints it, is in order of time.\n"
	"\n"
	"      --cpus=N  it is from a machine with N CPUs (this machine's)\n"
	"      --help    this text\n";

static unsigned long parse_cpus(const char *text)
{
	char *end;
	unsigned long cpus = strtoul(text, &end, 10);

	if (end == text || *end || !cpus || cpus > BLK_CPU_MAX)
		msg_die("--cpus is a number from 1 to %d, not %s", BLK_CPU_MAX,
			text);
	return cpus;
}

/*
 * No getopt: a file may have any name, and these two are all there is.
 * Returns the file's name, or NULL.
 */
static const char *parse(int argc, char **argv, unsigned long *cpus)
{
	static const char option[] = "--cpus=";
	int at = 1;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(help, stdout);
		exit(0);
	}
	if (argc > 2 && !strncmp(argv[at], option, sizeof(option) - 1))
		*cpus = parse_cpus(argv[at++] + sizeof(option) - 1);
	return at < argc ? argv[at] : NULL;
}

int main(int argc, char **argv)
{
	struct order o = { .number = 0 };
	FILE *in;

	msg_guard_fds();
	o.cpus = (unsigned long)sysconf(_SC_NPROCESSORS_ONLN);
	o.path = parse(argc, argv, &o.cpus);
	if (!o.path) {
		fprintf(stderr, "%s: file\n", argv[0]);
		return 1;
	}
	in = fopen(o.path, "re");
	if (!in)
		msg_die("%s: %s", o.path, strerror(errno));
	o.sequences = malloc(o.cpus * sizeof(*o.sequences));
	if (!o.sequences)
		msg_die("out of memory");
	memset(o.sequences, 0xff, o.cpus * sizeof(*o.sequences));

	check_file(&o, in);
	fclose(in);
	free(o.sequences);
	if (fflush(stdout) || ferror(stdout))
		msg_die("cannot write to standard output:");
	return o.unordered || o.damaged;
}
