/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The collecting server: receives traces of other machines, as blktrace-net(5)
 * describes, and stores them in files.  One thread waits for all clients, and
 * no client can delay the others.
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "server/retention.h"
#include "server/senders.h"

struct opener;			/* base/opener.h */
struct server_reporter;		/* server/report.h */
struct tls;			/* transport/tls.h */

enum { SERVER_WHY = 256 };

/* who may send */
struct server_access {
	struct tls *tls;	/* authenticates clients; NULL: plain
				 * connections */
	struct server_net *allow;	/* networks; none: all */
	unsigned int allow_count;
};

/* frees what it has */
void server_access_free(struct server_access *a);

struct server_options {
	const char *directory;	/* each run gets a directory in it */
	bool tell_root;		/* warn if it stays root */
	const char *bind;	/* address to listen on; NULL: all */
	const char *port;
	const int *sockets;	/* listen already, the server's; instead of
				 * these two */
	unsigned int socket_count;	/* at most LISTEN_MAX of poller.h */
	const char *user;	/* to become after binding, or NULL */
	struct server_access access;	/* the server's from server_run() on */
	unsigned int max_clients;	/* runs at a time; 0: no limit */
	uint64_t max_bytes;	/* stored in total; 0: no limit */
	uint64_t max_files;	/* made in total; 0: no limit */
	struct sender_limits each;	/* the same for each sender */
	struct retention_limits keep;	/* which ended runs */
	const char *status;	/* a file about it, written anew by `opener` every
				 * STATUS_MS; or NULL */
	const struct opener *opener;
	unsigned int idle;	/* s from opening a run to its first data; 0: no
				 * limit */
	bool verbose;
	bool pack;		/* stores packed traces; needs libzstd */
	bool durable;		/* what is acknowledged is on the disk */
	/* called once it listens, and when it must end; may be NULL.  Rights
	 * to all but open files may be gone then */
	void (*state)(void *ctx, bool serving);
	/* called at least every so many ms; NULL: never */
	void (*alive)(void *ctx);
	unsigned int alive_ms;
	void *ctx;
	const struct server_reporter *reporter;	/* not NULL */
	/* set by the handler of SIGINT, SIGTERM and SIGALRM */
	const atomic_bool *stop;
	/* Set by SIGHUP's: then who may send is read anew; 0 and *access, the
	 * server's from then on; or -errno and why, and nothing changes.
	 * Connections that have authenticated go on.  NULL: both or none */
	atomic_bool *renew;
	int (*read_access)(void *ctx, struct server_access *access,
			   char why[SERVER_WHY]);
};

/* serves until *stop, then closes all runs; returns the exit status: 0; 1:
 * could not start, or not print all totals */
int server_run(const struct server_options *o);

#endif
