# SPDX-License-Identifier: GPL-2.0-only
# As many I/Os as the machine makes, on all its CPUs:
#
#	. /etc/vm.sh
#	. /job/trace.sh
#	. /job/much.sh

CPUS=$(nproc)
ALL=0-$((CPUS - 1))
SECONDS_OF_LOAD=10

# field N of fio's one line; 6 is KiB read
fio_field()
{
	tail -n 1 $T/fio | cut -d';' -f"$1"
}

# much WHAT: all I/Os, four events each, are found again.  What rate comes out is
# told: it is the machine's, not ours.  $rate has it afterwards.
much()
{
	local what=$1 ios events

	begin much /dev/$DISK
	load $DISK $SECONDS_OF_LOAD "$ALL" --numjobs="$CPUS"
	wait $loader
	end
	ios=$(($(fio_field 6) / 4))
	events=$(sed -n 's/^  Total: *\([0-9]*\) events.*/\1/p' $T/much.out)
	rate=$((events / SECONDS_OF_LOAD))
	echo "# $((ios / SECONDS_OF_LOAD)) I/Os, $rate events a second"
	check "$what: ends well" ended 0
	check "$what: no drop" no_drop much
	check "$what: all $ios I/Os are there" is $ios \
		"$(completions much $DISK)"
	check "$what: nothing is left" clear $DISK
	forget much
}
