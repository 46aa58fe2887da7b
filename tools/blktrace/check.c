/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * blktrace --check; see commands.h.
 *
 * Devices are tried before anything is printed: a closed way is "no:", or
 * "but:" if another one is open.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/msg.h"
#include "bpf/bpf.h"
#include "capture/cpus.h"
#include "capture/doctor.h"
#include "capture/from/ftrace.h"
#include "capture/from/relay.h"
#include "capture/system.h"
#include "capture/tap.h"
#include "confine/calls.h"
#include "confine/places.h"
#include "confine/wanted.h"
#include "server/server.h"
#include "tools/blktrace/commands.h"
#include "tools/blktrace/keys.h"
#include "tools/blktrace/options.h"
#include "transport/tls.h"

/* --- check network -------------------------------------------------------- */

static void print_keys(const struct options *o, const struct tls *t)
{
	unsigned int n = tls_keys(t);

	if (o->psk && o->listen)
		printf("ok: TLS, by keys of %u identit%s in %s\n", n,
		       n == 1 ? "y" : "ies", o->psk);
	else if (o->psk)
		printf("ok: TLS, by a key in %s\n", o->psk);
	if (o->cert)
		printf("ok: TLS, by certificates that %s has signed\n", o->ca);
}

int check_keys(const struct options *o)
{
	struct server_access a;
	char why[TLS_WHY];

	if (keys_access(o, NULL, &a, why)) {
		printf("no: %s\n", why);
		return 1;
	}
	if (a.tls)
		print_keys(o, a.tls);
	else if (o->listen)
		printf("but: no TLS: anybody who can connect may send\n");
	server_access_free(&a);
	return 0;
}

/* A collector also works without them, with more rights. */
static void print_confinement(void)
{
	int version = places_version();

	if (version)
		printf("ok: a collector is confined to its directory"
		       " (Landlock, version %d)\n", version);
	else
		printf("but: no Landlock: a collector is not confined to its"
		       " directory\n");
	if (calls_can_restrict())
		printf("ok: a collector is confined to the system calls it"
		       " needs (seccomp)\n");
	else
		printf("but: no seccomp filters: a collector may make any"
		       " system call\n");
	if (!confine_is_wanted())
		printf("but: BLKTRACE_NO_SANDBOX, or a sanitizer, switches"
		       " both off\n");
}

int check_collector(const struct options *o)
{
	int status = check_keys(o);
	char text[DOCTOR_TEXT];

	print_confinement();
	if (doctor_output(text, o->directory, NULL)) {
		printf("no: %s\n", text);
		return 1;
	}
	printf("ok: output directory %s is writable\n",
	       o->directory ? o->directory : ".");
	return status;
}

/* --- check ---------------------------------------------------------------- */

static const char by_relay[] = "by relay files", by_ftrace[] = "by ftrace",
	by_bpf[] = "by bpf";

/* the finding about a device, or the machine */
struct verdict {
	bool good;
	bool refused;		/* its relay file, as by a lockdown */
	char text[DOCTOR_TEXT];	/* the way, or the cause */
};

struct findings {
	const struct check *c;
	struct cpus cpus;
	bool may_mount, debugfs;
	enum lockdown lockdown;
	int blind;		/* -errno: cannot see whether there is one */
	struct verdict ftrace, bpf;
	struct verdict *devices;
	const char *way;	/* without devices: the likely way, or NULL */
	bool good;		/* all of them can be traced */
};

/* --- trying --------------------------------------------------------------- */

static struct patient patient_of(const struct findings *f, const char *path)
{
	return (struct patient){
		.path = path,
		.debugfs = f->c->debugfs,
		.buf_size = f->c->setup.buf_size,
		.buf_nr = f->c->setup.buf_nr,
		.cpus = f->cpus.count,
		.devices = f->c->count,
		.why = "",
		.tries_ftrace = f->c->ftrace,
	};
}

/* Puts the cause into v; returns false for the caller. */
static bool explain(const struct findings *f, const char *path,
		    enum stage stage, int err, struct verdict *v)
{
	const struct patient p = patient_of(f, path);

	doctor_explain(v->text, &p, stage, -err);
	return false;
}

/* The kernel may set up a trace, and refuse here to let it be read. */
static int open_relay(const struct findings *f, const struct kernel_trace *t)
{
	const char *names[] = { t->name };
	const struct relay_place place = { f->c->debugfs, names, 1, NULL };
	unsigned int which;
	struct tap *tap;
	int err = relay_open(&tap, &place, f->cpus.online[0], &which);

	if (!err)
		tap->ops->close(tap);
	return err;
}

