/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Packs chunks: a thread with less priority, which looks ten times a second for
 * what whoever reads along has left behind.  It costs no thread that records
 * anything: when it comes too late, chunks go as they are, and the ring reaches
 * less far back.
 */
#ifndef CAPTURE_TO_PACKER_H
#define CAPTURE_TO_PACKER_H

struct chunks;			/* capture/to/chunks.h */
struct packer;

/* level: of gzip, 1 to 9; c is there until the end.  0 and *p, or -errno */
int packer_start(struct packer **p, struct chunks *c, int level);

/* NULL is fine */
void packer_end(struct packer *p);

#endif
