#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Devices as operands of btstat, btreport, btexport and iowatcher, captured here:
# what they show is what they show of the trace that is kept; and whatever ends
# them, nothing is left, neither files nor settings of the kernel.
#
#	BIN=DIR [REFUSE=PROGRAM] prove tests/live/devices.t
#
# Works in a private mount namespace, on loop devices it makes itself.
# tests/devices.t has the command lines, without a kernel.
use strict;
use warnings;
use Errno qw(ENOTTY);
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Machine qw(enter switches loops forget_loop name_of wait_tracing);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $REFUSE = abs_path($ENV{REFUSE} || 'build/tests/live/refuse');
# BLKTRACESETUP and BLKTRACESETUP2, of x86-64 and others like it
my $SETUPS = '0xc0481273,0xc0c0128e';
my $NOBODY = 'setpriv --reuid 65534 --regid 65534 --clear-groups';
my $END = 30;		# seconds in which what was ended ends
my ($TOP, $DIR, $TMP, $LOOP, $NAME);

# --- what is left -------------------------------------------------------------

sub run
{
	my ($command) = @_;
	my $got = run_command("TMPDIR=$TMP $command", $DIR, $PROGRAMS);
	$got->{err} =~ s/^blktrace: relay files unavailable.*\n//m;
	return $got;
}

# what sysfs says of a trace of the loop device
sub is_traced
{
	return slurp("/sys/block/$NAME/trace/enable") eq "1\n";
}

sub state
{
	return switches() . join(' ', map { name_of($_) } glob "$TMP/*") .
		(is_traced() ? 'traced' : '');
}

# WORK leaves everything as it was
sub leaves_nothing
{
	my ($what, $work) = @_;
	my $before = state();
	my @got = $work->();

	is(state(), $before, "$what: nothing is left");
	return wantarray ? @got : $got[0];
}

# --- load -----------------------------------------------------------------------

# Writes to a device until it is ended by unload().
sub load
{
	my ($loop) = @_;
	my $pid = fork // die "fork: $!\n";
	return $pid if $pid;
	setpgrp 0, 0;
	exec 'sh', '-c', 'while dd if=/dev/zero of=$0 bs=4k count=200 ' .
		'oflag=direct 2>/dev/null; do :; done', $loop;
}

sub unload
{
	my ($pid) = @_;
	setpgrp $pid, $pid;
	kill 'KILL', -$pid;
	waitpid $pid, 0;
}

# --- what is shown ------------------------------------------------------------

# each with a file that it writes, or nothing for its output
my @SHOWN = (
	['btstat'], ['btstat --format=json --by=process,op'],
	['btexport --table=ios'], ['btexport --table=meta'],
	['btreport -o page.html --json=page.json', 'page.json'],
	['iowatcher -o picture.svg', 'picture.svg'],
);

# but for the command line, which pages have
sub shown
{
	my ($got, $file) = @_;
	my $text = $file ? slurp("$DIR/$file") : $got->{out};
	return $text =~ s/"command":"[^"]*",//r;
}

sub test_same
{
	my ($command, $file) = @_;
	my ($program) = $command =~ /^(\w+)/;
	my $window = $program eq 'iowatcher' ? '-x 0:1' : '-w 1';
	my $got = leaves_nothing($command, sub {
		run("$command $window --keep=$program $LOOP");
	});
	my $now = shown($got, $file);

	is($got->{rc}, 0, '... status 0') or diag($got->{err});
	ok(-s "$DIR/$program.blktrace.json", '... the trace is kept');
	my $again = run($program eq 'iowatcher' ? "$command -t $program" :
			"$command $program");
	is(shown($again, $file), $now, '... and says the same again');
}

