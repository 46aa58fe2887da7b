/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines of the level VFS by watching system calls: what works where functions
 * cannot be probed.  A call's line is made when it returns, with the time of
 * its entry: only then is it known where an append went, and whether anything
 * was done at all.
 */
#ifndef CAPTURE_BPF_CALLS_H
#define CAPTURE_BPF_CALLS_H

#include "bpf/lines.bpf.h"
#include "bpf/registers.bpf.h"
#include "bpf/trees.bpf.h"

enum {
	CALL_ON_FIRST = CALL_PLAIN | CALL_VECTOR | CALL_OTHER,
	COMPAT_CS = 0x23,	/* x86: the code segment of 32-bit programs */
	SUBMIT_MAX = 1024,	/* iocbs of one io_submit, and */
	VECTOR_MAX = 1024,	/* pieces of one readv, that we look at */
	OPEN_APPEND = 02000,
	RWF_DSYNC = 2,
	RWF_SYNC = 4,
	PAGE_BYTES = 4096,
	ERROR_AGAIN = -11,
	ERROR_RESTART = -512,	/* down to -516: the call is made once more */
	ERROR_RESTART_LAST = -516,
};

/* --- arguments --------------------------------------------------------- */

/* Programs of 32 bits have calls of other numbers, which we do not know. */
INLINE bool call_is_foreign(struct pt_regs *regs)
{
	struct pt_regs___x86 *x86 = (void *)regs;

	return bpf_core_field_exists(x86->cs) && x86->cs == COMPAT_CS;
}

INLINE struct file *file_of(__u64 fd)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct fdtable *table;
	struct file *filp = NULL;

	fd = (__u32)fd;
	if (!task->files)
		return NULL;
	table = task->files->fdt;
	if (fd >= table->max_fds)
		return NULL;
	bpf_probe_read_kernel(&filp, sizeof(filp), table->fd + fd);
	return filp;
}

/* the number of the watched file behind a descriptor, or NO_FILE */
INLINE __u32 watched_fd(__u64 fd, __u64 *filp)
{
	struct file *file = file_of(fd);
	__u32 number;

	*filp = (__u64)file;
	return file && watch_get(inode_of(file), &number) ? number : NO_FILE;
}

/* --- sums of vectors --------------------------------------------------- */

struct user_iovec {
	__u64 base, len;
};

struct sum {
	__u64 vector;
	__u64 bytes;
};

/* for bpf_loop(): 1 ends it */
static long sum_piece(__u32 i, struct sum *s)
{
	struct user_iovec piece;

	if (bpf_probe_read_user(&piece, sizeof(piece), (void *)(s->vector +
						i * sizeof(piece))))
		return 1;
	s->bytes += piece.len;
	return 0;
}

INLINE __u64 vector_bytes(__u64 vector, __u64 pieces)
{
	struct sum s = { .vector = vector };

	if (pieces <= VECTOR_MAX)
		bpf_loop(pieces, sum_piece, &s, 0);
	return s.bytes;
}

/* --- io_submit --------------------------------------------------------- */

enum { AIO_PREAD, AIO_PWRITE, AIO_PREADV = 7, AIO_PWRITEV = 8 };

/* as the user has it, as far as it is wanted: linux/aio_abi.h */
struct user_iocb {
	__u64 data;
	__u32 key, rw_flags;
	__u16 opcode;
	__s16 priority;
	__u32 fd;
	__u64 buffer, count;
	__s64 offset;
};

struct submit {
	struct bpf_running *r;
	__u64 list;		/* of the user's pointers to iocbs */
	__u32 returned;		/* so has the call: lines are wanted */
};

INLINE bool iocb_read(const struct submit *s, __u32 i, struct user_iocb *iocb)
{
	__u64 at = 0;

	if (bpf_probe_read_user(&at, sizeof(at), (void *)(s->list + i * 8)))
		return false;
	return !bpf_probe_read_user(iocb, sizeof(*iocb), (void *)at);
}

INLINE bool iocb_writes(const struct user_iocb *iocb)
{
	return iocb->opcode == AIO_PWRITE || iocb->opcode == AIO_PWRITEV;
}

