/*
 * The sink that sends to a server on another machine (or the original's).
 *
 * Each CPU's thread has a connection of its own, or one for each device.
 * Opens and closes are answered; data is not.  The conversation is told in
 * doc/blktrace-net.5.
 */
#ifndef CAPTURE_SINK_NET_H
#define CAPTURE_SINK_NET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct buf;			/* base/buf.h */
struct sink;			/* capture/sink.h */

struct sink_net_options {
	const char *host, *port;	/* stay where they are */
	uint32_t buf_size;	/* of a sub-buffer: no block is longer */
	uint32_t buf_nr;
	uint32_t max_cpus;	/* CPU numbers are below */
	bool per_device;	/* a connection per device and CPU */
	/* moves once to end all waiting: for names and connections at once,
	 * for a server that takes nothing within seconds */
	const atomic_bool *stop;
};

/*
 * Resolves the host's name; nothing is connected before the first open.
 * NULL: said on stderr, or *stop has moved.
 */
struct sink *sink_net_new(const struct sink_net_options *o);

/* the two lines that a sending blktrace begins with */
void sink_net_connecting(const struct sink *s, struct buf *out);
void sink_net_connected(const struct sink *s, struct buf *out);

#endif
