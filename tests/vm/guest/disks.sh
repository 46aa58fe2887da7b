# SPDX-License-Identifier: GPL-2.0-only
# Every kind of block device there is in the machine, and work on them of which
# it is known how many completions it makes:
#
#	. /etc/vm.sh
#	. /job/trace.sh
#	. /job/disks.sh
#
# Wanted are --disk virtio and --disk nvme.

CPUS=$(nproc)

# exactly N PATH: I/Os, a multiple of the CPUs, spread over all of these.  Most
# are random, and none of them may be merged.
exactly()
{
	fio --name=n --filename="$2" --bs=4k --rw=randrw --direct=1 \
		--size=8M --norandommap --numjobs="$CPUS" \
		--number_ios=$(($1 / CPUS)) --output=$T/fio \
		--cpus_allowed="0-$((CPUS - 1))" --cpus_allowed_policy=split
}

# what the kernel calls a device that may have another name
disk_of()
{
	set -- $(stat -Lc "%t %T" "$1")
	basename "$(readlink "/sys/dev/block/$((0x$1)):$((0x$2))")"
}

no_merges()
{
	local disk

	for disk; do
		echo 2 >"/sys/block/$disk/queue/nomerges"
	done
}

# paths DISK ...
paths()
{
	printf '/dev/%s ' "$@"
}

# below N CAPTURE DISK ...: at least N on the disks below, taken together
below()
{
	local least=$1 capture=$2 sum=0 disk

	shift 2
	for disk; do
		sum=$((sum + $(completions "$capture" "$disk")))
	done
	[ $sum -ge $least ] || is "$least or more" $sum
}

# with COMMAND WHAT PATH LOWER ...: COMMAND WHAT PATH DISK LOWER ...
with()
{
	local command=$1 what=$2 path=$3 disk=$(disk_of "$3")

	shift 3
	no_merges "$disk" "$@"
	$command "$what" "$path" "$disk" "$@"
}

# on_every_disk COMMAND: calls it as `with' does, with each of them in turn
on_every_disk()
{
	null_blk nullb5 memory_backed=1 &&
		null_blk nullb6 memory_backed=1 || return
	with "$1" null_blk /dev/nullb5
	with "$1" virtio /dev/vda
	with "$1" nvme /dev/nvme0n1

	dm_linear lower /dev/nullb5 2048 131072
	with "$1" dm-linear /dev/mapper/lower nullb5
	dmsetup remove lower

	md md0 raid1 /dev/nullb5 /dev/nullb6
	with "$1" md /dev/md0 nullb5 nullb6
	md_drop md0 /dev/nullb5 /dev/nullb6
}
