/* blktrace's command line; see options.h. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act_mask.h"
#include "base/msg.h"
#include "tools/blktrace/options.h"

#define OUR_VERSION "1.0.0"
#define FAITHFUL_TO "1.3.0"
/* what release 1.3.0 of blktrace calls itself */
#define SAYS_IT_IS "2.0.0"

enum {
	BUF_SIZE = 512,		/* KiB */
	BUF_SIZE_MAX = 16384,
	BUF_NR = 4,
};

enum {
	OPT_HELP = 256,
	OPT_RECORD_VERSION,
	OPT_VIA,
	OPT_CHECK,
	OPT_PROGRESS,
	OPT_BIND,
	OPT_ALLOW,
	OPT_MAX_CLIENTS,
	OPT_MAX_BYTES,
};

static const struct option long_options[] = {
	{ "dev", required_argument, NULL, 'd' },
	{ "input-devs", required_argument, NULL, 'I' },
	{ "act-mask", required_argument, NULL, 'a' },
	{ "set-mask", required_argument, NULL, 'A' },
	{ "relay", required_argument, NULL, 'r' },
	{ "output", required_argument, NULL, 'o' },
	{ "output-dir", required_argument, NULL, 'D' },
	{ "kill", no_argument, NULL, 'k' },
	{ "stopwatch", required_argument, NULL, 'w' },
	{ "buffer-size", required_argument, NULL, 'b' },
	{ "num-sub-buffers", required_argument, NULL, 'n' },
	{ "listen", no_argument, NULL, 'l' },
	{ "host", required_argument, NULL, 'h' },
	{ "port", required_argument, NULL, 'p' },
	{ "no-sendfile", no_argument, NULL, 's' },
	{ "version", no_argument, NULL, 'V' },
	{ "bind", required_argument, NULL, OPT_BIND },
	{ "allow", required_argument, NULL, OPT_ALLOW },
	{ "max-clients", required_argument, NULL, OPT_MAX_CLIENTS },
	{ "max-bytes", required_argument, NULL, OPT_MAX_BYTES },
	{ "compress", optional_argument, NULL, 'z' },
	{ "record-version", required_argument, NULL, OPT_RECORD_VERSION },
	{ "via", required_argument, NULL, OPT_VIA },
	{ "check", no_argument, NULL, OPT_CHECK },
	{ "progress", no_argument, NULL, OPT_PROGRESS },
	{ "help", no_argument, NULL, OPT_HELP },
	/* prefixes that 1.3.0 took for one option stay that option's */
	{ "a", required_argument, NULL, 'a' },
	{ "b", required_argument, NULL, 'b' },
	{ "h", required_argument, NULL, 'h' },
	{ "p", required_argument, NULL, 'p' },
	{ "r", required_argument, NULL, 'r' },
	{ "re", required_argument, NULL, 'r' },
	{ NULL, 0, NULL, 0 },
};

static const char help_text[] =
	"Record what the block layer does with devices.\n"
	"\n"
	"  [-d|--dev=]DEVICE            trace this block device\n"
	"  -I, --input-devs=FILE        and those that FILE names\n"
	"  -a, --act-mask=CATEGORY      this category only; add more with more"
	" -a\n"
	"  -A, --set-mask=HEX           the same as a mask in hexadecimal\n"
	"  -w, --stopwatch=SECONDS      stop after that time\n"
	"\n"
	"  -o, --output=NAME            write NAME.blktrace.CPU; - for one"
	" stream on stdout\n"
	"  -D, --output-dir=DIR         put the files there\n"
	"  -z, --compress[=LEVEL]       write gzip'd files, level 1 to 9 (1)\n"
	"      --record-version=7|8     write records of this version\n"
	"      --progress               show on a terminal how it goes\n"
	"\n"
	"  -l, --listen                 collect what blktrace -h sends, until a"
	" signal\n"
	"  -h, --host=HOST              send the trace to blktrace -l there\n"
	"  -p, --port=PORT              by this port (8462)\n"
	"  -s, --no-sendfile            one connection a CPU, not one a device"
	" and CPU\n"
	"      --bind=ADDRESS           listen on this address only\n"
	"      --allow=ADDRESS[/BITS]   take traces from there only; add more"
	" with more\n"
	"      --max-clients=N          so many runs at a time\n"
	"      --max-bytes=N            store no more than that\n"
	"\n"
	"  -b, --buffer-size=KIB        size of the kernel's sub-buffers (512)\n"
	"  -n, --num-sub-buffers=N      how many of them each CPU has (4)\n"
	"  -r, --relay=DIR              where debugfs is (/sys/kernel/debug)\n"
	"      --via=relay|ftrace|bpf   take this way and no other\n"
	"\n"
	"  -k, --kill                   end a trace that a killed run has left\n"
	"      --check                  tell whether tracing will work, and"
	" how\n"
	"  -v, -V, --version            the release this is compatible with\n"
	"      --help                   this text\n";

