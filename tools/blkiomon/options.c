/* SPDX-License-Identifier: GPL-2.0-only */
/* blkiomon's command line; see options.h. */
#include "base/msg.h"
#include "cli/options.h"
#include "cli/set.h"
#include "tools/blkiomon/options.h"

static const struct cli_option rows[] = {
	{ "I", "interval", "SECONDS", "how often there is a report; required",
	  .group = "What is reported", .classic = true,
	  CLI_INT(struct options, interval) },

	{ "h", "human-readable", "FILE", "write reports as text",
	  .group = "Where it is written (- is standard output)",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, human) },
	{ "b", "binary", "FILE", "write reports as records",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, binary) },
	{ "d", "dump-lldd", "FILE", "write what device drivers have recorded",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, driver) },
	{ "D", "debug", "FILE",
	  "write events without a counterpart, and counts",
	  .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, debug) },

	{ "Q", "msg-queue", "PATH", "send records to the message queue of PATH",
	  .group = "Message queue", .classic = true, .completes = CLI_FILE,
	  CLI_TEXT(struct options, queue) },
	{ "q", "msg-queue-id", "ID", "which of the path's queues; not 0",
	  .classic = true, CLI_INT(struct options, queue_id) },
	{ "m", "msg-id", "ID", "the type of the messages; above 0",
	  .classic = true, CLI_INT(struct options, message_type) },
};

static const struct cli_program program = {
	.name = "blkiomon",
	.usage = "-I SECONDS [OPTION]... < TRACE",
	.purpose = "Report sizes, latencies and throughput of requests,"
		   " interval after interval.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.examples =
		"blktrace -a issue -a complete -o - /dev/sda |"
		" blkiomon -I 10 -h -\n"
		"blkiomon -I 60 -b reports < trace\n",
	.status = "0; 1 if something could not be read or written, or the trace"
		  " is damaged.",
	.section = 8,
	.release = "0.3",	/* 1.3.0: calls its blkiomon so */
	.version_letters = "V",
};

void blkiomon_options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){ .interval = 0 };
	cli_parse(&program, o, argc, argv);
	if (o->interval <= 0)
		cli_usage_error(&program, "-I is required: seconds, 1 or more");
	if (o->queue && (!o->queue_id || o->message_type <= 0))
		msg_die("-Q %s needs the queue's id, not 0, by -q, and a"
			" message id above 0 by -m", o->queue);
}
