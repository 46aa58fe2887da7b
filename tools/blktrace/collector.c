/* SPDX-License-Identifier: GPL-2.0-only */
/* The collecting end; see collector.h. */
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/msg.h"
#include "capture/totals.h"
#include "server/report.h"
#include "server/server.h"
#include "tools/blktrace/collector.h"
#include "tools/blktrace/keys.h"
#include "tools/blktrace/notify.h"
#include "tools/blktrace/options.h"
#include "transport/tls.h"

/* A full pipe must not hold up clients; one that is closed is no obstacle. */
static bool stderr_is_ready(void)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

	return poll(&p, 1, 0) > 0;
}

static bool print_line(void *ctx, const char *text)
{
	(void)ctx;
	if (!stderr_is_ready())
		return false;
	msg_warn("%s", text);
	return true;
}

static bool print_drops(void *ctx, uint64_t events, uint64_t drops)
{
	char text[TOTALS_WARNING];

	(void)ctx;
	if (!stderr_is_ready())
		return false;
	totals_warning(events, drops, text);
	fputs(text, stderr);
	return true;
}

static void tell_manager(void *manager, bool serving)
{
	if (serving)
		notify_ready(manager);
	else
		notify_stopping(manager);
}

static int serve(const struct options *o, const atomic_bool *stop,
		 const struct tls *tls, struct notify *manager)
{
	const struct server_reporter reporter = { .line = print_line,
						  .drops = print_drops };
	const struct server_options so = {
		.directory = o->directory ? o->directory : ".",
		.bind = o->bind,
		.port = o->port,
		.user = o->user,
		.tell_root = true,
		.allow = o->allow,
		.allow_count = o->allow_count,
		.max_clients = o->limits.max_clients,
		.max_bytes = o->limits.max_bytes,
		.max_files = o->limits.max_files,
		.each = o->limits.each,
		.idle = o->idle,
		.tls = tls,
		.state = tell_manager,
		.ctx = manager,
		.reporter = &reporter,
		.stop = stop,
	};

	return server_run(&so);
}

int collector_run(const struct options *o, const atomic_bool *stop)
{
	struct notify manager;
	struct tls *tls;
	int status;

	if (keys_open(o, &tls))
		return 1;
	notify_open(&manager);
	status = serve(o, stop, tls, &manager);
	notify_close(&manager);
	tls_free(tls);
	return status;
}