# without --keep, by the name of the device
sub test_alone
{
	my $began = time;
	my $got = leaves_nothing('btstat -w 1', sub {
		run("btstat -w 1 --by=process $LOOP");
	});

	is($got->{rc}, 0, '... status 0') or diag($got->{err});
	cmp_ok(time - $began, '<', 10, '... after a second, not ten');
	like($got->{out}, qr/^trace +$NAME, \d+ CPU/m, '... it is the device');
	like($got->{out}, qr/^dd +[1-9]/m, '... with names of processes');
	like($got->{err}, qr/\Ablktrace: tracing \Q$LOOP\E .*\n\z/,
	     '... and the message of blktrace');
	$got = run("btexport -w 1 --fields=host,disk,process $LOOP");
	unlike($got->{out}, qr/blktrace-/, 'no name is that of the directory');
	like($got->{out}, qr/,$NAME,dd$/m, '... but the machine\'s');
}

sub test_several
{
	my (@loops) = @_;
	my $got = leaves_nothing('two devices', sub {
		run("btstat -w 1 --format=json --by=device --keep=both @loops");
	});
	my $both = run('btstat --format=json --by=device both');

	is($got->{rc}, 0, '... status 0') or diag($got->{err});
	is(() = glob("$DIR/both/loop*.blktrace.json"), 2, '... are kept');
	is($both->{out}, $got->{out}, '... and say the same again');
}

# --- by which way -------------------------------------------------------------