INLINE bool iocb_has_vector(const struct user_iocb *iocb)
{
	return iocb->opcode == AIO_PREADV || iocb->opcode == AIO_PWRITEV;
}

INLINE bool iocb_moves_data(const struct user_iocb *iocb)
{
	return iocb->opcode <= AIO_PWRITE || iocb_has_vector(iocb);
}

/*
 * A line of one I/O among those submitted together.  Not inline: the line would
 * lie on the stack of submit_one() while that looks for directories, and until
 * 6.13 all frames together have 512 bytes.
 */
static __noinline void iocb_line(const struct bpf_running *r,
				 const struct user_iocb *iocb, __u32 number)
{
	struct bpf_config *c = config_get();
	struct bpf_file *f = file_get(number);
	struct bpf_line line = {
		.time = r->time,
		.duration = bpf_ktime_get_ns() - r->time,
		.address = iocb->offset,
		.size = iocb->count,
		.file = number,
		.level = LEVEL_VFS,
		.writes = iocb_writes(iocb),
	};

	if (iocb_has_vector(iocb))
		line.size = vector_bytes(iocb->buffer, iocb->count);
	if (c && f)
		line_put(c, f, &line);
}

/* On entry one that is watched is looked for, on return all make lines. */
static long submit_one(__u32 i, struct submit *s)
{
	struct user_iocb iocb;
	__u32 number;
	__u64 filp;

	if (!iocb_read(s, i, &iocb))
		return 1;
	if (!iocb_moves_data(&iocb))
		return 0;
	number = watched_fd(iocb.fd, &filp);
	if (number == NO_FILE)
		return 0;
	if (s->returned) {
		iocb_line(s->r, &iocb, number);
		return 0;
	}
	s->r->file = number;
	s->r->filp = filp;
	return 1;
}

INLINE void submit_walk(struct bpf_running *r, __u64 count, bool returned)
{
	struct submit s = { .r = r, .list = r->buffer, .returned = returned };

	bpf_loop(count < SUBMIT_MAX ? count : SUBMIT_MAX, submit_one, &s, 0);
}

/* --- entry ------------------------------------------------------------- */

/* A position may be given by the user's pointer, or be the file's own. */
INLINE void position_by_pointer(__u64 pointer, __u64 *position, __u8 *own)
{
	*own = !pointer || bpf_probe_read_user(position, sizeof(*position),
					       (void *)pointer);
}

/* from one file to another, each with a position of its own */
INLINE void enter_between(struct bpf_running *r, struct pt_regs *regs)
{
	bool sendfile = r->kind & CALL_SENDFILE;
	__u64 from = call_argument(regs, sendfile ? 1 : 0);
	__u64 to = call_argument(regs, sendfile ? 0 : 2);
	__u64 at = sendfile ? call_argument(regs, 2) : call_argument(regs, 1);

	r->count = sendfile ? call_argument(regs, 3) : call_argument(regs, 4);
	r->file = watched_fd(from, &r->filp);
	r->other_file = watched_fd(to, &r->other);
	position_by_pointer(at, &r->position, &r->own_position);
	r->other_position = sendfile ? 0 : call_argument(regs, 3);
}

/* descriptor, buffer or vector, length, and maybe the position */
INLINE void enter_plain(struct bpf_running *r, struct pt_regs *regs)
{
	r->file = watched_fd(call_argument(regs, 0), &r->filp);
	if (r->file == NO_FILE)
		return;
	r->buffer = call_argument(regs, 1);
	r->count = call_argument(regs, 2);
	r->own_position = true;
	if (r->kind & CALL_AT) {
		r->position = call_argument(regs, 3);
		r->own_position = r->position == (__u64)-1;
	}
}

INLINE void enter_submit(struct bpf_running *r, struct pt_regs *regs)
{
	r->buffer = call_argument(regs, 2);
	submit_walk(r, call_argument(regs, 1), false);
}