static void print_help(FILE *to)
{
	fprintf(to, "Usage: %s [OPTION]... DEVICE...\n%s",
		program_invocation_short_name, help_text);
}

__attribute__((noreturn)) static void usage_error(void)
{
	print_help(stderr);
	exit(1);
}

/* A path that is given twice counts once. */
static void add_device(struct options *o, const char *path)
{
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

static void add_devices_of(struct options *o, const char *file)
{
	FILE *f = fopen(file, "re");
	char *word = NULL;
	bool any = false;

	if (!f)
		msg_die("Invalid file for devices %s:", file);
	for (; fscanf(f, "%ms", &word) == 1; any = true) {
		add_device(o, word);
		free(word);
	}
	if (ferror(f))
		msg_die("Invalid file for devices %s:", file);
	if (!any)
		msg_die("Invalid file for devices %s: it names none", file);
	fclose(f);
}

static void add_mask(struct options *o, const char *name)
{
	uint32_t bit = act_mask_bit(name);

	if (!bit)
		msg_die("Invalid action mask %s", name);
	o->mask |= bit;
}

static void set_mask(struct options *o, const char *hex)
{
	char *end;
	unsigned long mask = strtoul(hex, &end, 16);

	if (end == hex || mask < 1 || mask > 0xffff)
		msg_die("Invalid set action mask %s/0x%lx: -A takes 1 to ffff",
			hex, mask);
	o->mask = (uint32_t)mask;
}

static void set_seconds(struct options *o, const char *text)
{
	int seconds = atoi(text);

	if (seconds <= 0)
		msg_die("Invalid stopwatch value (%d secs): -w takes whole"
			" seconds, 1 or more", seconds);
	o->seconds = (unsigned int)seconds;
}

static void set_buf_size(struct options *o, const char *text)
{
	unsigned long kib = strtoul(text, NULL, 10);

	if (kib == 0 || kib > BUF_SIZE_MAX)
		msg_die("Invalid buffer size (%lu): -b takes 1 to %d KiB", kib,
			BUF_SIZE_MAX);
	o->buf_size = (uint32_t)kib << 10;
}

static void set_buf_nr(struct options *o, const char *text)
{
	unsigned long nr = strtoul(text, NULL, 10);

	if (nr == 0 || nr > UINT32_MAX)
		msg_die("Invalid buffer nr (%lu): -n takes 1 or more", nr);
	o->buf_nr = (uint32_t)nr;
}

static void set_level(struct options *o, const char *text)
{
	o->level = text ? atoi(text) : 1;
	if (o->level < 1 || o->level > 9)
		msg_die("-z takes a level from 1 to 9, not %s", text);
}

static void set_record_version(struct options *o, const char *text)
{
	if (strcmp(text, "7") && strcmp(text, "8"))
		msg_die("--record-version is 7 or 8, not %s", text);
	o->record_version = (unsigned int)(*text - '0');
}

static void set_via(struct options *o, const char *text)
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
		if (!strcmp(text, ways[i].name)) {
			o->via = ways[i].via;
			return;
		}
	msg_die("--via is relay, ftrace or bpf, not %s", text);
}

static void add_allowed(struct options *o, const char *text)
{
	struct server_net *allow = realloc(o->allow, (o->allow_count + 1) *
							     sizeof(*allow));

	if (!allow)
		msg_die("out of memory");
	o->allow = allow;
	if (server_net_parse(&allow[o->allow_count++], text))
		msg_die("--allow takes an address or network, not %s", text);
}

static uint64_t count_of(const char *option, const char *text)
{
	char *end;
	unsigned long long n = strtoull(text, &end, 10);

	if (end == text || *end || n == 0)
		msg_die("%s takes a number above 0, not %s", option, text);
	return n;
}

