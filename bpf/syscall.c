/* SPDX-License-Identifier: GPL-2.0-only */
/* bpf(2); see syscall.h. */
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/syscall.h"

int bpf_call(int command, union bpf_attr *attr, size_t size)
{
	long result = syscall(SYS_bpf, command, attr, size);

	return result < 0 ? -errno : (int)result;
}

static int call(int command, union bpf_attr *attr)
{
	return bpf_call(command, attr, sizeof(*attr));
}

static uint64_t pointer(const void *p)
{
	return (uintptr_t)p;
}

static int get_info(int fd, void *info, uint32_t size)
{
	union bpf_attr attr = { 0 };

	attr.info.bpf_fd = (uint32_t)fd;
	attr.info.info_len = size;
	attr.info.info = pointer(info);
	return call(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

/* --- maps -------------------------------------------------------------- */

int bpf_map_new(uint32_t type, uint32_t key_size, uint32_t value_size,
		uint32_t entries, uint32_t flags)
{
	union bpf_attr attr = {
		.map_type = type,
		.key_size = key_size,
		.value_size = value_size,
		.max_entries = entries,
		.map_flags = flags,
	};

	return call(BPF_MAP_CREATE, &attr);
}

int bpf_map_set(int fd, const void *key, const void *value)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)fd,
		.key = pointer(key),
		.value = pointer(value),
	};

	return call(BPF_MAP_UPDATE_ELEM, &attr);
}

int bpf_map_add(int fd, const void *key, const void *value)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)fd,
		.key = pointer(key),
		.value = pointer(value),
		.flags = BPF_NOEXIST,
	};

	return call(BPF_MAP_UPDATE_ELEM, &attr);
}

int bpf_map_get(int fd, const void *key, void *value)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)fd,
		.key = pointer(key),
		.value = pointer(value),
	};

	return call(BPF_MAP_LOOKUP_ELEM, &attr);
}

int bpf_map_remove(int fd, const void *key)
{
	union bpf_attr attr = { .map_fd = (uint32_t)fd, .key = pointer(key) };

	return call(BPF_MAP_DELETE_ELEM, &attr);
}

int bpf_map_next(int fd, const void *key, void *next)
{
	union bpf_attr attr = {
		.map_fd = (uint32_t)fd,
		.key = pointer(key),
		.next_key = pointer(next),
	};

	return call(BPF_MAP_GET_NEXT_KEY, &attr);
}

int bpf_map_open(uint32_t id)
{
	union bpf_attr attr = { .map_id = id };

	return call(BPF_MAP_GET_FD_BY_ID, &attr);
}

int bpf_map_get_sizes(int fd, uint32_t *key, uint32_t *value)
{
	struct bpf_map_info info;
	int err;

	memset(&info, 0, sizeof(info));
	err = get_info(fd, &info, sizeof(info));
	*key = info.key_size;
	*value = info.value_size;
	return err;
}

/* --- programs and links ------------------------------------------------ */

int bpf_tracepoint_open(int prog, const char *name)
{
	union bpf_attr attr = {
		.raw_tracepoint = {
			.name = pointer(name),
			.prog_fd = (uint32_t)prog,
		},
	};

	return call(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

int bpf_link_new(int prog, int target, uint32_t type)
{
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = (uint32_t)prog,
			.target_fd = (uint32_t)target,
			.attach_type = type,
		},
	};

	return call(BPF_LINK_CREATE, &attr);
}

int bpf_event_link_new(int prog, int event, uint64_t cookie)
{
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = (uint32_t)prog,
			.target_fd = (uint32_t)event,
			.attach_type = BPF_PERF_EVENT,
			.perf_event = { .bpf_cookie = cookie },
		},
	};

	return call(BPF_LINK_CREATE, &attr);
}

int bpf_files_open(int prog, uint32_t pid)
{
	union bpf_iter_link_info info = { .task = { .pid = pid } };
	union bpf_attr attr = {
		.link_create = {
			.prog_fd = (uint32_t)prog,
			.attach_type = BPF_TRACE_ITER,
			.iter_info = pointer(&info),
			.iter_info_len = sizeof(info),
		},
	};
	int link = call(BPF_LINK_CREATE, &attr), fd;

	if (link < 0)
		return link;
	memset(&attr, 0, sizeof(attr));
	attr.iter_create.link_fd = (uint32_t)link;
	fd = call(BPF_ITER_CREATE, &attr);
	close(link);
	return fd;
}

int bpf_program_get_misses(int prog, uint64_t *n)
{
	struct bpf_prog_info info;
	int err;

	memset(&info, 0, sizeof(info));
	err = get_info(prog, &info, sizeof(info));
	*n = err ? 0 : info.recursion_misses;
	return err;
}

/* --- the filesystem of pins -------------------------------------------- */

int bpf_pin_add(int fd, const char *path)
{
	union bpf_attr attr = { .pathname = pointer(path),
				.bpf_fd = (uint32_t)fd };

	return call(BPF_OBJ_PIN, &attr);
}

int bpf_pin_open(const char *path)
{
	union bpf_attr attr = { .pathname = pointer(path) };

	return call(BPF_OBJ_GET, &attr);
}
