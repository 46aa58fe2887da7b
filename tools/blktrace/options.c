/* SPDX-License-Identifier: GPL-2.0-only */
/* blktrace's command line; see options.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "act_mask.h"
#include "base/msg.h"
#include "base/time.h"
#include "cli/options.h"
#include "cli/set.h"
#include "file/segments.h"
#include "pack/frame.h"
#include "tools/blktrace/options.h"

enum {
	BUF_SIZE = 512,		/* KiB */
	BUF_SIZE_MAX = 16384,
	BUF_NR = 4,
};

/* Adds a path once. */
static void add_device(void *options, const char *path)
{
	struct options *o = options;
	const char **devices;

	for (int i = 0; i < o->device_count; i++)
		if (!strcmp(o->devices[i], path))
			return;
	devices = realloc(o->devices, (size_t)(o->device_count + 1) *
					      sizeof(*devices));
	if (!devices)
		msg_die("out of memory");
	o->devices = devices;
	devices[o->device_count] = strdup(path);
	if (!devices[o->device_count++])
		msg_die("out of memory");
}

static bool are_devices(char **words, int count)
{
	struct stat st;

	for (int i = 0; i < count; i++)
		if (stat(words[i], &st) || !S_ISBLK(st.st_mode))
			return false;
	return true;
}

/*
 * Words after "--" are a command if a device precedes them.  1.3.0: devices, as
 * they still are without one, where nothing is traced, and if all are devices.
 */
static void take_rest(void *options, char **words, int count)
{
	struct options *o = options;

	if (!count)
		return;
	if (o->device_count && !o->kill && !o->card && !o->check && !o->mark &&
	    !o->listen && !are_devices(words, count))
		o->command = words;
	for (int i = 0; !o->command && i < count; i++)
		add_device(o, words[i]);
}

static void add_devices_of(void *options, const char *file)
{
	FILE *f = fopen(file, "re");
	char *word = NULL;
	bool any = false;

	if (!f)
		msg_die("Invalid file for devices %s:", file);
	for (; fscanf(f, "%ms", &word) == 1; any = true) {
		add_device(options, word);
		free(word);
	}
	if (ferror(f))
		msg_die("Invalid file for devices %s:", file);
	if (!any)
		msg_die("Invalid file for devices %s: it names none", file);
	fclose(f);
}

static void set_seconds(void *seconds, const char *text)
{
	int n = atoi(text);

	if (n <= 0)
		msg_die("Invalid stopwatch value (%d secs): -w takes whole"
			" seconds, 1 or more", n);
	*(unsigned int *)seconds = (unsigned int)n;
}

static void set_buf_size(void *bytes, const char *text)
{
	unsigned long kib = strtoul(text, NULL, 10);

	if (kib == 0 || kib > BUF_SIZE_MAX)
		msg_die("Invalid buffer size (%lu): -b takes 1 to %d KiB", kib,
			BUF_SIZE_MAX);
	*(uint32_t *)bytes = (uint32_t)kib << 10;
}

static void set_buf_nr(void *count, const char *text)
{
	unsigned long nr = strtoul(text, NULL, 10);

	if (nr == 0 || nr > UINT32_MAX)
		msg_die("Invalid buffer nr (%lu): -n takes 1 or more", nr);
	*(uint32_t *)count = (uint32_t)nr;
}

/* The fastest level by default. */
static void set_level(void *level, const char *text)
{
	*(int *)level = text ? atoi(text) : 1;
}

static void set_via(void *via, const char *text)
{
	static const struct {
		const char *name;
		int via;
	} ways[] = {
		{ "relay", VIA_RELAY },
		{ "ftrace", VIA_FTRACE },
		{ "bpf", VIA_BPF },
	};

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
		if (!strcmp(text, ways[i].name))
			*(int *)via = ways[i].via;
}

static void add_allowed(void *options, const char *text)
{
	struct options *o = options;
	struct server_net *allow = realloc(o->allow, (o->allow_count + 1) *
							     sizeof(*allow));

	if (!allow)
		msg_die("out of memory");
	o->allow = allow;
	if (server_net_parse(&allow[o->allow_count++], text))
		msg_die("--allow takes an address or network, not %s", text);
}

