/* SPDX-License-Identifier: GPL-2.0-only */
/* iotracer's command line; see options.h. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/msg.h"
#include "cli/options.h"
#include "cli/set.h"
#include "tools/iotracer/options.h"

enum {
	EVENTS_MAX = 1 << 24,	/* 1.5 GiB of the kernel's memory */
	LINGER_MAX = 86400,
	RING_MIN = 64,		/* KiB */
	RING_MAX = 1 << 20,
};

static uint32_t level_of(const char *name, size_t len)
{
	for (int i = 0; i < LEVEL_COUNT; i++)
		if (len == strlen(line_levels[i]) &&
		    !strncasecmp(name, line_levels[i], len))
			return LEVEL_BIT(i);
	msg_die("-l is a list of vfs, blk, map and sync, not %.*s", (int)len, name);
}

/* Comma-separated names, in any case. */
static void set_levels(void *options, const char *list)
{
	struct options *o = options;

	o->levels = 0;
	o->levels_given = true;
	for (;;) {
		size_t len = strcspn(list, ",");

		o->levels |= level_of(list, len);
		if (!list[len])
			return;
		list += len + 1;
	}
}

static const char *level_name(unsigned int nr)
{
	return nr < LEVEL_COUNT ? line_levels[nr] : NULL;
}

static void set_backend(void *backend, const char *name)
{
	for (enum backend i = BACKEND_AUTO; i <= BACKEND_SYSCALL; i++)
		if (!strcmp(name, backend_names[i]))
			*(enum backend *)backend = i;
}

/* From KiB; the kernel needs a power of two. */
static void set_ring(void *bytes, const char *text)
{
	uint64_t kib = strtoull(text, NULL, 10), size = RING_MIN;

	while (size < kib)
		size *= 2;
	*(uint32_t *)bytes = (uint32_t)(size << 10);
}

/* --- the table ----------------------------------------------------------- */

#define AT(field) .at = offsetof(struct options, field)

static const struct cli_option rows[] = {
	{ "l", "levels", "LIST", "lines of vfs, blk, map and sync (vfs,blk)",
	  .group = "What is traced", .word = level_name, .set = set_levels },
	{ "p", "probe", "auto|iter|syscall",
	  "source of VFS lines (auto)",
	  .set = set_backend, AT(backend) },
	{ "s", "lower", NULL,
	  "also trace bios to devices below the filesystem's",
	  CLI_FLAG(struct options, lower) },
	{ "w", "wait", "SECONDS",
	  "continue this long after COMMAND, for its writeback",
	  .min = 1, .max = LINGER_MAX, CLI_UINT(struct options, linger) },

	{ "n", "events", "N", "show at most N lines; with add, keep N lines",
	  .group = "What is shown", .min = 1, .max = EVENTS_MAX,
	  CLI_U64(struct options, events) },
	{ "a", "whole-disk", NULL,
	  "sectors of the disk, not of the partition",
	  CLI_FLAG(struct options, style.whole_disk) },
	{ "x", "extended", NULL,
	  "device, sector, RWBS, thread and path after each line",
	  CLI_FLAG(struct options, style.extended) },
	{ "d", "duration", NULL, "append the duration of each call",
	  CLI_FLAG(struct options, style.duration) },
	{ NULL, "commits", NULL,
	  "what calls that wait for the disk (fsync) wait for; with -b, record"
	  " it for btstat --by=commit",
	  CLI_FLAG(struct options, commits) },
	{ "b", "blktrace", "NAME",
	  "write NAME.blktrace.CPU for blkparse, no lines",
	  .completes = CLI_FILE, CLI_TEXT(struct options, records) },

	{ "r", "ring", "KIB", "buffer per CPU",
	  .group = "How", .min = 1, .max = RING_MAX,
	  .set = set_ring, AT(ring) },
	{ "v", "verbose", NULL, "report the source of VFS lines",
	  CLI_FLAG(struct options, verbose) },
};

static const struct cli_program program = {
	.name = "iotracer",
	.usage = "[OPTION]... FILE... [-- COMMAND [ARGUMENT]...]\n"
		 "add|remove|list|... [FILE]...",
	.purpose = "Trace every read and write of files, or of all files below"
		   " directories, at the VFS and at the block layer, while"
		   " COMMAND runs or until Ctrl-C; or watch files and keep"
		   " their logs.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_FILE,
	.examples =
		"iotracer data -- cp data /tmp   what cp does with data\n"
		"iotracer -dx -l vfs,sync /var/lib/db   all files below it\n"
		"iotracer add data 100; iotracer log data\n",
	.status = "COMMAND's, or 128 and the signal that ended it; without one"
		  " 0; 1 if something failed.",
	.section = 8,
	.version_letters = "V",
};

/* Splits off the command after --, which getopt must not parse. */
static int split_command(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--")) {
			o->child = argv + i + 1;
			if (!*o->child)
				msg_die("no command after --");
			return i;
		}
	return argc;
}

static const struct command *find_command(const struct command *commands,
				    unsigned int count, const char *word)
{
	for (unsigned int i = 0; i < count; i++)
		if (!strcmp(commands[i].help.name, word))
			return &commands[i];
	return NULL;
}

/* Checks a command's number of words by its table. */
static void check_command(const struct options *o)
{
	const struct command *v = o->command;

	if (o->child)
		msg_die("%s takes no command; for the file of that name use"
			" ./%s", v->help.name, v->help.name);
	if (o->count < v->min || (v->max >= 0 && o->count > v->max))
		cli_usage_error(&program, "%s takes %s", v->help.name,
				v->max == 0 ? "nothing more" :
				v->max > v->min ? "a file and a number" :
				v->max < 0 ? "one file or more" : "one file");
}

/* Calls have no lines. */
static void check_commits(const struct options *o)
{
	const struct line_style *s = &o->style;

	if (!o->commits)
		return;
	if (o->command)
		msg_die("--commits traces now: it is not for %s",
			o->command->help.name);
	if (o->levels_given || o->lower || s->whole_disk || s->extended ||
	    s->duration)
		msg_die("--commits shows calls: -l, -s, -a, -x and -d are for"
			" lines");
}

void iotracer_options_parse(struct options *o, int argc, char **argv,
			    const struct command *commands,
			    unsigned int command_count)
{
	struct cli_program with_words = program;
	struct cli_command words[COMMANDS_MAX];
	int first;

	for (unsigned int i = 0; i < command_count; i++)
		words[with_words.command_count++] = commands[i].help;
	with_words.commands = words;
	*o = (struct options){
		.levels = LEVEL_BIT(LEVEL_VFS) | LEVEL_BIT(LEVEL_BLK),
	};
	argc = split_command(o, argc, argv);
	/* getopt needs NULL at the end */
	first = cli_parse(&with_words, o, argc, argv);
	o->words = argv + first;
	o->count = argc - first;
	if (!o->count)
		cli_usage_error(&program, "no file is named");
	o->command = find_command(commands, command_count, o->words[0]);
	check_commits(o);
	if (!o->command)
		return;
	o->words++;
	o->count--;
	check_command(o);
}
