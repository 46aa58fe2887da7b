/* SPDX-License-Identifier: GPL-2.0-only */
/* Options that do not go together; see options_sense.h. */
#include <stdbool.h>
#include <string.h>

#include "base/msg.h"
#include "base/time.h"
#include "tools/blktrace/options.h"
#include "tools/blktrace/options_sense.h"

static void refuse_ring(const struct options *o)
{
	if (o->ring_size && (o->listen || !options_to_files(o)))
		msg_die("--ring is for files, but there are none with -h, -l"
			" or -o -");
	if (o->ring_size && o->output)
		msg_die("-o is not for --ring: dumps are named by device");
	if (o->ring_size && options_rotates(o))
		msg_die("--ring keeps records in memory, --rotate in files:"
			" take one");
	if (o->ring_size && o->before + NS_PER_SECOND > o->ring_time &&
	    o->ring_time)
		msg_die("--ring must keep a second more than --before asks"
			" for");
	if (o->trigger_count && !o->ring_size)
		msg_die("--on is for --ring");
}

/* Half of what two machines need to know each other would be none of it. */
static void refuse_strangers(const struct options *o)
{
	bool all = o->cert && o->key && o->ca;

	if ((o->cert || o->key || o->ca) && !all)
		msg_die("--cert, --key and --ca go together");
	if (o->identity && (!o->psk || o->listen))
		msg_die("--identity is for --psk with -h");
	if (options_tls(o) && !o->host && !o->listen)
		msg_die("--psk, --cert, --key and --ca are for -h and -l");
	if (o->psk && all && !o->listen)
		msg_die("-h takes --psk or --cert, not both");
}

/* 1.3.0: its own options go together, whether it makes sense or not. */
void options_refuse_nonsense(const struct options *o)
{
	bool limits = o->max_clients || o->max_bytes || o->max_files ||
		      o->each.runs || o->each.bytes || o->each.files ||
		      o->idle != OPTIONS_IDLE;

	if (options_rotates(o) && (o->listen || !options_to_files(o)))
		msg_die("--rotate is for files, but there are none with -h, -l"
			" or -o -");
	if (options_rotates(o) && o->output && strchr(o->output, '/'))
		msg_die("-o has no directory in its name with --rotate: that"
			" is -D's");
	if (o->keep && !options_rotates(o) && !o->ring_size)
		msg_die("--keep is for --rotate and --ring");
	refuse_ring(o);
	if (o->mark && (o->listen || o->host || o->kill || o->check ||
			o->output || o->seconds))
		msg_die("--mark stands alone, with the devices that are"
			" meant");
	if ((limits || o->bind || o->allow || o->user) && !o->listen)
		msg_die("--allow, --bind, --idle, --max-... and --user are for"
			" -l");
	refuse_strangers(o);
	if (o->listen || o->card)
		return;
	if (o->level && !options_to_files(o))
		msg_die("-z packs files, but there are none with -h or -o -");
	if (o->device_count > 1 && o->output && options_to_files(o))
		msg_die("-o not supported with multiple devices");
}