/* With the run's sizes, which may be too large. */
static int set_up(const struct findings *f, struct kernel_trace *t)
{
	const struct patient p = patient_of(f, t->path);

	return doctor_too_much(&p) ? -ENOMEM :
				     kernel_set_up(t, &f->c->setup);
}

/* Makes a trace and tears it down; *stage: the last step. */
static int try_relay(const struct findings *f, const char *path,
		     enum stage *stage)
{
	struct kernel_trace t;
	int err = kernel_open(&t, path);

	*stage = STAGE_OPEN;
	if (err)
		return err;
	*stage = STAGE_SETUP;
	err = set_up(f, &t);
	if (!err) {
		*stage = STAGE_RELAY;
		err = open_relay(f, &t);
	}
	kernel_close(&t);
	return err;
}

/* Without a set-up, which would empty tracefs' buffer. */
static bool try_ftrace(const struct findings *f, const char *path,
		       struct verdict *v)
{
	const uint32_t none[1] = { 0 };
	char tracefs[FTRACE_PATH], why[FTRACE_WHY] = "";
	const struct ftrace_plan plan = { .tracefs = tracefs,
					  .devices = none };
	struct patient p = patient_of(f, path);
	int err = ftrace_find(tracefs);

	if (!err)
		err = ftrace_check(&plan, why);
	p.why = why;
	if (err)
		doctor_explain(v->text, &p, STAGE_FTRACE, -err);
	else
		snprintf(v->text, sizeof(v->text),
			 "tracefs is mounted at %s and has the blk tracer",
			 tracefs);
	return !err;
}

/* Attaches the programs, without a device, and detaches them. */
static bool try_bpf(struct verdict *v)
{
	struct bpf b;
	int err = bpf_load(&b, false);
	bool loaded = !err;

	if (!err)
		err = bpf_attach(&b, BPF_RECORDS);
	snprintf(v->text, sizeof(v->text), "%s", err ? b.why :
		 "the kernel takes our programs (bpf)");
	if (loaded)
		bpf_free(&b);
	return !err;
}

/* Neither ftrace nor bpf ever opens the device. */
static bool find_device(const struct findings *f, const char *path,
			struct verdict *v)
{
	char disk[64];
	int err = kernel_disk(path, disk, sizeof(disk));

	return err ? explain(f, path, STAGE_OPEN, err, v) : true;
}

/* Relay files if possible, else ftrace, like a run.  NULL: v has the cause,
 * except ftrace's or bpf's, which have their own lines. */
static const char *way_to(const struct findings *f, const char *path,
			  struct verdict *v)
{
	struct verdict other;
	enum stage stage;
	int err;

	if (f->c->relay) {
		err = try_relay(f, path, &stage);
		v->refused = stage == STAGE_RELAY && err == -EPERM;
		if (!err)
			return by_relay;
		explain(f, path, stage, err, v);
		if (stage != STAGE_RELAY)
			return NULL;
	}
	if (!f->c->relay && !find_device(f, path, v))
		return NULL;
	if (f->c->ftrace && try_ftrace(f, path, &other))
		return by_ftrace;
	if (f->c->bpf && f->bpf.good)
		return by_bpf;
	if (!f->c->relay)
		snprintf(v->text, sizeof(v->text), "%s cannot be traced %s",
			 path, f->c->bpf ? by_bpf : by_ftrace);
	return NULL;
}

static void try_device(const struct findings *f, const char *path,
		       struct verdict *v)
{
	const char *way = way_to(f, path, v);

	v->good = way != NULL;
	if (way)
		snprintf(v->text, sizeof(v->text), "%s can be traced, %s",
			 path, way);
}

/* --- printing ------------------------------------------------------------- */

