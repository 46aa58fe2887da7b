/* SPDX-License-Identifier: GPL-2.0-only */
/* blktrace's command line. */
#ifndef TOOLS_BLKTRACE_OPTIONS_H
#define TOOLS_BLKTRACE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/kernel.h"
#include "capture/via.h"
#include "server/retention.h"
#include "server/senders.h"

enum { OPTIONS_IDLE = 60 };	/* s: --idle's default */

#define OPTIONS_UNSET UINT64_MAX	/* a time not given, while parsing */

/* limits of -l, in total or with "/source" of each sender; 0: no limit */
struct options_limits {
	unsigned int max_clients;	/* runs at a time */
	uint64_t max_bytes, max_files;
	struct sender_limits each;	/* the same for each sender */
};

struct trigger;			/* stat/trigger.h */

struct options_ring {
	uint64_t rotate_size;	/* --rotate: bytes, or 0 */
	uint64_t rotate_time;	/* ns, or 0 */
	uint64_t size;		/* --ring: bytes, or 0 */
	uint64_t time;		/* ns, or 0 */
	struct trigger **triggers;	/* --on, owned */
	size_t trigger_count;
};

/* where records wait for a server that is away */
struct options_spool {
	char *directory;	/* owned; NULL: nowhere */
	uint64_t size;		/* bytes */
};

struct options {
	const char **devices;	/* paths, each once */
	int device_count;
	uint32_t mask;		/* categories, 0: all */
	const char *debugfs;	/* -r */
	const char *output;	/* -o, or NULL: the devices' names */
	const char *directory;	/* -D, or NULL */
	char *output_directory;	/* of an absolute -o, or NULL; owned */
	char *output_name;	/* -o without ".btz", or NULL; owned */
	unsigned int seconds;	/* -w, 0: until a signal */
	uint32_t buf_size;	/* bytes of a sub-buffer */
	uint32_t buf_nr;
	int level;		/* of compression, 0: none */
	bool pack;		/* --pack */
	struct options_ring ring;	/* --rotate, --ring, --on */
	unsigned int keep;	/* --keep: directories, 0: all */
	struct retention_limits retention;	/* of -l: --keep with a time, ... */
	uint64_t before, after, every;	/* ns */
	unsigned int max_dumps;
	unsigned int record_version;	/* 7, 8; 0: what loses nothing */
	int via;		/* --via */
	bool joined;		/* --joined */
	bool listen;		/* -l */
	const char *host;	/* -h, or NULL */
	char port[6];		/* 1 to 65535, of either end */
	struct options_spool spool;	/* -h */
	bool durable;		/* -l */
	bool per_cpu;		/* -s: a connection per CPU, not per device */
	const char *user;	/* of -l or the command; NULL: unchanged */
	const char *bind;	/* -l: the only address, or NULL */
	struct server_net *allow;	/* -l: accepted senders; none: all */
	unsigned int allow_count;
	const char *allow_file;	/* more of them, or NULL */
	struct options_limits limits;	/* of -l */
	unsigned int idle;	/* -l: s; 0: no limit */
	const char *status;	/* -l: a file, or NULL */
	const char *psk;	/* a file of shared keys, or NULL */
	const char *identity;	/* -h: its key; NULL: the first */
	const char *cert, *key, *ca;	/* files; all, or none */
	const char *crl;	/* with these: revoked certificates, or NULL */
	char **command;		/* to trace, ends with NULL; or NULL */
	bool strict;		/* --strict */
	bool stat;		/* --stat */
	bool kill;		/* -k */
	const char *mark;	/* --mark, or NULL */
	bool check;		/* --check */
	bool progress;
	bool no_serial;		/* --no-serial */
	bool cgroup;		/* --cgroup */
	bool card;		/* --card: devices are traces' names */
	const char **words;	/* of the command line, with the program */
	int word_count;
};

/* fills *o; does not return after mistakes, --help and -V */
void blktrace_options_parse(struct options *o, int argc, char **argv);

/* the kernel's set-up of a device */
struct kernel_setup options_setup(const struct options *o);

/* whether records go to files, not to a pipe or server */
bool options_to_files(const struct options *o);

/* the name in files' names in place of the device's, or NULL */
const char *options_base(const struct options *o);

/* the path of a packed trace; device: the kernel's name of the first one.  The
 * caller frees it; NULL: no memory */
char *options_packed(const struct options *o, const char *device);

/* whether they go to segments */
bool options_rotates(const struct options *o);

/* whether connections are encrypted, as client or server */
bool options_tls(const struct options *o);

void blktrace_options_free(struct options *o);

/* each a cli_option's set(), which does not return after a mistake */
void options_set_max_clients(void *limits, const char *text);
void options_set_max_runs(void *limits, const char *text);
void options_set_max_bytes(void *limits, const char *text);
void options_set_max_files(void *limits, const char *text);
void options_set_rotate(void *ring, const char *text);
void options_set_ring(void *ring, const char *text);
void options_set_keep(void *options, const char *text);
void options_set_keep_bytes(void *retention, const char *text);
void options_set_min_free(void *retention, const char *text);
void options_add_trigger(void *ring, const char *text);
void options_set_spool(void *spool, const char *text);

/* ns: a uint64_t, at most a day */
void options_set_time(void *ns, const char *text);

void options_ring_free(struct options_ring *r);

#endif
