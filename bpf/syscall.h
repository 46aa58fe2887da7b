/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf(2), with a function for each command that we need.  All return 0 or a new
 * descriptor, closed at exec; or -errno.
 */
#ifndef BPF_SYSCALL_H
#define BPF_SYSCALL_H

#include <stddef.h>
#include <stdint.h>

union bpf_attr;			/* linux/bpf.h */

/* the call itself: its result or -errno */
int bpf_call(int command, union bpf_attr *attr, size_t size);

/* --- maps -------------------------------------------------------------- */

int bpf_map_new(uint32_t type, uint32_t key_size, uint32_t value_size,
		uint32_t entries, uint32_t flags);
/* a map of maps takes a descriptor as a value, and returns an id */
int bpf_map_set(int fd, const void *key, const void *value);
/* the same for a key that is not there yet, or -EEXIST */
int bpf_map_add(int fd, const void *key, const void *value);
int bpf_map_get(int fd, const void *key, void *value);
int bpf_map_remove(int fd, const void *key);
/* the key after key (NULL: the first); -ENOENT: none */
int bpf_map_next(int fd, const void *key, void *next);
int bpf_map_open(uint32_t id);
/* bytes of its keys and values */
int bpf_map_get_sizes(int fd, uint32_t *key, uint32_t *value);

/* --- programs and links ------------------------------------------------ */

/* attaches to the tracepoint of that name; NULL: to the program's own */
int bpf_tracepoint_open(int prog, const char *name);
/* attaches to a target, or with none makes an iterator's link */
int bpf_link_new(int prog, int target, uint32_t type);
/* attaches to a perf event; bpf_get_attach_cookie() is cookie there */
int bpf_event_link_new(int prog, int event, uint64_t cookie);
/* an iterator over the open files of the process pid; read(2) runs it */
int bpf_files_open(int prog, uint32_t pid);
/* runs of a program skipped as it was already running on that CPU */
int bpf_program_get_misses(int prog, uint64_t *n);

/* --- the filesystem of pins -------------------------------------------- */

int bpf_pin_add(int fd, const char *path);
int bpf_pin_open(const char *path);

#endif
