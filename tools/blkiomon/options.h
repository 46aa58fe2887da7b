/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blkiomon's command line.
 */
#ifndef TOOLS_BLKIOMON_OPTIONS_H
#define TOOLS_BLKIOMON_OPTIONS_H

/* files to write: "-" is standard output, NULL none */
struct options {
	int interval;		/* seconds, above 0 */
	const char *human;
	const char *binary;
	const char *driver;	/* driver data */
	const char *debug;
	const char *queue;	/* path of the message queue's key, or NULL */
	int queue_id;		/* not 0 with a queue */
	int message_type;	/* above 0 with a queue */
};

/* fills *o; does not return from mistakes, --help and -V */
void blkiomon_options_parse(struct options *o, int argc, char **argv);

#endif
