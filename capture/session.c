/* SPDX-License-Identifier: GPL-2.0-only */
/* One capture; see session.h. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/time.h"
#include "blktrace.h"
#include "capture/audit.h"
#include "capture/cpus.h"
#include "capture/mark_port.h"
#include "capture/mark_queue.h"
#include "capture/reporter.h"
#include "capture/session.h"
#include "capture/sink.h"
#include "capture/worker.h"

struct session {
	const struct capture_reporter *reporter;
	struct cpus cpus;
	struct via_plan plan;
	struct via *via;
	struct workers *workers;
	const char *marks_dir;	/* NULL: takes no marks */
	struct mark_queue *marks;
	struct mark_port *port;
	uint32_t *numbers;	/* of the devices, once looked up */
	struct audit *audit;	/* or NULL */
	uint64_t ended;		/* ns, when it was stopped */
};

int session_new(struct session **out, const struct capture_reporter *r)
{
	struct session *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return -ENOMEM;
	s->reporter = r;
	err = cpus_online(&s->cpus);
	if (err) {
		reporter_write(r, "cannot get online cpus %d/%s", -err,
			       strerror(-err));
		session_free(s);
		return err;
	}
	*out = s;
	return 0;
}

const struct cpus *session_cpus(const struct session *s)
{
	return &s->cpus;
}

/* --- the way -------------------------------------------------------------- */

/* Takes v over, even on failure. */
static int set_up(struct session *s, struct via *v)
{
	if (!v)
		return -ENOMEM;
	s->via = v;
	v->cpus = &s->cpus;
	return v->ops->set_up(v);
}

int session_set_up_by(struct session *s, struct via *v)
{
	int err = set_up(s, v);

	if (err == -EOPNOTSUPP)
		reporter_write(s->reporter, "%s", v->why);
	return err;
}

/* Reports a cause that closes both ways once. */
static int set_up_ftrace(struct session *s, const char *no_relay)
{
	struct via *v = via_ftrace(&s->plan);
	int err = set_up(s, v);

	if (!err)
		reporter_write(s->reporter, "relay files unavailable, tracing"
			       " through ftrace (%s)", no_relay);
	if (err == -EOPNOTSUPP)
		reporter_write(s->reporter, "%s", no_relay);
	if (err == -EOPNOTSUPP && strcmp(no_relay, v->why))
		reporter_write(s->reporter, "%s", v->why);
	return err;
}

static int set_up_any(struct session *s)
{
	int err = set_up(s, via_relay(&s->plan));
	char why[sizeof(s->via->why)];

	if (err != -EOPNOTSUPP)
		return err;
	memcpy(why, s->via->why, sizeof(why));
	s->via->ops->tear_down(s->via);
	s->via = NULL;
	return set_up_ftrace(s, why);
}

int session_set_up(struct session *s, const struct via_plan *plan,
		   enum via_kind kind)
{
	static struct via *(*const ways[])(const struct via_plan *plan) = {
		[VIA_RELAY] = via_relay,
		[VIA_FTRACE] = via_ftrace,
		[VIA_BPF] = via_bpf,
	};

	s->plan = *plan;
	s->plan.reporter = s->reporter;
	s->plan.tries_ftrace = kind == VIA_AUTO;
	if (kind == VIA_AUTO)
		return set_up_any(s);
	if (kind == VIA_BPF && plan->joined)
		return session_set_up_by(s, via_joined(&s->plan));
	return session_set_up_by(s, ways[kind](&s->plan));
}

/* --- devices -------------------------------------------------------------- */

/* The number of the device at path; 0: none. */
static uint32_t number_of(const char *path)
{
	struct stat st;

	if (stat(path, &st) || !S_ISBLK(st.st_mode))
		return 0;
	return BLK_DEVICE(major(st.st_rdev), minor(st.st_rdev));
}

/* Looked up once; NULL: no memory. */
static const uint32_t *numbers_of(struct session *s)
{
	const struct via_plan *plan = s->via->plan;

	if (s->numbers)
		return s->numbers;
	s->numbers = calloc(plan->count + 1, sizeof(*s->numbers));
	for (unsigned int i = 0; s->numbers && i < plan->count; i++)
		s->numbers[i] = number_of(plan->devices[i]);
	return s->numbers;
}

/* --- marks ---------------------------------------------------------------- */

int session_take_marks(struct session *s, const char *dir)
{
	const uint32_t *numbers;

	if (s->via->takes_marks)
		return 0;
	numbers = numbers_of(s);
	if (!numbers)
		return -ENOMEM;
	s->marks_dir = dir;
	return mark_queue_new(&s->marks, s->cpus.online[0], numbers,
			      s->via->plan->count);
}

