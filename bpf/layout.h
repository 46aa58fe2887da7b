/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs in the kernel share with us: the values of the maps, and
 * what comes out of the rings.  Fixed widths and no holes, as both
 * sides are compiled apart.  Devices are BLK_DEVICE() numbers throughout,
 * which is how the kernel itself writes a dev_t.
 */
#ifndef BPF_LAYOUT_H
#define BPF_LAYOUT_H

#include <linux/types.h>

enum {
	BPF_FILES_MAX = 1024,	/* watched at a time */
	BPF_CALLS_MAX = 512,	/* system calls have lower numbers */
	BPF_RINGS_MAX = 8192,	/* BLK_CPU_MAX */
	BPF_PROBED_MAX = 64,	/* functions */
	BPF_COMM = 16,		/* bytes of a task's name, its end included */
	BPF_MEMBERS_MAX = 1 << 15,	/* files below directories, known at a time */
	BPF_NAMES_MAX = 2 * BPF_MEMBERS_MAX,	/* numbers for their paths */
	BPF_NAME = 1008,	/* bytes of a path */
};

/*
 * Lines have a file's number: that in `files`, and for a file below a watched
 * directory the directory's, with the number of a path above it, from 1 to
 * BPF_NAMES_MAX; 0 is none.
 */
#define BPF_FILE_OF(number) ((number) % BPF_FILES_MAX)
#define BPF_NAME_OF(number) ((number) / BPF_FILES_MAX)

/* the levels of a line, and the bits of those wanted */
enum { LEVEL_VFS, LEVEL_BLK, LEVEL_MAP, LEVEL_SYNC, LEVEL_COUNT };
#define LEVEL_BIT(level) (1u << (level))

/* --- what to do: the one entry of the map `config` --------------------- */

enum { BPF_PROBED = 1 };	/* of `backend`; others are ours */

struct bpf_config {
	__u32 levels;		/* LEVEL_BIT()s wanted */
	__u32 to_logs;		/* lines go to the files' logs, not to rings */
	__u32 lower;		/* bios to other devices than the file's, too */
	__u32 all;		/* records of `devices`, of all files */
	__u32 mask;		/* categories of records, bit n for n; 0: lines */
	__u32 wake;		/* bytes in a ring that wake its reader */
	__u32 open_direct;	/* this machine's O_DIRECT */
	__u32 backend;		/* where VFS lines come from; BPF_PROBED: not
				 * from calls */
	__u64 running;		/* watched calls that have not returned yet */
	__u64 alike;		/* bit n: a file's number modulo 64 is n */
	__u64 lost;		/* lines and records no room was found for */
	__u64 seconded;		/* runs that programs took over from busy ones */
	__u64 probed[BPF_PROBED_MAX];	/* ours: functions with probes */
	__u32 probed_count;
	__u32 trees;		/* directories that are watched */
	__u64 named;		/* paths of files below these, told until now */
	__u32 names;		/* these are wanted */
	__u32 open_sync;	/* this machine's O_DSYNC */
};

/* --- which files: map `watch`, by this key, has a number in `files` ---- */

enum { BPF_UUID = 16 };		/* bytes */

/*
 * A file for as long as it exists.  A number is used again once its file is
 * removed, at once on ext4 and xfs, but with another generation.  After mkfs
 * generations may be the same, too, as btrfs counts them from the start; then
 * the filesystem's UUID is another.
 */
struct bpf_key {
	__u64 inode;		/* its number */
	__u32 device;		/* the superblock's; stat(2)'s may differ */
	__u32 generation;	/* of the inode */
	__u8 uuid[BPF_UUID];	/* the filesystem's; zeros: it has none */
};

struct bpf_file {
	__u32 used;
	__u32 stopped;		/* no lines for now */
	__u64 inode;		/* the kernel's pointer; 0: any of that key */
	__u32 bdev;		/* bios of interest go there; 0: anywhere */
	__u32 zero;
	struct bpf_key key;
	__u64 added;		/* when, as a number that only grows */
	__u64 zero_time;	/* T0: ns, CLOCK_MONOTONIC */
	__u64 room;		/* lines that its log has room for */
	__u64 logged;		/* lines ever put into its log */
	__u64 forgotten;	/* `logged` at the last reset */
	char name[48];		/* BDEV_INODE */
};

/* --- which directories: map `trees`, by a pointer of the kernel -------- */

/* to a superblock, or to the inode of a directory */
struct bpf_tree {
	__u32 file;		/* in `files`; of a superblock also NO_FILE */
	__u32 below;		/* of a superblock: directories watched there */
};

