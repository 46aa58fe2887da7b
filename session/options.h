/*
 * blktrace's command line.
 */
#ifndef SESSION_OPTIONS_H
#define SESSION_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { ROUTE_AUTO, ROUTE_RELAY, ROUTE_FTRACE };

struct options {
	const char **devices;	/* paths, each once */
	int device_count;
	uint32_t mask;		/* categories, 0: all */
	const char *debugfs;	/* -r */
	const char *output;	/* -o, or NULL: the devices' names */
	const char *directory;	/* -D, or NULL */
	unsigned int seconds;	/* -w, 0: until a signal */
	uint32_t buf_size;	/* bytes of a sub-buffer */
	uint32_t buf_nr;
	int level;		/* of compression, 0: none */
	unsigned int record_version;	/* 7, 8; 0: what loses nothing */
	int route;		/* --via */
	bool kill;		/* -k */
	bool check;		/* --check */
	bool progress;
};

/* fills *o; does not return from mistakes, --help and -V */
void options_parse(struct options *o, int argc, char **argv);

void options_free(struct options *o);

#endif
