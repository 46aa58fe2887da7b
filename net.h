/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wire format of a capture over TCP: headers of 64 bytes, in the sender's
 * byte order, and trace bytes after data headers; see doc/blktrace-net.5.
 */
#ifndef NET_H
#define NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NET_PORT "8462"

enum {
	NET_HEADER = 64,
	NET_NAME = 32,		/* with its NUL */
	NET_PREFIX = 36,	/* magic and name: the same in a whole flow */
};

/* by a header's len */
enum net_kind {
	NET_OPEN,
	NET_CLOSE,
	NET_ANSWER,
	NET_DATA,		/* this length or a larger one follows */
};

/*
 * As cpu: the data is a device's card, not records.  Only inside TLS, which
 * 1.3.0 does not have; each block is a whole card, and replaces the last one.
 */
#define NET_CPU_CARD 0xfffffffeu
#define NET_CARD_MAX (1u << 20)

/* 1.3.0: lengths are an int */
#define NET_DATA_MAX 0x7fffffffu

/* net_decode()'s result if net_name_valid() is false */
#define NET_BAD_NAME "bad device name"

struct net_header {
	char name[NET_NAME];	/* the kernel's name of the device */
	uint32_t cpu;		/* in a close: dropped events */
	uint32_t max_cpus;	/* the sender's CPU numbers are below */
	uint32_t len;		/* one of enum net_kind, or bytes of data */
	uint32_t run;		/* the sender's pid, on all connections */
	uint32_t buf_size;	/* the sender's -b, in bytes */
	uint32_t buf_nr;	/* and -n */
	uint32_t page_size;
};

void net_encode(const struct net_header *h, uint8_t raw[NET_HEADER]);

/*
 * NULL: *h is valid.  Else a constant phrase such as "bad magic", and *h must
 * not be used; but with NET_BAD_NAME, name is set, maybe without a NUL.
 */
const char *net_decode(struct net_header *h, const uint8_t raw[NET_HEADER]);

/* whether name can be part of a file name */
bool net_name_valid(const char *name);

static inline enum net_kind net_kind(const struct net_header *h)
{
	return h->len < NET_DATA ? (enum net_kind)h->len : NET_DATA;
}

/*
 * How many of left bytes, 3 or more, to send after one header, at most max, 8
 * or more.  Never leaves 1 or 2, which would be a close or an answer.
 */
size_t net_chunk(size_t left, size_t max);

#endif