/* where an address lies in the file that is mapped there, for bpf_find_vma() */
static long find_mapped(struct task_struct *task, struct vm_area_struct *vma,
			struct bpf_running *r)
{
	struct file *filp = vma->vm_file;
	__u32 number;

	if (!filp || !watch_get(inode_of(filp), &number))
		return 0;
	r->file = number;
	r->filp = (__u64)filp;
	r->buffer += vma->vm_pgoff * PAGE_BYTES - vma->vm_start;
	return 0;
}

/* Who has more than one mapping there has the line of the first. */
INLINE void enter_mapped(struct bpf_running *r, struct pt_regs *regs)
{
	__u64 address = call_argument(regs, 0);

	r->buffer = address;
	r->count = call_argument(regs, 1);
	bpf_find_vma(bpf_get_current_task_btf(), address, find_mapped, r, 0);
}

INLINE void enter(struct bpf_running *r, struct pt_regs *regs)
{
	if (r->kind & CALL_SUBMIT)
		enter_submit(r, regs);
	else if (r->kind & CALL_MAPPED)
		enter_mapped(r, regs);
	else if (r->kind & (CALL_SENDFILE | CALL_BETWEEN))
		enter_between(r, regs);
	else
		enter_plain(r, regs);
}

/* a write that waits for the disk, by its file or by the call */
INLINE bool write_syncs(const struct bpf_running *r, const struct bpf_config *c,
			__u32 open_flags, struct pt_regs *regs)
{
	if (!(r->kind & CALL_WRITES))
		return false;
	return open_flags & c->open_sync ||
		(r->kind & CALL_FLAGS &&
		 call_argument(regs, 5) & (RWF_DSYNC | RWF_SYNC));
}

/* the flags of an open file, as far as they matter */
INLINE void note_flags(struct bpf_running *r, const struct bpf_config *c,
		       struct pt_regs *regs)
{
	struct file *filp = (void *)r->filp;
	__u32 flags = filp ? BPF_CORE_READ(filp, f_flags) : 0;

	if (write_syncs(r, c, flags, regs))
		r->kind |= CALL_SYNC(SYNC_WRITE);

	/* what fsync writes need not be this file's */
	r->direct = !(r->kind & CALL_OTHER) && flags & c->open_direct;
	r->append = !!(flags & OPEN_APPEND);
	r->writes = !!(r->kind & CALL_WRITES);
}

SEC("tp_btf/sys_enter")
int BPF_PROG(call_enter, struct pt_regs *regs, long nr)
{
	__u32 number = nr;
	__u32 *kind = bpf_map_lookup_elem(&calls, &number);
	struct bpf_config *c = config_get();
	struct bpf_running r;
	__u64 task, filp;

	if (!c || !kind || !*kind || call_is_foreign(regs))
		return 0;
	/* most calls are on other files: those end here, for little */
	if (*kind & CALL_ON_FIRST && !(*kind & CALL_MAPPED) &&
	    watched_fd(call_argument(regs, 0), &filp) == NO_FILE)
		return 0;
	__builtin_memset(&r, 0, sizeof(r));
	r.file = r.other_file = NO_FILE;
	r.kind = *kind;
	enter(&r, regs);
	if (r.file == NO_FILE && r.other_file == NO_FILE)
		return 0;
	note_flags(&r, c, regs);
	if (c->levels == LEVEL_BIT(LEVEL_SYNC) && !CALL_SYNC_OF(r.kind))
		return 0;
	r.time = bpf_ktime_get_ns();
	task = bpf_get_current_pid_tgid();
	if (bpf_map_update_elem(&running, &task, &r, BPF_ANY))
		lost_add(c);
	else
		__sync_fetch_and_add(&c->running, 1);
	return 0;
}

/* --- return ------------------------------------------------------------ */

/* Where it was: the file's own position has moved on by what was done. */
INLINE __u64 position_after(const struct bpf_running *r, struct file *filp,
			    bool own, __u64 given, long done)
{
	__u64 moved = done > 0 ? done : 0;

	if (own)
		return BPF_CORE_READ(filp, f_pos) - moved;
	if (r->append && r->writes)
		return BPF_CORE_READ(filp, f_mapping, host, i_size) - moved;
	return given;
}