/* 1.3.0: ignores text after the number. */
static void set_port(void *port, const char *text)
{
	unsigned long n = strtoul(text, NULL, 10);

	if (n < 1 || n > UINT16_MAX)
		msg_die("-p takes a port from 1 to 65535, not %s", text);
	snprintf(port, sizeof(((struct options *)0)->port), "%u", (uint16_t)n);
}

/* The last of -l, which has no host, and -h counts. */
static void set_role(void *options, const char *host)
{
	struct options *o = options;

	o->listen = !host;
	o->host = host;
}

/* The first option of a flight recorder, or NULL. */
static const char *asked_of_ring(const struct options *o)
{
	const struct {
		const char *name;
		bool given;
	} all[] = {
		{ "--on", o->ring.trigger_count },
		{ "--before", o->before != OPTIONS_UNSET },
		{ "--after", o->after != OPTIONS_UNSET },
		{ "--every", o->every != OPTIONS_UNSET },
		{ "--max-dumps", o->max_dumps },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].given)
			return all[i].name;
	return NULL;
}

/* Sets its defaults. */
static void settle_ring(struct options *o)
{
	const char *asked = asked_of_ring(o);

	if (asked && !o->ring.size)
		msg_die("%s is for --ring: add --ring=SIZE, as --ring=64M",
			asked);
	if (o->before == OPTIONS_UNSET)
		o->before = 10 * NS_PER_SECOND;
	if (o->after == OPTIONS_UNSET)
		o->after = 2 * NS_PER_SECOND;
	if (o->every == OPTIONS_UNSET)
		o->every = 60 * NS_PER_SECOND;
	if (!o->max_dumps)
		o->max_dumps = 100;
}

static void refuse_ring(const struct options *o)
{
	if (o->ring.size && (o->listen || !options_to_files(o)))
		msg_die("--ring is for files, but there are none with -h, -l"
			" or -o -");
	if (o->ring.size && o->output)
		msg_die("-o is not for --ring: dumps are named by device");
	if (o->ring.size && options_rotates(o))
		msg_die("--ring keeps records in memory, --rotate in files:"
			" take one");
	if (o->ring.size && o->before + NS_PER_SECOND > o->ring.time &&
	    o->ring.time)
		msg_die("--ring must keep a second more than --before asks"
			" for");
}

/* Refuses incomplete keys and certificates. */
static void refuse_strangers(const struct options *o)
{
	bool all = o->cert && o->key && o->ca;

	if (o->crl && !all)
		msg_die("--crl is for --cert, --key and --ca");
	if ((o->cert || o->key || o->ca) && !all)
		msg_die("--cert, --key and --ca go together");
	if (o->identity && (!o->psk || o->listen))
		msg_die("--identity is for --psk with -h");
	if (options_tls(o) && !o->host && !o->listen)
		msg_die("--psk, --cert, --key and --ca are for -h and -l");
	if (o->psk && all && !o->listen)
		msg_die("-h takes --psk or --cert, not both");
}

static void refuse_joined(const struct options *o)
{
	if (o->joined && o->via != VIA_BPF)
		msg_die("--joined is for --via=bpf");
}

/* Our BPF programs do not record cgroups. */
static void refuse_cgroups(const struct options *o)
{
	if (o->cgroup && o->via == VIA_BPF)
		msg_die("--cgroup is for relay files and ftrace, not for"
			" --via=bpf");
	if (o->cgroup && o->listen)
		msg_die("--cgroup is for the machine that is traced, not for"
			" -l");
}

static void refuse_pack(const struct options *o)
{
	if (!o->pack)
		return;
	if (!frame_built())
		msg_die("built without libzstd, which packs traces");
	if (o->level)
		msg_die("--pack and -z compress differently: use one of them");
}

static void refuse_strict(const struct options *o)
{
	if (o->strict && (o->listen || o->kill || o->card || o->check ||
			  o->mark))
		msg_die("--strict is for a capture");
}

