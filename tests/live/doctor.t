#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Why tracing does not work: every cause that can be brought about here is,
# and then told by a run and by --check, each in words of its own.  The others
# need relay files that can be read: tests/vm/guest/doctor.
#
#	BIN=DIR REFUSE=PROGRAM prove tests/live/doctor.t
#
# Works in a private mount namespace, on loop devices it makes itself, with
# tests/live/refuse.c as PROGRAM.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use Errno qw(ENOSYS ENOTTY);
use File::Temp 'tempdir';
use Machine qw($TRACEFS enter switches loops forget_loop name_of);
use Process;
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes 'sleep';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $REFUSE = abs_path($ENV{REFUSE} || 'build/tests/live/refuse');
my $DEBUGFS = '/sys/kernel/debug';
my $SECURITYFS = '/sys/kernel/security';
# BLKTRACESETUP and BLKTRACESETUP2, of x86-64 and others like it
my ($SETUP, $SETUP_2) = (0xc0481273, 0xc0c0128e);
my $BPF_PROG_LOAD = 5;
my $NOBODY = 'setpriv --reuid 65534 --regid 65534 --clear-groups ' .
	'--inh-caps=-all';
my $CONTAINED = 'setpriv --bounding-set=-sys_admin';

my $TOP;		# where the tests work; anybody may go there
my %told;		# causes, and what the doctor says of them

# --- the machine -------------------------------------------------------------

sub mounted
{
	my ($kind, $where) = @_;
	system 'mount', '-t', $kind, 'none', $where;
}

# WORK while these are not mounted
sub without
{
	my ($places, $work) = @_;
	my %kind = ($DEBUGFS => 'debugfs', $TRACEFS => 'tracefs',
		    $SECURITYFS => 'securityfs');
	my @there = grep { !system "umount $_ 2>/dev/null" } @$places;
	$work->();
	mounted($kind{$_}, $_) for reverse @there;
}

sub is_locked
{
	my $file = "$SECURITYFS/lockdown";
	return -e $file && slurp($file) !~ /\[none\]/;
}

# A capture that runs: the way is set up, and reading has begun.
sub capture
{
	my ($loop, @options) = @_;
	my $dir = "$TOP/capture";
	mkdir $dir;
	my $run = Process->start(['blktrace', @options, $loop], $dir,
				 $PROGRAMS->{path});
	my $enable = '/sys/block/' . name_of($loop) . '/trace/enable';
	for (1 .. 600) {
		last if slurp($enable) eq "1\n" &&
			slurp("$TRACEFS/tracing_on") eq "1\n";
		sleep 0.05;
	}
	return $run;
}

# --- what is told ------------------------------------------------------------

my $runs = 0;
sub run
{
	my ($command) = @_;
	my $dir = "$TOP/run" . $runs++;
	mkdir $dir;
	return run_command($command, $dir, $PROGRAMS);
}

# A run that fails: one line, which has the cause and its cure.
sub run_tells
{
	my ($cause, $words, $command) = @_;
	my $got = run($command);

	is($got->{rc}, 1, "$cause: a run ends with 1");
	like($got->{err}, qr/\Ablktrace: .*$words.*\n\z/,
	     '... and says why, in a line');
	is($got->{out}, '', '... and nothing else');
	$told{$cause} = $got->{err} =~ s/^.*($words).*/$1/sr;
}

# --check: the same words, status 1.
sub check_tells
{
	my ($cause, $words, $command) = @_;
	my $got = run($command =~ s/blktrace/blktrace --check/r);

	is($got->{rc}, 1, "$cause: --check ends with 1");
	like($got->{out}, qr/^no: .*$words/m, '... and says why');
	unlike($got->{out}, qr/^\w+: *$/m, '... with words in every line');
	is($got->{err}, '', '... all on standard output');
}

sub both_tell
{
	run_tells(@_);
	check_tells(@_);
}

# --- causes ------------------------------------------------------------------

sub test_devices
{
	both_tell('no device', 'no such device: /dev/nope; lsblk',
		  'blktrace /dev/nope');
	both_tell('not a block device', '/dev/null is not a block device',
		  'blktrace /dev/null');
	run_tells('not a block device, by ftrace',
		  "$TOP is not a block device",
		  "blktrace --via=ftrace $TOP");
	delete $told{'not a block device, by ftrace'};
}