/* the file of the first descriptor: read, or the only one */
INLINE void line_of_first(struct bpf_config *c, const struct bpf_running *r,
			  long done)
{
	struct bpf_file *f = file_get(r->file);
	struct bpf_line line = {
		.time = r->time,
		.duration = bpf_ktime_get_ns() - r->time,
		.size = r->count,
		.file = r->file,
		.level = LEVEL_VFS,
		.writes = r->writes,
	};

	if (!f)
		return;
	line.address = position_after(r, (void *)r->filp, r->own_position,
				      r->position, done);
	if (r->kind & CALL_VECTOR)
		line.size = vector_bytes(r->buffer, r->count);
	line_put(c, f, &line);
}

/* what a splice or a copy has written to */
INLINE void line_of_other(struct bpf_config *c, const struct bpf_running *r,
			  long done)
{
	struct bpf_file *f = file_get(r->other_file);
	__u64 position = 0;
	__u8 own;
	struct bpf_line line = {
		.time = r->time,
		.duration = bpf_ktime_get_ns() - r->time,
		.size = r->count,
		.file = r->other_file,
		.level = LEVEL_VFS,
		.writes = 1,
	};

	if (!f)
		return;
	/* the kernel has moved the user's offset, too */
	position_by_pointer(r->other_position, &position, &own);
	line.address = position_after(r, (void *)r->other, own,
				      position - (done > 0 ? done : 0), done);
	line_put(c, f, &line);
}

/* what fsync and its kind have waited for: all of the file, or a part of it */
INLINE void line_of_sync(struct bpf_config *c, const struct bpf_running *r,
			 long done)
{
	struct bpf_file *f = file_get(r->file);
	struct bpf_line line = {
		.time = r->time,
		.duration = bpf_ktime_get_ns() - r->time,
		.file = r->file,
		.flags = CALL_SYNC_OF(r->kind),
		.level = LEVEL_SYNC,
		.writes = 1,
	};

	if (!f)
		return;
	if (r->kind & (CALL_RANGE | CALL_MAPPED)) {
		line.address = r->buffer;
		line.size = r->count;
	} else if (r->kind & CALL_WRITES) {
		line.address = position_after(r, (void *)r->filp,
					      r->own_position, r->position,
					      done);
		line.size = done > 0 ? done : 0;
	}
	line_put(c, f, &line);
}

/* The task went to sleep, or will call again: there is more to come. */
INLINE bool call_is_done(long result)
{
	return result != ERROR_AGAIN &&
		(result > ERROR_RESTART || result < ERROR_RESTART_LAST);
}