# relay files are below debugfs
sub test_fallback
{
	my $was = !system 'umount /sys/kernel/debug 2>/dev/null';
	my $got = leaves_nothing('without debugfs', sub {
		run("btstat -w 1 $LOOP");
	});

	like($got->{err}, qr/\(ftrace, /, '... ftrace is used');
	like($got->{out}, qr/^$NAME write +[1-9]/m, '... and works');
	system 'mount -t debugfs none /sys/kernel/debug' if $was;
}

# --- how it ends ----------------------------------------------------------------

# a program in the middle of a capture, and its blktrace
sub start
{
	my (@command) = @_;
	local $ENV{TMPDIR} = $TMP;
	my $p = Process->start(\@command, $DIR, $PROGRAMS->{path});
	my $blktrace;

	for (1 .. 600) {
		my $children = "/proc/@{[$p->pid]}/task/@{[$p->pid]}/children";
		($blktrace) = split ' ', -e $children ? slurp($children) : '';
		last if $blktrace;
		sleep 0.05;
	}
	wait_tracing($blktrace) or die 'blktrace: ', $p->errors;
	return ($p, $blktrace);
}

sub test_signal
{
	my ($signal, @command) = @_;
	my $began = time;
	my $p = leaves_nothing("$signal: @command", sub {
		my ($p) = start(@command, $LOOP);
		sleep 0.5;
		$p->signal($signal);
		is($p->finish($END), 0, "$signal ends the capture: status 0");
		return $p;
	});

	cmp_ok(time - $began, '<', 9, '... before its time');
	return $p->text;
}

sub test_killed
{
	my $p = leaves_nothing('KILL for blktrace', sub {
		my ($p, $blktrace) = start('btstat', $LOOP);
		kill 'KILL', $blktrace;
		is($p->finish($END), 137, 'blktrace is killed: its status');
		return $p;
	});
	is($p->text, '', '... nothing is shown');
	like($p->errors, qr/^btstat: blktrace was killed by signal 9/m,
	     '... and why');
	unlike($p->errors, qr/^blktrace: (?!tracing|relay)/m,
	       '... its trace could be stopped');
	my ($killed, $blktrace) = start('btstat', $LOOP);
	$killed->signal('KILL');
	$killed->finish($END);
	for (1 .. 600) {
		last unless kill 0, $blktrace;
		sleep 0.05;
	}
	ok(!is_traced(), 'btstat is killed: its capture ends');
	system 'rm', '-r', glob "$TMP/*";
}

# --- what is refused ------------------------------------------------------------

# the same as by blktrace, and nothing shown
sub test_refused
{
	my ($what, $device, $words, $how) = @_;
	my $by_blktrace = run("$how blktrace -w 1 $device");
	my $got = leaves_nothing($what, sub { run("$how btstat -w 1 $device") });

	is("$got->{rc} $got->{out}", "$by_blktrace->{rc} ",
	   "... blktrace's status, and nothing shown");
	is($got->{err} =~ s/process \d+/process N/r,
	   $by_blktrace->{err} =~ s/process \d+/process N/r,
	   '... its message');
	like($got->{err}, $words, '... which says why');
}

sub test_busy
{
	my $other = Process->start(['blktrace', $LOOP], $DIR, $PROGRAMS->{path});
	wait_tracing($other->pid) or die 'blktrace: ', $other->errors;
	my $got = run("btstat -w 1 $LOOP");

	is("$got->{rc} $got->{out}", '1 ', 'a device that is traced: status 1');
	like($got->{err}, qr/process @{[$other->pid]}\b/, '... and by whom');
	ok(is_traced(), '... and still is');
	$other->signal('INT');
	$other->finish($END);
	is(state(), switches(), '... until that ends');
}

sub test_full
{
	my $small = "$TOP/small";
	mkdir $small;
	if (system 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', $small) {
		SKIP: { skip 'no tmpfs', 4 }
		return;
	}
	my $got = leaves_nothing('a full TMPDIR', sub {
		run("TMPDIR=$small btstat -w 3 $LOOP");
	});
	isnt($got->{rc}, 0, '... status 1');
	like($got->{err}, qr/^blktrace: .*No space left/m, '... and why');
	is(join(' ', glob "$small/*"), '', '... nothing is left there');
	system 'umount', $small;
}

# A device that is taken away meanwhile.
sub test_detached
{
	my ($loop) = @_;
	my ($p) = start('btstat', $loop);
	my $load = load($loop);
	sleep 0.5;
	unload($load);
	system "losetup -d $loop";
	forget_loop($loop);
	sleep 0.5;
	$p->signal('INT');
	is($p->finish($END), 0, 'loop detached: status 0');
	like($p->text, qr/^@{[name_of($loop)]} write +[1-9]/m,
	     '... what was there is shown');
	is(join(' ', glob "$TMP/*"), '', '... nothing is left');
}

# -----------------------------------------------------------------------------

my ($reason) = enter();
plan skip_all => $reason if defined $reason;
$TOP = abs_path(tempdir('devices.XXXXXX', TMPDIR => 1, CLEANUP => 1));
($DIR, $TMP) = ("$TOP/here", "$TOP/tmp");
mkdir $_ for $DIR, $TMP;
chmod 0777, $TOP, $DIR, $TMP;
my ($other, $last);
($LOOP, $other, $last) = loops($TOP, 3);
$NAME = name_of($LOOP);
my $load = load($LOOP);
$SIG{$_} = sub { unload($load); exit 1 } for qw(INT TERM);

test_same(@$_) for @SHOWN;
test_alone();
test_several($LOOP, $other);
test_fallback();
like(test_signal($_, 'btstat'), qr/^$NAME write +[1-9]/m,
     '... what was captured is shown') for qw(INT TERM HUP);
test_signal('INT', 'btreport', '-o', 'stopped.html');
ok(-s "$DIR/stopped.html", '... and makes a page');
like(test_signal('INT', 'btexport'), qr/,$NAME,/, '... and rows');
test_signal('INT', 'iowatcher', '-o', 'stopped.svg');
ok(-s "$DIR/stopped.svg", '... and a picture');
test_killed();
test_refused('not root', $LOOP, qr/is for root only/, $NOBODY);
SKIP: {
	skip 'no program refuse', 4 unless -x $REFUSE;
	test_refused('a kernel without tracing', $LOOP, qr/CONFIG_BLK_DEV_IO/,
		     "$REFUSE @{[ENOTTY]} ioctl $SETUPS");
}
test_busy();
test_full();
unload($load);
test_detached($last);
done_testing();