static void refuse_stat(const struct options *o)
{
	if (!o->stat)
		return;
	if (o->listen || o->kill || o->card || o->check || o->mark)
		msg_die("--stat is for a capture");
	if (!options_to_files(o) || o->ring.size)
		msg_die("--stat reads the trace's files, but there are none"
			" with -h, -o - or --ring");
}

/* 1.3.0: accepts any combination of its own options. */
static void refuse_nonsense(const struct options *o)
{
	bool limits = o->limits.max_clients || o->limits.max_bytes || o->limits.max_files ||
		      o->limits.each.runs || o->limits.each.bytes || o->limits.each.files ||
		      o->limits.each.day_bytes ||
		      o->idle != OPTIONS_IDLE;

	if (options_rotates(o) && (o->listen || !options_to_files(o)))
		msg_die("--rotate is for files, but there are none with -h, -l"
			" or -o -");
	if (options_rotates(o) && o->output && strchr(o->output, '/'))
		msg_die("-o has no directory in its name with --rotate: that"
			" is -D's");
	if (o->keep && !options_rotates(o) && !o->ring.size)
		msg_die("--keep is for --rotate and --ring");
	refuse_ring(o);
	if (o->mark && (o->listen || o->host || o->kill || o->check ||
			o->output || o->seconds))
		msg_die("--mark stands alone, with the devices that are"
			" meant");
	if (!o->listen && (o->retention.age || o->retention.bytes ||
			   o->retention.free))
		msg_die("--keep-bytes, --min-free and a time of --keep are for"
			" -l");
	if (o->status && !o->listen)
		msg_die("--status is for -l");
	if (o->durable && !o->listen)
		msg_die("--durable is for -l");
	if (o->spool.directory && !o->host)
		msg_die("--spool is for -h");
	if ((limits || o->bind || o->allow || o->allow_file) && !o->listen)
		msg_die("--allow, --bind, --idle and --max-... are for -l");
	if (o->user && !o->listen && !o->command)
		msg_die("--user is for -l, or for a command: DEVICE --"
			" COMMAND");
	refuse_stat(o);
	refuse_pack(o);
	refuse_strict(o);
	refuse_strangers(o);
	refuse_cgroups(o);
	refuse_joined(o);
	if (o->listen || o->card)
		return;
	if (o->level && !options_to_files(o))
		msg_die("-z packs files, but there are none with -h or -o -");
	if (o->device_count > 1 && o->output && options_to_files(o) &&
	    (!o->pack || options_rotates(o)))
		msg_die("-o not supported with multiple devices");
}

/* --- the table ----------------------------------------------------------- */

#define AT(field) .at = offsetof(struct options, field)