INLINE void lines_of(struct bpf_config *c, const struct bpf_running *r,
		     long result)
{
	if (CALL_SYNC_OF(r->kind))
		line_of_sync(c, r, result);
	if (r->kind & CALL_OTHER)
		return;
	if (r->file != NO_FILE)
		line_of_first(c, r, result);
	if (r->other_file != NO_FILE)
		line_of_other(c, r, result);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(call_exit, struct pt_regs *regs, long result)
{
	struct bpf_config *c = config_get();
	__u64 task = bpf_get_current_pid_tgid();
	struct bpf_running *r;

	if (!c || !c->running)
		return 0;
	r = bpf_map_lookup_elem(&running, &task);
	if (!r || !r->kind)
		return 0;
	if (r->kind & CALL_SUBMIT)
		submit_walk(r, result > 0 ? result : 0, true);
	else if (call_is_done(result))
		lines_of(c, r, result);
	bpf_map_delete_elem(&running, &task);
	__sync_fetch_and_add(&c->running, -1);
	return 0;
}

/* --- io_uring ---------------------------------------------------------- */

enum {
	URING_READV = 1,
	URING_WRITEV = 2,
	URING_READ_FIXED = 4,
	URING_WRITE_FIXED = 5,
	URING_READ = 22,
	URING_WRITE = 23,
	URING_FSYNC = 3,
	URING_SYNC_RANGE = 8,
	URING_DATASYNC = 1,	/* of an fsync's flags */
	URING_FIXED_FILE = 1,	/* of a request's flags */
	FILE_POINTER_FLAGS = 3,
	TASK_IO_WORKER = 0x10,	/* of a task's flags */
};

/* A request may name one of the files that its ring knows by heart. */
INLINE struct file *uring_fixed_file(struct io_kiocb *req, __u32 fd)
{
	struct io_ring_ctx *ctx = BPF_CORE_READ(req, ctx);
	struct io_ring_ctx___data *data = (void *)ctx;
	struct io_fixed_file *slot;
	struct io_rsrc_node **nodes, *node = NULL;
	__u64 pointer = 0;

	if (bpf_core_field_exists(ctx->file_table.files)) {
		slot = BPF_CORE_READ(ctx, file_table.files);
		pointer = BPF_CORE_READ(slot + fd, file_ptr);
	} else if (bpf_core_field_exists(data->file_table.data.nodes)) {
		nodes = BPF_CORE_READ(data, file_table.data.nodes);
		bpf_probe_read_kernel(&node, sizeof(node), nodes + fd);
		pointer = BPF_CORE_READ(node, file_ptr);
	}
	return (void *)(pointer & ~(__u64)FILE_POINTER_FLAGS);
}

INLINE struct file *uring_file(struct io_kiocb *req)
{
	struct io_kiocb___int *flags = (void *)req;
	__u32 fd = BPF_CORE_READ(req, cqe.fd);

	if (BPF_CORE_READ(flags, flags) & URING_FIXED_FILE)
		return uring_fixed_file(req, fd);
	return file_of(fd);
}

INLINE bool uring_moves_data(__u8 opcode)
{
	return opcode == URING_READV || opcode == URING_WRITEV ||
		opcode == URING_READ_FIXED || opcode == URING_WRITE_FIXED ||
		opcode == URING_READ || opcode == URING_WRITE;
}

INLINE bool uring_writes(__u8 opcode)
{
	return opcode == URING_WRITEV || opcode == URING_WRITE_FIXED ||
		opcode == URING_WRITE;
}

/* as read and write have it: -1 is the file's own, and appends go to its end */
INLINE __u64 uring_position(struct io_rw *rw, struct file *filp, bool writes)
{
	__u64 position = BPF_CORE_READ(rw, kiocb.ki_pos);

	if (writes && BPF_CORE_READ(filp, f_flags) & OPEN_APPEND)
		return BPF_CORE_READ(filp, f_mapping, host, i_size);
	return position == (__u64)-1 ? BPF_CORE_READ(filp, f_pos) : position;
}

/*
 * Direct I/O of some filesystems is known by the task's call only.  Threads of
 * the kernel never return from one, so nothing can be remembered for them.
 */
INLINE void uring_begin(struct bpf_config *c, struct file *filp, __u32 number)
{
	struct task_struct *current = bpf_get_current_task_btf();
	struct bpf_running r = { .file = number, .other_file = NO_FILE,
			     .kind = CALL_OTHER, .direct = 1 };
	__u64 task = bpf_get_current_pid_tgid();

	if (current->flags & TASK_IO_WORKER ||
	    !(BPF_CORE_READ(filp, f_flags) & c->open_direct))
		return;
	if (!bpf_map_lookup_elem(&running, &task))
		__sync_fetch_and_add(&c->running, 1);
	bpf_map_update_elem(&running, &task, &r, BPF_ANY);
}

/* --- syncs by io_uring ------------------------------------------------- */

/* one under way, by its request */
struct uring_sync {
	__u64 time, task;
	__u64 address, size;
	__u32 file;
	__u32 kind;		/* SYNC_... */
	char comm[BPF_COMM];
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, RUNNING_MAX);
	__type(key, __u64);
	__type(value, struct uring_sync);
} uring_syncs SEC(".maps");