static void set_max_clients(struct options *o, const char *text)
{
	uint64_t n = count_of("--max-clients", text);

	o->max_clients = n < UINT32_MAX ? (unsigned int)n : UINT32_MAX;
}

/* As ever, what follows the number is not looked at. */
static void set_port(struct options *o, const char *text)
{
	unsigned long port = strtoul(text, NULL, 10);

	if (port < 1 || port > UINT16_MAX)
		msg_die("-p takes a port from 1 to 65535, not %s", text);
	snprintf(o->port, sizeof(o->port), "%u", (uint16_t)port);
}

/* Of -l and -h, the last one given counts. */
static void set_role(struct options *o, const char *host)
{
	o->listen = !host;
	o->host = host;
}

static void set_option(struct options *o, int c, const char *arg,
		       const char *self)
{
	switch (c) {
	case 'd': add_device(o, arg); break;
	case 'I': add_devices_of(o, arg); break;
	case 'a': add_mask(o, arg); break;
	case 'A': set_mask(o, arg); break;
	case 'r': o->debugfs = arg; break;
	case 'o': o->output = arg; break;
	case 'D': o->directory = arg; break;
	case 'k': o->kill = true; break;
	case 'l': set_role(o, NULL); break;
	case 'h': set_role(o, arg); break;
	case 'p': set_port(o, arg); break;
	case 's': o->per_cpu = true; break;
	case OPT_BIND: o->bind = arg; break;
	case OPT_ALLOW: add_allowed(o, arg); break;
	case OPT_MAX_CLIENTS: set_max_clients(o, arg); break;
	case OPT_MAX_BYTES: o->max_bytes = count_of("--max-bytes", arg); break;
	case 'w': set_seconds(o, arg); break;
	case 'b': set_buf_size(o, arg); break;
	case 'n': set_buf_nr(o, arg); break;
	case 'z': set_level(o, arg); break;
	case 'v':
	case 'V':
		printf("%s version %s\n", self, SAYS_IT_IS);
		exit(0);
	case OPT_RECORD_VERSION: set_record_version(o, arg); break;
	case OPT_VIA: set_via(o, arg); break;
	case OPT_CHECK: o->check = true; break;
	case OPT_PROGRESS: o->progress = true; break;
	case OPT_HELP:
		print_help(stdout);
		printf("\nblktrace %s, compatible with release %s\n",
		       OUR_VERSION, FAITHFUL_TO);
		exit(0);
	default: usage_error();
	}
}

/* The classic options go together as ever, whether it makes sense or not. */
static void refuse_nonsense(const struct options *o)
{
	bool limits = o->bind || o->allow || o->max_clients || o->max_bytes;

	if (limits && !o->listen)
		msg_die("--bind, --allow, --max-clients and --max-bytes are for"
			" -l");
	if (o->check && o->via == VIA_BPF)
		msg_die("--check looks at relay files and ftrace, not at bpf");
	if (o->listen)
		return;
	if (o->level && !options_to_files(o))
		msg_die("-z packs files, but there are none with -h or -o -");
	if (o->device_count > 1 && o->output && options_to_files(o))
		msg_die("-o not supported with multiple devices");
}

void options_parse(struct options *o, int argc, char **argv)
{
	static const char letters[] = "d:a:A:r:o:kw:vVb:n:D:lh:p:sI:z::";
	int c;

	*o = (struct options){ .debugfs = "/sys/kernel/debug",
			       .buf_size = BUF_SIZE << 10,
			       .buf_nr = BUF_NR,
			       .port = "8462" };
	while ((c = getopt_long(argc, argv, letters, long_options, NULL)) != -1)
		set_option(o, c, optarg, argv[0]);
	while (optind < argc)
		add_device(o, argv[optind++]);
	if (!o->device_count && !o->check && !o->listen)
		usage_error();
	refuse_nonsense(o);
	if (o->listen && o->output)
		msg_warn("-o ignored in server mode");
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

bool options_to_files(const struct options *o)
{
	return !o->host && !(o->output && !strcmp(o->output, "-"));
}

void options_free(struct options *o)
{
	for (int i = 0; i < o->device_count; i++)
		free((void *)o->devices[i]);
	free(o->devices);
	free(o->allow);
}