#define NO_FILE 0xffffffffu

/* --- which devices: map `devices`, by the disk's number ---------------- */

struct bpf_device {
	__u32 number;		/* in records: disk or partition */
	__u32 zero;
	__u64 start, end;	/* sectors of the disk, both inclusive */
};

/* --- which system calls: map `calls`, by their number ------------------ */

enum {
	CALL_WRITES = 1,
	CALL_AT = 2,		/* the fourth argument is the position */
	CALL_VECTOR = 4,	/* an iovec and its length, not a buffer's */
	CALL_PLAIN = 8,		/* descriptor, buffer, length */
	CALL_SUBMIT = 16,	/* io_submit */
	CALL_SENDFILE = 32,
	CALL_BETWEEN = 64,	/* splice, copy_file_range */
	CALL_OTHER = 128,	/* may flush or discard; no line of VFS */
	CALL_RANGE = 256,	/* two more arguments are place and length */
	CALL_MAPPED = 512,	/* an address and a length, no descriptor */
	CALL_FLAGS = 1024,	/* the sixth argument has RWF_ flags */
};

/* which call it is of those that have lines of the level SYNC, or 0 */
#define CALL_SYNC(n) ((__u32)(n) << 24)
#define CALL_SYNC_OF(kind) ((kind) >> 24)
enum {
	SYNC_FSYNC = 1, SYNC_FDATASYNC, SYNC_RANGE, SYNC_MSYNC,
	SYNC_WRITE,		/* by O_SYNC, O_DSYNC, RWF_SYNC or RWF_DSYNC */
	SYNC_COUNT
};

/* a call on a watched file, from its entry to its return: map `running` */
struct bpf_running {
	__u64 time;
	__u64 buffer, count;	/* as the call was given them */
	__u64 position;
	__u64 filp;		/* struct file: of its first descriptor */
	__u64 other;		/* of its second, or 0 */
	__u64 other_position;	/* user's pointer to that */
	__u32 file, other_file;	/* in `files`, or NO_FILE */
	__u32 kind;		/* CALL_ bits; 0: a kernel's function */
	__u8 direct, append, own_position, writes;
	__u8 splices;		/* the function is splice_read */
	__u8 inner;		/* it has called read_iter in its turn */
	__u8 zero[6];
};

/* --- which function a probe is set on: what its link says -------------- */

enum bpf_probe {
	BPF_READ_ITER,
	BPF_WRITE_ITER,
	BPF_SPLICE_READ,
	BPF_SUBMIT,		/* submit_bio_noacct */
	BPF_FAULT,		/* filemap_fault */
};

/* --- what comes out: of the rings -------------------------------------- */

struct bpf_line {
	__u64 order;		/* in a log: 1 and up; 0: being written */
	__u64 time;		/* ns, CLOCK_MONOTONIC, at entry */
	__u64 address;		/* BLK: sector of bi_bdev; else byte of file */
	__u64 sector;		/* BLK: of the whole disk */
	__u64 size;		/* bytes */
	__u64 duration;		/* ns, of a call that has returned; else 0 */
	__u32 file;		/* its number, see above */
	__u32 disk;		/* BLK: the whole disk's number */
	__u32 tgid, tid;
	__u32 flags;		/* BLK: bi_opf; SYNC: which call, SYNC_... */
	__u8 level;
	__u8 writes;
	__u8 zero[2];
	char comm[BPF_COMM];
};

/* the path of a file below a directory; comes before lines of that number */
struct bpf_name {
	__u32 file;		/* the number that lines will have */
	__u32 bytes;		/* of text */
	__u32 cut;		/* parts next to the directory are missing */
	__u32 zero;
	char text[BPF_NAME];	/* parts, the last first, each with its NUL */
};

/* a record of version 7 but for magic and sequence, and the task's name */
struct bpf_record {
	__u32 magic, sequence;
	__u64 time, sector;
	__u32 bytes, action, pid, device, cpu;
	__u16 error, pdu_len;
	__u8 pdu[16];		/* pdu_len of them */
	char comm[BPF_COMM];
};

/* --- what a descriptor stands for: of the iterator --------------------- */

struct bpf_found {
	__u64 inode;		/* the kernel's pointer */
	struct bpf_key key;
	__u64 read_iter, write_iter, splice_read;	/* functions, or 0 */
	__u32 bdev;		/* the filesystem's, or 0 */
	__u32 fd;
	__u64 superblock;	/* the kernel's pointer */
	__u32 root;		/* it is the filesystem's root directory */
	__u32 zero;
};

#endif