/* Which call it is like, or 0. */
INLINE __u32 uring_sync_kind(const struct bpf_config *c, struct io_kiocb *req,
			     __u8 opcode, struct file *filp)
{
	struct io_sync *sync = (void *)req;

	if (opcode == URING_SYNC_RANGE)
		return SYNC_RANGE;
	if (opcode == URING_FSYNC)
		return bpf_core_field_exists(sync->flags) &&
			BPF_CORE_READ(sync, flags) & URING_DATASYNC ?
			SYNC_FDATASYNC : SYNC_FSYNC;
	return uring_writes(opcode) &&
		BPF_CORE_READ(filp, f_flags) & c->open_sync ? SYNC_WRITE : 0;
}

/* Its end is seen elsewhere: in a worker, or in whoever takes completions. */
INLINE void uring_sync_begin(const struct bpf_config *c, struct io_kiocb *req,
			     const struct bpf_line *line, struct file *filp)
{
	struct uring_sync s = { .time = line->time, .file = line->file };
	__u64 key = (__u64)req;

	s.kind = uring_sync_kind(c, req, BPF_CORE_READ(req, opcode), filp);
	if (!s.kind)
		return;
	s.address = line->address;
	s.size = line->size;
	s.task = bpf_get_current_pid_tgid();
	bpf_get_current_comm(s.comm, sizeof(s.comm));
	bpf_map_update_elem(&uring_syncs, &key, &s, BPF_ANY);
}

SEC("raw_tp/io_uring_complete")
int uring_complete(struct bpf_raw_tracepoint_args *args)
{
	__u64 key = args->args[1];	/* the request, since 5.19 */
	struct uring_sync *s = bpf_map_lookup_elem(&uring_syncs, &key);
	struct bpf_config *c = config_get();
	struct bpf_file *f = s ? file_get(s->file) : NULL;
	struct bpf_line line = { .level = LEVEL_SYNC, .writes = 1 };

	if (!c || !s || !f)
		return 0;
	line.time = s->time;
	line.duration = bpf_ktime_get_ns() - s->time;
	line.address = s->address;
	line.size = s->size;
	line.file = s->file;
	line.flags = s->kind;
	line.tgid = s->task >> 32;
	line.tid = (__u32)s->task;
	__builtin_memcpy(line.comm, s->comm, sizeof(line.comm));
	bpf_map_delete_elem(&uring_syncs, &key);
	if (line_wanted(c, f, &line))
		line_send(c, f, &line);
	return 0;
}

/* --- submission -------------------------------------------------------- */

INLINE void uring_move(struct bpf_config *c, struct bpf_file *f,
		       struct io_kiocb *req, struct bpf_line *line,
		       struct file *filp)
{
	struct io_rw *rw = (void *)req;	/* the request's own part is first */
	__u8 opcode = BPF_CORE_READ(req, opcode);

	uring_begin(c, filp, line->file);
	line->writes = uring_writes(opcode);
	line->address = uring_position(rw, filp, line->writes);
	line->size = BPF_CORE_READ(rw, len);
	if (opcode == URING_READV || opcode == URING_WRITEV)
		line->size = vector_bytes(BPF_CORE_READ(rw, addr), line->size);
	line_put(c, f, line);
}

/* attached to io_uring_submit_req, or _sqe as it was called until 6.3 */
SEC("raw_tp/io_uring_submit_req")
int uring_submit(struct bpf_raw_tracepoint_args *args)
{
	struct io_kiocb *req = (void *)args->args[0];
	__u8 opcode = BPF_CORE_READ(req, opcode);
	struct bpf_line line = { .level = LEVEL_VFS };
	struct bpf_config *c = config_get();
	bool moves = uring_moves_data(opcode);
	struct bpf_file *f;
	struct file *filp;

	if (!c || !(moves || opcode == URING_FSYNC ||
		    opcode == URING_SYNC_RANGE))
		return 0;
	filp = uring_file(req);
	f = filp ? watch_get(inode_of(filp), &line.file) : NULL;
	if (!f)
		return 0;
	line.time = bpf_ktime_get_ns();
	if (moves && c->backend != BPF_PROBED)
		uring_move(c, f, req, &line, filp);
	if (c->levels & LEVEL_BIT(LEVEL_SYNC))
		uring_sync_begin(c, req, &line, filp);
	return 0;
}

#endif