static const struct cli_option rows[] = {
	{ "d", "dev", "DEVICE", "trace this block device, like an operand",
	  .group = "What is traced", .classic = true,
	  .completes = CLI_DEVICE, .set = add_device },
	{ "I", "input-devs", "FILE", "trace the devices listed in FILE",
	  .classic = true, .completes = CLI_FILE, .set = add_devices_of },
	{ "a", "act-mask", "CATEGORY",
	  "trace only this category (may be repeated)",
	  .classic = true, .word = act_mask_name,
	  .set = cli_add_mask, AT(mask) },
	{ "A", "set-mask", "HEX", "the categories as a hexadecimal mask",
	  .classic = true, .set = cli_set_mask, AT(mask) },
	{ NULL, "cgroup", NULL,
	  "record cgroups; their names go to NAME.blktrace.json",
	  CLI_FLAG(struct options, cgroup) },
	{ "w", "stopwatch", "SECONDS", "stop after this time",
	  .classic = true, .set = set_seconds, AT(seconds) },

	{ "o", "output", "NAME",
	  "write NAME.blktrace.CPU; - for one stream on standard output",
	  .group = "Where it is written", .classic = true,
	  .completes = CLI_FILE, CLI_TEXT(struct options, output) },
	{ "D", "output-dir", "DIR", "directory for the files",
	  .classic = true, .completes = CLI_DIRECTORY,
	  CLI_TEXT(struct options, directory) },
	{ "z", "compress", "[LEVEL]", "write gzip'd files, level 1 to 9 (1)",
	  .min = 1, .max = 9, .set = set_level, AT(level) },
	{ NULL, "pack", NULL,
	  "write one packed file, NAME.btz, a tenth of the size; with -l one per"
	  " run; with --spool send packed",
	  CLI_FLAG(struct options, pack) },
	{ NULL, "rotate", "AMOUNT",
	  "start a new directory after AMOUNT (500M, 2G, 10m, 1h)",
	  .set = options_set_rotate, AT(ring) },
	{ NULL, "ring", "SIZE[,TIME]",
	  "keep the last records in memory (64M; 64M,30s)",
	  .set = options_set_ring, AT(ring) },
	{ NULL, "on", "TRIGGER",
	  "write them when an I/O matches, as q2c>50ms (may be repeated)",
	  .set = options_add_trigger, AT(ring) },
	{ NULL, "before", "TIME", "time to write before the match (10s)",
	  .set = options_set_time, AT(before) },
	{ NULL, "after", "TIME", "time to write after the match (2s)",
	  .set = options_set_time, AT(after) },
	{ NULL, "every", "TIME", "at most one dump per TIME (60s)",
	  .set = options_set_time, AT(every) },
	{ NULL, "max-dumps", "N", "at most N dumps (100, unless --keep)",
	  .min = 1, .max = UINT32_MAX, CLI_UINT(struct options, max_dumps) },
	{ NULL, "keep", "N",
	  "keep the last N of these directories; a time (30d): a collector's"
	  " runs for so long",
	  .set = options_set_keep },
	{ NULL, "record-version", "7|8", "write records of this version",
	  CLI_UINT(struct options, record_version) },
	{ NULL, "no-serial", NULL,
	  "leave serial numbers out of NAME.blktrace.json",
	  CLI_FLAG(struct options, no_serial) },
	{ NULL, "progress", NULL, "show progress on a terminal",
	  CLI_FLAG(struct options, progress) },
	{ NULL, "strict", NULL,
	  "exit with status 1 if the trace lacks events or I/Os",
	  CLI_FLAG(struct options, strict) },
	{ NULL, "stat", NULL, "run btstat on the trace at its end",
	  CLI_FLAG(struct options, stat) },

	{ "l", "listen", NULL,
	  "collect what blktrace -h sends, until a signal",
	  .group = "Over the network", .classic = true, .set = set_role },
	{ "h", "host", "HOST", "send the trace to blktrace -l on HOST",
	  .classic = true, .set = set_role },
	{ "p", "port", "PORT", "port of -l and -h (8462)",
	  .classic = true, .set = set_port, AT(port) },
	{ "s", "no-sendfile", NULL,
	  "one connection per CPU instead of per device and CPU",
	  .classic = true, CLI_FLAG(struct options, per_cpu) },
	{ NULL, "spool", "DIR,SIZE",
	  "lose nothing while HOST is away: up to SIZE (1G) waits in DIR",
	  .completes = CLI_DIRECTORY, .set = options_set_spool, AT(spool) },
	{ NULL, "durable", NULL,
	  "acknowledge to --spool only what is on the disk",
	  CLI_FLAG(struct options, durable) },
	{ NULL, "bind", "ADDRESS", "listen on this address only",
	  CLI_TEXT(struct options, bind) },
	{ NULL, "user", "NAME",
	  "switch to this user after binding the port; or run COMMAND as this"
	  " user",
	  CLI_TEXT(struct options, user) },
	{ NULL, "allow", "ADDRESS[/BITS]",
	  "accept traces only from ADDRESS (may be repeated)",
	  .set = add_allowed },
	{ NULL, "allow-file", "FILE",
	  "and from those that FILE lists, one a line",
	  .completes = CLI_FILE, CLI_TEXT(struct options, allow_file) },
	{ NULL, "max-clients", "N[/source]",
	  "at most N runs at a time, in total or per sender",
	  .set = options_set_max_clients, AT(limits) },
	{ NULL, "max-runs", "N[/source]", "same as --max-clients",
	  .set = options_set_max_runs, AT(limits) },
	{ NULL, "max-bytes", "SIZE[/source[/day]]",
	  "store at most SIZE (500M, 2G)",
	  .set = options_set_max_bytes, AT(limits) },
	{ NULL, "max-files", "N[/source]", "make at most N files",
	  .set = options_set_max_files, AT(limits) },
	{ NULL, "keep-bytes", "SIZE",
	  "remove the oldest runs beyond SIZE (100G) in all",
	  .set = options_set_keep_bytes, AT(retention) },
	{ NULL, "min-free", "PERCENT",
	  "remove the oldest runs while less is free on the disk (10%)",
	  .set = options_set_min_free, AT(retention) },
	{ NULL, "idle", "SECONDS",
	  "drop a run that sends nothing for this long (60)",
	  .max = UINT32_MAX, CLI_UINT(struct options, idle) },
	{ NULL, "status", "FILE",
	  "write runs, bytes and refusals to FILE every 5 s (Prometheus)",
	  .completes = CLI_FILE, CLI_TEXT(struct options, status) },
	{ NULL, "psk", "FILE",
	  "encrypt with a key from FILE, shared by both ends",
	  .completes = CLI_FILE, CLI_TEXT(struct options, psk) },
	{ NULL, "identity", "NAME", "use NAME's key from it (the first)",
	  CLI_TEXT(struct options, identity) },
	{ NULL, "cert", "FILE", "encrypt; this end's certificate",
	  .completes = CLI_FILE, CLI_TEXT(struct options, cert) },
	{ NULL, "key", "FILE", "the certificate's private key",
	  .completes = CLI_FILE, CLI_TEXT(struct options, key) },
	{ NULL, "ca", "FILE", "CA certificates that must have signed the peer's"
	  " certificate",
	  .completes = CLI_FILE, CLI_TEXT(struct options, ca) },
	{ NULL, "crl", "FILE", "refuse certificates that FILE revokes",
	  .completes = CLI_FILE, CLI_TEXT(struct options, crl) },

	{ "b", "buffer-size", "KIB", "size of the kernel's sub-buffers (512)",
	  .group = "How the kernel traces", .classic = true,
	  .set = set_buf_size, AT(buf_size) },
	{ "n", "num-sub-buffers", "N", "sub-buffers per CPU (4)",
	  .classic = true, .set = set_buf_nr, AT(buf_nr) },
	{ "r", "relay", "DIR", "mount point of debugfs (/sys/kernel/debug)",
	  .classic = true, .completes = CLI_DIRECTORY,
	  CLI_TEXT(struct options, debugfs) },
	{ NULL, "via", "relay|ftrace|bpf", "record only by this way",
	  .set = set_via, AT(via) },
	{ NULL, "joined", NULL,
	  "with --via=bpf: one record per I/O in the kernel, which costs less",
	  CLI_FLAG(struct options, joined) },
	{ "k", "kill", NULL, "stop a trace left behind by a killed blktrace",
	  .classic = true, CLI_FLAG(struct options, kill) },
	{ NULL, "card", NULL,
	  "print the contents of NAME.blktrace.json",
	  CLI_FLAG(struct options, card) },
	{ NULL, "mark", "TEXT",
	  "write TEXT into running traces of DEVICE, or of all devices",
	  CLI_TEXT(struct options, mark) },
	{ NULL, "check", NULL, "report whether tracing will work, and how",
	  CLI_FLAG(struct options, check) },
};

