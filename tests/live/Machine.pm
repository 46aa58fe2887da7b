# SPDX-License-Identifier: GPL-2.0-only
# This machine, for tests that really trace: a mount namespace of our own and
# loop devices that we have made.
package Machine;

use strict;
use warnings;
use Exporter 'import';
use Suite::Files qw(slurp spew);

use Time::HiRes 'sleep';

our @EXPORT_OK = qw($TRACEFS enter switches loops forget_loop write_blocks
		    name_of wait_tracing);
our $TRACEFS = '/sys/kernel/tracing';

# all that a capture may change and has to put back
my @SWITCHES = qw(tracing_on trace_clock buffer_percent buffer_size_kb
		  buffer_subbuf_size_kb current_tracer options/overwrite options/stacktrace
		  options/userstacktrace options/block options/record-cmd
		  options/blk_classic options/bin options/context-info);

# --- a namespace -------------------------------------------------------------

# Starts the test over again in a mount namespace, where tracefs is mounted.
# There it returns, with what keeps it from tracing, or nothing.
sub enter
{
	return hindrance_inside() if $ENV{MACHINE_INSIDE};
	my ($reason) = hindrance();
	return $reason if $reason;
	$ENV{MACHINE_INSIDE} = 1;
	exec('unshare', '-m', $^X, $0) or die "unshare: $!\n";
}

sub hindrance
{
	return 'not root' if $>;
	return 'no losetup' if system 'losetup >/dev/null 2>&1';
	return 'no private mount namespace'
		if system 'unshare -m true 2>/dev/null';
	return ();
}

sub hindrance_inside
{
	system 'mount', '-t', 'tracefs', 'tracefs', $TRACEFS
		unless -e "$TRACEFS/current_tracer";
	return 'no tracefs' unless -e "$TRACEFS/current_tracer";
	return 'the kernel has no blk tracer'
		unless slurp("$TRACEFS/available_tracers") =~ /\bblk\b/;
	return 'somebody else is tracing'
		unless slurp("$TRACEFS/current_tracer") eq "nop\n";
	return ();
}

# All switches and what they are set to.  Before its first use ever, a buffer
# is smaller than what it becomes and stays.
sub switches
{
	my @lines;
	for my $name (grep { -e "$TRACEFS/$_" } @SWITCHES) {
		my $text = slurp("$TRACEFS/$name");
		$text =~ s/^\d+ \(expanded: (\d+)\)/$1/;
		push @lines, "$name $text";
	}
	return join '', @lines;
}

# --- devices -----------------------------------------------------------------

my %LOOPS;	# ours, by the pid that made them

# a program must have let go of them before
END {
	my @loops = @{$LOOPS{$$} || []};
	local $?;
	system 'losetup', '-d', reverse @loops if @loops;
}

# COUNT loop devices of MIB (64); the files below TOP are gone with the last user
sub loops
{
	my ($top, $count, $mib) = @_;
	my @new;
	for my $i (1 .. $count) {
		my $disk = "$top/disk." . scalar @{$LOOPS{$$} || []};
		spew($disk, '');
		truncate $disk, ($mib // 64) << 20 or die "truncate: $!\n";
		my $loop = `losetup -f --show $disk`;
		die "no loop device\n" if $?;
		chomp $loop;
		push @{$LOOPS{$$}}, $loop;
		push @new, $loop;
	}
	return @new;
}

# it has been taken away
sub forget_loop
{
	my ($loop) = @_;
	@{$LOOPS{$$}} = grep { $_ ne $loop } @{$LOOPS{$$}};
}

# Until the blktrace with that pid traces a device: then its first thread sleeps
# in poll(2) or ppoll(2), as nothing is left to be started.  False: it has
# ended, or half a minute has passed.
sub wait_tracing
{
	my ($pid) = @_;
	for (1 .. 600) {
		my $call = -e "/proc/$pid/syscall" ?
			slurp("/proc/$pid/syscall") : '';
		return 0 if $call eq '';
		return 1 if $call =~ /^(?:7|271) / &&
			grep { slurp($_) eq "1\n" }
			glob '/sys/block/loop*/trace/enable';
		sleep 0.05;
	}
	return 0;
}

# COUNT writes of 4 KiB, each waited for
sub write_blocks
{
	my ($loop, $count) = @_;
	system("dd if=/dev/zero of=$loop bs=4k count=$count oflag=direct " .
	       '2>/dev/null') == 0 or die "dd: $?\n";
}

sub name_of
{
	return $_[0] =~ s{.*/}{}r;
}

1;
