/* blkiomon's command line; see options.h. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/msg.h"
#include "tools/blkiomon/options.h"

#define FAITHFUL_TO "0.3"	/* of release 1.3.0 of the suite */

enum { OPT_HELP = 256 };

static const struct option long_options[] = {
	{ "interval", required_argument, NULL, 'I' },
	{ "human-readable", required_argument, NULL, 'h' },
	{ "binary", required_argument, NULL, 'b' },
	{ "dump-lldd", required_argument, NULL, 'd' },
	{ "debug", required_argument, NULL, 'D' },
	{ "msg-queue", required_argument, NULL, 'Q' },
	{ "msg-queue-id", required_argument, NULL, 'q' },
	{ "msg-id", required_argument, NULL, 'm' },
	{ "version", no_argument, NULL, 'V' },
	/* 1.3.0 took this for --human-readable, so it stays that */
	{ "h", required_argument, NULL, 'h' },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};

static const char usage_text[] =
	"Usage: \n"
	"\n"
	"blkiomon -I <interval>       | --interval=<interval>\n"
	"[ -h <file>         | --human-readable=<file> ]\n"
	"[ -b <file>         | --binary=<file> ]\n"
	"[ -d <file>         | --dump-lldd=<file> ]\n"
	"[ -D <file>         | --debug=<file> ]\n"
	"[ -Q <path name>    | --msg-queue=<path name>]\n"
	"[ -q <msg queue id> | --msg-queue-id=<msg queue id>]\n"
	"[ -m <msg id>       | --msg-id=<msg id>]\n"
	"[ -V                | --version ]\n"
	"\n"
	"\t-I   Sample interval.\n"
	"\t-h   Human-readable output file.\n"
	"\t-b   Binary output file.\n"
	"\t-d   Output file for data emitted by low level device driver.\n"
	"\t-D   Output file for debugging data.\n"
	"\t-Qqm Output to message queue using given ID for messages.\n"
	"\t-V   Print program version.\n"
	"\n";

static void set_option(struct options *o, int c, const char *arg,
		       const char *self)
{
	switch (c) {
	case 'I': o->interval = atoi(arg); break;
	case 'h': o->human = arg; break;
	case 'b': o->binary = arg; break;
	case 'd': o->driver = arg; break;
	case 'D': o->debug = arg; break;
	case 'Q': o->queue = arg; break;
	case 'q': o->queue_id = atoi(arg); break;
	case 'm': o->message_type = atoi(arg); break;
	case 'V':
		printf("%s version %s\n", self, FAITHFUL_TO);
		exit(0);
	case OPT_HELP:
		printf("%s\t--help  This text.\n\n"
		       "A trace is read from standard input, -I is required;"
		       " - is standard output.\n", usage_text);
		exit(0);
	default:
		fputs(usage_text, stderr);
		exit(1);
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	static const char letters[] = "I:h:b:d:D:Q:q:m:V";
	int c;

	*o = (struct options){ .interval = 0 };
	while ((c = getopt_long(argc, argv, letters, long_options, NULL)) != -1)
		set_option(o, c, optarg, argv[0]);
	if (o->interval <= 0)
		set_option(o, '?', NULL, argv[0]);
	if (o->queue && (!o->queue_id || o->message_type <= 0))
		msg_die("-Q %s needs the queue's id, not 0, by -q, and a"
			" message id above 0 by -m", o->queue);
}