static const struct cli_program program = {
	.name = "blktrace",
	.usage = "[OPTION]... DEVICE... [-- COMMAND [ARG]...]\n-l [OPTION]...\n--card NAME...\n"
		 "--mark=TEXT [DEVICE...]",
	.purpose = "Record the block layer's events of devices.",
	.options = rows,
	.option_count = sizeof(rows) / sizeof(*rows),
	.operands = CLI_DEVICE,
	.operand = add_device,
	.rest = take_rest,
	.examples =
		"blktrace -w 10 /dev/sda         ten seconds, to"
		" sda.blktrace.*\n"
		"blktrace --stat /dev/sda -- fio job\n"
		"blktrace --check /dev/sda       will it work here?\n",
	.status = "0; 1 if something could not be traced or written, --strict"
		  " found losses, or -k or --mark found no trace; else"
		  " COMMAND's.",
	.section = 8,
	.release = "2.0.0",	/* 1.3.0: calls its blktrace so */
	.version_letters = "vV",
};

/* Before parsing, which reorders them. */
static void keep_words(struct options *o, int argc, char **argv)
{
	o->words = malloc((size_t)argc * sizeof(*o->words));
	if (!o->words)
		msg_die("out of memory");
	o->word_count = argc;
	for (int i = 0; i < argc; i++)
		o->words[i] = argv[i];
}