sub test_rights
{
	my ($loop) = @_;
	my $words = "tracing $loop is for root only; run this as root";
	my $mode = (stat $loop)[2] & 07777;

	both_tell('not root', $words, "$NOBODY blktrace -D /tmp $loop");
	# even where the device itself is open to everybody
	chmod 0666, $loop;
	both_tell('not root', $words, "$NOBODY blktrace -D /tmp $loop");
	run_tells('not root', $words,
		  "$NOBODY blktrace --via=ftrace -D /tmp $loop");
	# where nothing is mounted, it is still root who may do that
	without([$TRACEFS, $DEBUGFS, $SECURITYFS], sub {
		run_tells('not root', $words,
			  "$NOBODY blktrace -D /tmp $loop");
	});
	chmod $mode, $loop;
}

# without what a container has not got either
sub test_container
{
	my ($loop) = @_;
	without([$TRACEFS, $DEBUGFS, $SECURITYFS], sub {
		both_tell('container', 'container .* CAP_SYS_ADMIN .* with -v',
			  "$CONTAINED blktrace $loop");
	});
}

sub test_kernel
{
	my ($loop) = @_;
	both_tell('kernel', 'needs CONFIG_BLK_DEV_IO_TRACE', sprintf
		  '%s %d ioctl 0x%x,0x%x blktrace %s', $REFUSE, ENOTTY, $SETUP,
		  $SETUP_2, $loop);
}