/* other: tracing works even if this is bad */
__attribute__((format(printf, 3, 4)))
static void show(bool good, bool other, const char *fmt, ...)
{
	va_list ap;

	printf("%s ", good ? "ok:" : other ? "but:" : "no:");
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* Tracing needs no right, but mounting needs this one. */
static void print_rights(const struct findings *f)
{
	if (f->may_mount)
		show(true, true, "we may trace (CAP_SYS_ADMIN)");
	else if (geteuid())
		show(false, f->good, "tracing is for root only");
	else
		show(false, f->good, "without CAP_SYS_ADMIN we can mount"
		     " neither debugfs nor tracefs");
}

/* Does not prevent tracing by itself. */
static void print_blind(const struct findings *f)
{
	if (geteuid())
		show(false, true, "only root can see whether the kernel is"
		     " locked down; run this as root");
	else
		show(false, true, "whether the kernel is locked down cannot be"
		     " seen, with neither securityfs nor debugfs at %s",
		     f->c->debugfs);
}

/* Relay files need both; prints which is missing. */
static void print_relay(const struct findings *f)
{
	static const char *const texts[] = {
		[LOCKDOWN_NONE] = "the kernel is not locked down",
		[LOCKDOWN_UNKNOWN] = "no sign of a locked down kernel",
		[LOCKDOWN_INTEGRITY] =
			"the kernel is locked down: no relay files",
		[LOCKDOWN_CONFIDENTIALITY] =
			"the kernel is locked down for confidentiality",
	};

	if (f->debugfs)
		show(true, true, "debugfs is mounted at %s", f->c->debugfs);
	else
		show(false, f->good, "debugfs is not mounted at %s: no relay"
		     " files", f->c->debugfs);
	if (f->lockdown == LOCKDOWN_UNKNOWN && f->blind)
		print_blind(f);
	else
		show(f->lockdown < LOCKDOWN_INTEGRITY, f->good, "%s",
		     texts[f->lockdown]);
}

/* Without devices, judges the machine. */
static void print_devices(const struct findings *f)
{
	for (unsigned int i = 0; i < f->c->count; i++)
		show(f->devices[i].good, false, "%s", f->devices[i].text);
	if (!f->c->count)
		show(f->good, false, f->good ? "tracing will work, %s" :
					       "tracing will not work",
		     f->way);
}

/* An unwritable directory is a failure, one on the traced disk a warning. */
static int print_output(const struct findings *f)
{
	const struct check *c = f->c;
	char text[DOCTOR_TEXT];
	int err = doctor_output(text, c->directory, c->base);

	if (err)
		show(false, false, "%s", text);
	else
		show(true, true, "output directory %s is writable",
		     c->directory ? c->directory : ".");
	for (unsigned int i = 0; i < c->count; i++)
		if (doctor_feedback(text, c->directory, c->base, c->paths[i]))
			show(false, true, "%s", text);
	return err;
}

/* --- all of it ------------------------------------------------------------ */

/* The way that seems open; only a device shows it. */
static const char *likely_way(const struct findings *f)
{
	if (f->c->relay && f->debugfs && !geteuid() &&
	    f->lockdown < LOCKDOWN_INTEGRITY)
		return by_relay;
	if (f->c->ftrace && f->ftrace.good)
		return by_ftrace;
	return f->c->bpf && f->bpf.good ? by_bpf : NULL;
}

/* By its effect if it cannot be read. */
static void find_lockdown(struct findings *f)
{
	int locks;

	f->lockdown = system_lockdown();
	if (f->lockdown != LOCKDOWN_UNKNOWN)
		return;
	locks = system_locks_debugfs(f->c->debugfs);
	if (locks == 1)
		f->lockdown = LOCKDOWN_INTEGRITY;
	else
		f->blind = locks;
}

/* Checks the machine, then each device. */
static void look(struct findings *f)
{
	const struct check *c = f->c;

	f->may_mount = system_may_mount();
	f->debugfs = system_has_debugfs(c->debugfs);
	find_lockdown(f);
	f->ftrace.good = try_ftrace(f, "the device", &f->ftrace);
	f->bpf.good = c->bpf && try_bpf(&f->bpf);
	f->way = likely_way(f);
	f->good = c->count || f->way;
	for (unsigned int i = 0; i < c->count; i++) {
		try_device(f, c->paths[i], &f->devices[i]);
		f->good = f->good && f->devices[i].good;
		if (f->devices[i].refused && f->lockdown == LOCKDOWN_UNKNOWN)
			f->lockdown = LOCKDOWN_INTEGRITY;
	}
}

/* From general to specific; the verdict comes last. */
static int print_all(const struct findings *f)
{
	int err = 0;

	if (f->c->relay || f->c->ftrace)
		print_rights(f);
	if (f->c->relay)
		print_relay(f);
	if (f->c->ftrace)
		show(f->ftrace.good, f->good, "%s", f->ftrace.text);
	if (f->c->bpf)
		show(f->bpf.good, f->good, "%s", f->bpf.text);
	if (f->c->to_files)
		err = print_output(f);
	print_devices(f);
	return err || !f->good;
}

int check_run(const struct check *c)
{
	struct findings f = { .c = c };
	int status = 1;

	f.devices = calloc(c->count + 1, sizeof(*f.devices));
	if (!f.devices || cpus_online(&f.cpus)) {
		msg_warn("cannot get online cpus:");
	} else {
		look(&f);
		status = print_all(&f);
	}
	free(f.devices);
	cpus_free(&f.cpus);
	return status;
}