/* 1.3.0: puts "./" in front, so that an absolute name fails. */
static void split_output(struct options *o)
{
	const char *slash = o->output ? strrchr(o->output, '/') : NULL;

	if (!slash || *o->output != '/' || !slash[1] || o->directory)
		return;
	o->output_directory = strndup(o->output, slash == o->output ?
				      1 : (size_t)(slash - o->output));
	if (!o->output_directory)
		msg_die("out of memory");
	o->directory = o->output_directory;
	o->output = slash + 1;
}

/* A packed file has its suffix once. */
static void cut_suffix(struct options *o)
{
	size_t len = o->output ? strlen(o->output) : 0;
	size_t suffix = strlen(SEGMENT_PACKED);

	if (!o->pack || len <= suffix ||
	    strcmp(o->output + len - suffix, SEGMENT_PACKED))
		return;
	o->output_name = strndup(o->output, len - suffix);
	if (!o->output_name)
		msg_die("out of memory");
	o->output = o->output_name;
}

void blktrace_options_parse(struct options *o, int argc, char **argv)
{
	*o = (struct options){ .debugfs = "/sys/kernel/debug",
			       .buf_size = BUF_SIZE << 10,
			       .buf_nr = BUF_NR,
			       .before = OPTIONS_UNSET,
			       .after = OPTIONS_UNSET,
			       .every = OPTIONS_UNSET,
			       .port = "8462",
			       .idle = OPTIONS_IDLE };
	keep_words(o, argc, argv);
	cli_parse(&program, o, argc, argv);
	if (!o->device_count && o->card)
		cli_usage_error(&program, "no trace is named");
	if (!o->device_count && !o->check && !o->listen && !o->mark)
		cli_usage_error(&program, "no device is named");
	settle_ring(o);
	refuse_nonsense(o);
	if (o->listen && o->output)
		msg_warn("-o ignored in server mode");
	else
		split_output(o);
	cut_suffix(o);
}

struct kernel_setup options_setup(const struct options *o)
{
	return (struct kernel_setup){
		.mask = o->mask,
		.buf_size = o->buf_size,
		.buf_nr = o->buf_nr,
		.version = o->record_version,
	};
}

static bool is_pipe(const struct options *o)
{
	return o->output && !strcmp(o->output, "-");
}

bool options_to_files(const struct options *o)
{
	return !o->host && !is_pipe(o);
}

const char *options_base(const struct options *o)
{
	const char *slash = o->output ? strrchr(o->output, '/') : NULL;

	if (!o->pack)
		return o->output;
	if (o->device_count > 1 || is_pipe(o))
		return NULL;
	return slash ? slash + 1 : o->output;
}

char *options_packed(const struct options *o, const char *device)
{
	const char *name = o->output ? o->output :
			   o->device_count > 1 ? "blktrace" : device;
	char *path;

	return asprintf(&path, "%s/%s" SEGMENT_PACKED,
			o->directory ? o->directory : ".", name) < 0 ?
		       NULL : path;
}

bool options_rotates(const struct options *o)
{
	return o->ring.rotate_size || o->ring.rotate_time;
}

bool options_tls(const struct options *o)
{
	return o->psk || o->cert;
}

void blktrace_options_free(struct options *o)
{
	for (int i = 0; i < o->device_count; i++)
		free((void *)o->devices[i]);
	options_ring_free(&o->ring);
	free(o->devices);
	free(o->allow);
	free(o->output_directory);
	free(o->output_name);
	free(o->spool.directory);
	free(o->words);
}