/* --- the audit ------------------------------------------------------------ */

int session_audits(struct session *s)
{
	const struct audit_options o = {
		.sysfs = "/sys",
		.devices = numbers_of(s),
		.count = s->via->count,
		.cpus = s->cpus.count,
		.mask = s->via->plan->setup.mask,
	};

	return o.devices ? audit_new(&s->audit, &o) : -ENOMEM;
}

/* --- threads and their output --------------------------------------------- */

/* Some readers stop at the first CPU without a file. */
static int touch_offline(struct session *s, struct sink *sink)
{
	unsigned int next = 0;
	int err = 0;

	for (uint32_t cpu = 0; !err && cpu < s->cpus.max; cpu++) {
		if (s->cpus.online[next] == cpu) {
			next++;
			continue;
		}
		for (unsigned int i = 0; !err && i < s->via->count; i++)
			err = sink->ops->touch(sink, s->via->names[i], cpu);
	}
	return err;
}

static int open_tap(void *ctx, uint32_t cpu, struct tap **t)
{
	struct via *v = ctx;

	return v->ops->open_tap(v, cpu, t);
}

static int dropped(void *ctx, unsigned int device, uint64_t *n)
{
	struct via *v = ctx;

	return v->ops->dropped(v, device, n);
}

static uint64_t lost(void *ctx, unsigned int device)
{
	struct via *v = ctx;

	return v->ops->lost(v, device);
}

int session_open(struct session *s, struct sink *sink, int idle_ms)
{
	const struct workers_options o = {
		.cpus = s->cpus.online,
		.cpu_count = s->cpus.count,
		.names = s->via->names,
		.device_count = s->via->count,
		.sink = sink,
		.idle_ms = idle_ms,
		.open_tap = open_tap,
		.dropped = s->via->ops->dropped ? dropped : NULL,
		.lost = s->via->ops->lost ? lost : NULL,
		.ctx = s->via,
		.audit = s->audit,
		.marks = s->marks,
		.reporter = s->reporter,
	};
	int err = sink->ops->touch ? touch_offline(s, sink) : 0;

	return err ? err : workers_start(&s->workers, &o);
}

int session_start(struct session *s)
{
	int err = s->via->ops->start(s->via);

	if (!err && s->marks)
		mark_port_open(&s->port, s->marks_dir, s->marks);
	if (!err && s->audit)
		audit_start(s->audit);
	return err;
}

int session_gone_fd(const struct session *s)
{
	return workers_gone_fd(s->workers);
}

int session_stop(struct session *s)
{
	int gone, failed;

	mark_port_close(s->port);
	s->port = NULL;
	if (s->audit)
		audit_stop(s->audit);
	s->ended = time_now();
	gone = s->via->ops->stop(s->via);
	workers_stop(s->workers, s->ended);
	failed = workers_join(s->workers);
	return failed ? failed : gone;
}

/* --- what was recorded ---------------------------------------------------- */

unsigned int session_device_count(const struct session *s)
{
	return s->via->count;
}

const char *session_device_name(const struct session *s, unsigned int device)
{
	return s->via->names[device];
}

const char *session_via(const struct session *s)
{
	return s->via->ops->name;
}

unsigned int session_version(const struct session *s)
{
	return s->via->version;
}

const struct sink_lane *session_lane(const struct session *s,
				     unsigned int device, unsigned int n)
{
	return workers_lane(s->workers, device, n);
}

uint64_t session_ended(const struct session *s)
{
	return s->ended;
}

uint64_t session_lost(const struct session *s, unsigned int device)
{
	if (s->via->ops->lost)
		return s->via->ops->lost(s->via, device);
	return workers_dropped(s->workers, device);
}

bool session_audit(const struct session *s, unsigned int device,
		   struct audit_result *r)
{
	if (s->audit)
		audit_get(s->audit, device, r);
	return s->audit;
}

void session_sums(const struct session *s, uint64_t *events, uint64_t *bytes,
		  uint64_t *drops)
{
	workers_sums(s->workers, events, bytes, drops);
}

/* --- the end -------------------------------------------------------------- */

void session_free(struct session *s)
{
	if (!s)
		return;
	mark_port_close(s->port);
	workers_free(s->workers);
	mark_queue_free(s->marks);
	audit_free(s->audit);
	free(s->numbers);
	if (s->via)
		s->via->ops->tear_down(s->via);
	cpus_free(&s->cpus);
	free(s);
}
