# SPDX-License-Identifier: GPL-2.0-only
# Block devices for scripts that run in the virtual machine:
#
#	. /etc/vm.sh
#
# Every function returns 0 when the device is there and usable, else says on
# stderr what went wrong.  For sh and bash.

NULLB=/sys/kernel/config/nullb

# now: hundredths of a second since the start
now()
{
	local up idle

	read -r up idle </proc/uptime
	echo "${up%.*}${up#*.}"
}

# within SECONDS COMMAND ...: tries it until it succeeds
within()
{
	local end=$(($(now) + 100 * $1))

	shift
	until "$@"; do
		[ "$(now)" -lt $end ] || return
		sleep 0.05
	done
}

# wait_for PATH [SECONDS]: until it exists
wait_for()
{
	within "${2:-10}" [ -e "$1" ] && return
	echo "$1 did not come" >&2
	return 1
}

# scheduler DISK NAME: "none" included; NAME of kyber is not its module's
scheduler()
{
	modprobe -q "$2-iosched" || modprobe -q "$2"
	echo "$2" >"/sys/block/$1/queue/scheduler"
}

# null_blk NAME [ATTRIBUTE=VALUE ...]: makes /dev/NAME by configfs.  Take
# names like nullb5: older kernels number the disks themselves.  Sizes are in
# MiB, completion_nsec in ns; see the kernel's null_blk.rst.
null_blk()
{
	local name=$1 dir=$NULLB/$1 set

	shift
	modprobe null_blk nr_devices=0 || return
	mkdir "$dir" || return
	for set in size=256 "$@"; do
		echo "${set#*=}" >"$dir/${set%%=*}" || return
	done
	echo 1 >"$dir/power" || return
	wait_for "/dev/$name"
}

# null_blk_zoned NAME [ATTRIBUTE=VALUE ...]: zones of 4 MiB, host managed,
# that keep what is written
null_blk_zoned()
{
	local name=$1

	shift
	null_blk "$name" zoned=1 zone_size=4 memory_backed=1 "$@"
}

# null_blk_drop NAME: takes away one that null_blk made
null_blk_drop()
{
	echo 0 >"$NULLB/$1/power" && rmdir "$NULLB/$1"
}

# null_blk_module [PARAMETER=VALUE ...]: the other way, /dev/nullb0 and on, as
# many as nr_devices says; in place of all that were there before
null_blk_module()
{
	local dir

	for dir in "$NULLB"/*/; do
		[ ! -e "$dir/power" ] || rmdir "$dir" || return
	done
	modprobe -qr null_blk
	modprobe null_blk gb=1 "$@" && wait_for /dev/nullb0
}

# sectors DEVICE: its size in units of 512 bytes
sectors()
{
	cat "/sys/class/block/$(basename "$1")/size"
}

# dm_linear NAME DEVICE [START SECTORS]: /dev/mapper/NAME, the whole device
# or a part of it
dm_linear()
{
	local size=${4:-$(sectors "$2")}

	modprobe dm_mod || return
	echo "0 $size linear $2 ${3:-0}" | dmsetup create "$1" || return
	wait_for "/dev/mapper/$1"
}

# md NAME LEVEL DEVICE ...: /dev/NAME (md0 and on) of raid0 or raid1, in step
# from the start
md()
{
	local name=$1 level=$2 clean=

	shift 2
	modprobe "$level" || return
	# raid1 would copy one half to the other meanwhile
	[ "$level" = raid0 ] || clean="--assume-clean --bitmap=none"
	mdadm --quiet --create "/dev/$name" --run --level="$level" $clean \
		--raid-devices=$# "$@" || return
	wait_for "/dev/$name"
}

# md_drop NAME DEVICE ...: stops it and makes its parts blank again
md_drop()
{
	mdadm --quiet --stop "/dev/$1" || return
	shift
	mdadm --quiet --zero-superblock "$@"
}

# nfs EXPORTED MOUNTPOINT: serves a directory to ourselves, by NFS 4.2.  What
# mountd would answer the kernel is told beforehand; 10 s is the shortest time
# that a new server waits for its clients of old.
nfs()
{
	local server=/proc/fs/nfsd answers=/proc/net/rpc
	local never=2147483647 insecure=0x2 no_subtree=0x400 by_number=0x2000

	modprobe nfsd && modprobe nfsv4 || return
	ip link set lo up && mount -t nfsd nfsd $server || return
	echo "nfsd 127.0.0.1 $never us" >$answers/auth.unix.ip/channel
	echo "us $1 $never $((insecure | no_subtree | by_number)) 0 0 0" \
		>$answers/nfsd.export/channel
	echo "us 1 \\x00000000 $never $1" >$answers/nfsd.fh/channel
	echo 10 >$server/nfsv4leasetime
	echo 10 >$server/nfsv4gracetime
	echo -3 >$server/versions
	echo "tcp 2049" >$server/portlist
	echo 1 >$server/threads || return
	mount -t nfs4 -o vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1 \
		127.0.0.1:/ "$2"
}

# check WHAT COMMAND ...: one line of TAP.  count_checks ends them and is the
# script's last word: it fails when one of them did.
checks=0
failed=0
check()
{
	local what=$1

	shift
	checks=$((checks + 1))
	if "$@"; then
		echo "ok $checks - $what"
	else
		failed=$((failed + 1))
		echo "not ok $checks - $what"
	fi
}

count_checks()
{
	echo "1..$checks"
	[ $failed -eq 0 ]
}