sub test_mounts
{
	my ($loop) = @_;
	my $debugfs = "debugfs is not mounted at $DEBUGFS; mount -t debugfs";
	my $tracefs = 'tracefs is not mounted; mount -t tracefs';

	# a lockdown that is seen would be told instead
	without([$TRACEFS, $DEBUGFS, $SECURITYFS], sub {
		both_tell('no debugfs', $debugfs,
			  "blktrace --via=relay $loop");
		both_tell('no tracefs', $tracefs,
			  "blktrace --via=ftrace $loop");
		my $got = run("blktrace $loop");
		is("$got->{rc} $got->{err}" =~ s/;.*//mgr,
		   "1 blktrace: debugfs is not mounted at $DEBUGFS\n" .
		   "blktrace: tracefs is not mounted\n",
		   'neither: both are told, and how to mount them');
	});
	without([$DEBUGFS, $SECURITYFS], sub {
		my $got = run("blktrace -w 1 $loop");
		like("$got->{rc} $got->{err}" =~
		     s/^blktrace: tracing .*\n//mr,
		     qr/\A0 blktrace: relay files .* ftrace \(\Q$debugfs\E.*\n\z/,
		     'no debugfs, but tracefs: a run says so, and works');
		$got = run("blktrace --check $loop");
		like($got->{out}, qr{^but:\ debugfs\ .*
		     ^ok:\ tracefs\ is\ mounted\ at\ $TRACEFS\ .*
		     ^ok:\ $loop\ can\ be\ traced,\ by\ ftrace$}msx,
		     '... --check tells the way');
		is($got->{rc}, 0, '... and ends with 0');
	});
}

# where the lockdown cannot be read, it shows in what is refused
sub check_infers
{
	my ($arguments) = @_;
	my $got = run("blktrace --check $arguments");

	like($got->{out}, qr/^(?:but|no): the kernel is locked down: no relay/m,
	     "lockdown unseen, --check $arguments: infers it");
	unlike($got->{out}, qr/^ok:.*by relay files/m,
	       '... and promises no relay files');
	unlike($got->{out}, qr/no sign of/, '... nor says otherwise');
}

sub test_lockdown
{
	my ($loop) = @_;
	SKIP: {
		skip 'the kernel is not locked down', 19 unless is_locked();
		both_tell('lockdown',
			  'the kernel is locked down .*--via=ftrace',
			  "blktrace --via=relay $loop");
		my $got = run("blktrace -w 1 $loop");
		like($got->{err}, qr/through ftrace \(.* relay files closed\)$/m,
		     'lockdown: a run by ftrace does not advise ftrace');
		$got = run("blktrace --check $loop");
		is($got->{rc}, 0, 'lockdown: --check is content with ftrace');
		like($got->{out}, qr/^but: the kernel is locked down/m,
		     '... tells what is closed');
		like($got->{out}, qr/^ok: .* can be traced, by ftrace$/m,
		     '... and what is open');
		without([$SECURITYFS], sub { check_infers($_) for
			'--via=relay', $loop, '' });
	}
}

# by the process that holds the tracer, whichever way the next one comes
sub test_other
{
	my ($loop, $second) = @_;
	my $run = capture($loop, '--via=ftrace');
	my $pid = $run->pid;

	both_tell('another', "$loop is being traced by process $pid;",
		  "blktrace $loop");
	both_tell('another, by ftrace', "process $pid is tracing; .* wait .*--via=bpf",
		  "blktrace --via=ftrace $second");
	$run->signal('INT');
	is($run->finish(30), 0, 'another: is not disturbed');
}

# by programs of ours, also while ftrace is in use; and a kernel without them
sub test_bpf
{
	my ($loop) = @_;
	my $words = 'this kernel has no bpf\(2\)';
	my $run = capture($loop, '--via=ftrace');
	my $got = run("blktrace --check --via=bpf $loop");

	$run->signal('INT');
	is($run->finish(30), 0, 'bpf: --check disturbs no other trace');
	is($got->{rc}, 0, '... which disturbs it as little');
	like($got->{out}, qr/^ok: the kernel takes our programs/m,
	     '... says what works');
	like($got->{out}, qr/^ok: \Q$loop\E can be traced, by bpf$/m,
	     '... and for which device');
	both_tell('no bpf', $words, sprintf
		  '%s %d bpf %d blktrace --via=bpf %s', $REFUSE, ENOSYS,
		  $BPF_PROG_LOAD, $loop);
}

# not ours: it is left alone
sub test_foreign
{
	my ($loop) = @_;
	spew("$TRACEFS/events/sched/sched_switch/enable", 1);
	both_tell('ftrace in use',
		  'ftrace is in use \(.*\); stop its user, use --via=bpf',
		  "blktrace --via=ftrace $loop");
	is(slurp("$TRACEFS/events/sched/sched_switch/enable"), "1\n",
	   '... which goes on');
	spew("$TRACEFS/events/sched/sched_switch/enable", 0);
	spew("$TRACEFS/trace", '');
}

# whether -k ends what is left on the device, and has nothing to do then
sub kill_helps
{
	my ($cause, $loop) = @_;
	my $got = run("blktrace -k $loop");

	is("$got->{rc} $got->{out}$got->{err}", '0 ', "$cause: -k ends it");
	run_tells('nothing left', "$loop has no trace to stop",
		  "blktrace -k $loop");
	$got = run("blktrace --check $loop");
	like($got->{out}, qr/^ok: \Q$loop\E can be traced/m,
	     '... and it can be traced again');
}

sub test_left_by_ftrace
{
	my ($loop, $second) = @_;
	my $words = "$loop has a trace left behind by a killed run; .*-k $loop";
	my $before = switches();
	my $run = capture($loop, '--via=ftrace');

	$run->signal('KILL');
	$run->finish(30);
	both_tell('left behind', $words, "blktrace $loop");
	both_tell('left behind', $words, "blktrace --via=ftrace $second");
	kill_helps('left behind by ftrace', $loop);
	is(switches(), $before, '... every switch is what it was');
}

# A trace is set up by an ioctl, and stays when who did it ends.
sub leave_trace
{
	my ($loop) = @_;
	my $setup = pack 'a32 S x2 L2 x4 Q2 L x4', '', 0, 4096, 2, 0, 0, 0;
	open my $device, '<', $loop or die "$loop: $!\n";
	ioctl $device, $SETUP, $setup or die "BLKTRACESETUP: $!\n";
}

sub test_left_by_relay
{
	my ($loop) = @_;
	leave_trace($loop);
	both_tell('left behind',
		  "$loop has a trace left behind by a killed run; .*-k $loop",
		  "blktrace $loop");
	kill_helps('left behind by relay', $loop);
}

sub test_buffers
{
	my ($loop) = @_;
	both_tell('buffers',
		  'no memory for 1000000 buffers of 16384 KiB .*-b and -n',
		  "blktrace -b 16384 -n 1000000 $loop");
}

sub test_output
{
	my ($loop) = @_;
	my $run = 'blktrace --via=ftrace';

	mkdir "$TOP/fixed";
	system "mount -t tmpfs -o ro none $TOP/fixed";
	both_tell('output', "output directory $TOP/fixed is not writable: "
		  . 'Read-only file system; .*-D',
		  "$run -D $TOP/fixed $loop");
	both_tell('output', "output directory $TOP/fixed is not writable",
		  "$run -D $TOP/fixed/new $loop");
	both_tell('output', 'output directory ./deep is not writable: No such',
		  "$run -o deep/name $loop");
	both_tell('output', "output directory $TOP/disk.0 is not writable: Not",
		  "$run -D $TOP/disk.0 $loop");
	system "umount $TOP/fixed";
	my $got = run("blktrace --check -o - -D $TOP/fixed/no/where $loop");
	unlike($got->{out}, qr/output/, 'no files: nobody looks for room');
}

# The writer of a trace in its own light: told, but done.  On the loop device
# itself, and on one whose blocks are a file on the first.
sub test_feedback
{
	my ($loop, $other) = @_;
	my $words = "is on the traced device $loop,";
	my ($first, $second) = ("$TOP/first", "$TOP/second");

	mkdir $first;
	mkdir $second;
	system "mkfs.ext4 -q $loop && mount $loop $first";
	mkdir "$first/disks";
	my ($upper) = loops("$first/disks", 1);
	system "mkfs.ext4 -q $upper && mount $upper $second";
	for my $dir ($first, $second) {
		my $got = run("blktrace --check -D $dir $loop");
		like($got->{out}, qr/^but: .*\Q$dir $words\E/m,
		     'output on the traced disk: --check says so');
		is($got->{rc}, 0, '... but it works');
		$got = run("blktrace -w 1 -D $dir $loop");
		like($got->{err}, qr/^blktrace: .*\Q$dir $words\E .* with -h$/m,
		     '... a run warns');
		is($got->{rc}, 0, '... and goes on');
	}
	$told{feedback} = $words;
	my $got = run("blktrace --check -D $first $other");
	unlike($got->{out}, qr/the traced device/, '... not of another disk');
	system "umount $second; losetup -d $upper; umount $first";
	forget_loop($upper);
}

# A disk of two partitions of 16 MiB: three paths
sub partitioned
{
	my ($disk) = @_;
	spew($disk, '');
	truncate $disk, 64 << 20 or die "truncate: $!\n";
	chomp(my $loop = `losetup -fP --show $disk`);
	system "addpart $loop 1 2048 32768; addpart $loop 2 65536 32768";
	return ($loop, "${loop}p1", "${loop}p2");
}

# What is on a partition is on its disk, but not on the disk's other parts.
sub test_partitions
{
	my ($disk, @parts) = partitioned("$TOP/disk.parts");
	my %want = ($disk => 1, $parts[0] => 1, $parts[1] => 0);
	my $dir = "$TOP/part";

	mkdir $dir;
	system "mkfs.ext4 -q $parts[0] && mount $parts[0] $dir";
	for my $traced (sort keys %want) {
		my $got = run("blktrace --check -D $dir $traced");
		is($got->{out} =~ /on the traced device/ ? 1 : 0, $want{$traced},
		   "output on $parts[0], a trace of $traced");
	}
	system "umount $dir; losetup -d $disk";
}

# Whoever looks for a cause in these words finds one.
sub test_distinct
{
	my %causes;
	push @{$causes{$told{$_}}}, $_ for sort keys %told;
	my @same = map { "@$_" } grep { @$_ > 1 } values %causes;
	is("@same", '', scalar(keys %told) . ' causes, each in other words');
}

sub main
{
	$TOP = tempdir('doctor.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	chmod 0755, $TOP;
	my @loops = loops($TOP, 2);
	mounted('debugfs', $DEBUGFS) unless -d "$DEBUGFS/block";
	mounted('securityfs', $SECURITYFS) unless -e "$SECURITYFS/lockdown";

	test_devices();
	test_rights($loops[0]);
	test_container($loops[0]);
	test_kernel($loops[0]);
	test_mounts($loops[0]);
	test_lockdown($loops[0]);
	test_other(@loops);
	test_bpf($loops[0]);
	test_foreign($loops[0]);
	test_left_by_ftrace(@loops);
	test_left_by_relay($loops[0]);
	test_buffers($loops[0]);
	test_output($loops[0]);
	test_feedback(@loops);
	test_partitions();
	test_distinct();
	done_testing();
}

my ($reason) = -x $REFUSE ? enter() : 'no program refuse';
plan skip_all => $reason if $reason;
main();
