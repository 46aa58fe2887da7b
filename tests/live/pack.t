#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Packed captures: one file, which programs read as the files that a plain capture
# writes; and what a kill leaves of it.  live/full.t fills a disk.
#
#	BIN=DIR prove tests/live/pack.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Machine qw(enter loops name_of wait_tracing write_blocks);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes 'sleep';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $END = 30;
my $WRITES = 300;
my @CPUS = map { /(\d+)$/ } glob '/sys/devices/system/cpu/cpu[0-9]*';
my ($TOP, @LOOPS, @NAMES);

my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/run" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

sub run
{
	my ($command, $dir) = @_;
	return run_command($command, $dir, $PROGRAMS);
}

# A capture of COMMAND on devices.
sub blktrace
{
	my ($dir, $command, @words) = @_;
	my $got = run("blktrace @words -- $command", $dir);
	$got->{err} =~ s/^blktrace: relay files unavailable.*\n//m;
	$got->{err} =~ s/^\d+\+0 records.*\n|^\d+ bytes.*\n//mg;
	return $got;
}

sub writes
{
	my ($count, $loop) = @_;
	return "dd if=/dev/zero of=$loop bs=4k count=$count oflag=direct " .
		'conv=notrunc';
}

sub start
{
	my ($dir, @words) = @_;
	my $run = Process->start(['blktrace', @words], $dir,
				 $PROGRAMS->{path});

	wait_tracing($run->pid) or die "no trace\n";
	return $run;
}

# how many writes have completed, and whether blkparse is content
sub completed
{
	my ($dir, @traces) = @_;
	my $got = run("blkparse -q -f '\@%a%d\\n' @traces", $dir);
	my @found = $got->{out} =~ /^\@CW/mg;

	return $got->{rc} ? -1 : scalar @found;
}

sub card
{
	my ($dir, $trace) = @_;
	return run("blktrace --card $trace", $dir)->{out};
}

# --- whole -------------------------------------------------------------------

# The same work, packed and plain: the same lines of what was done.
sub test_same
{
	my $dir = new_dir();
	my ($loop, $name) = ($LOOPS[0], $NAMES[0]);
	my $got = blktrace($dir, writes($WRITES, $loop), '--pack', $loop);
	blktrace($dir, writes($WRITES, $loop), '-D plain', $loop);

	is("$got->{rc} $got->{err}", '0 ', 'packed: it ends well');
	is(join(' ', map { s{.*/}{}r } glob "$dir/$name*"), "$name.btz",
	   '... in one file');
	is(completed($dir, "$name.btz"), $WRITES, '... with each write');
	is(ios($dir, "$name.btz"), ios($dir, "-D plain $name"),
	   '... and btstat says the same of them as of a plain trace');
	is(run("blkrawverify $name.btz", $dir)->{rc}, 0,
	   '... whose records are whole');
	like(card($dir, "$name.btz"), qr/^ +ended by +command$/m,
	     '... and the card has its end');
	cmp_ok(5 * -s "$dir/$name.btz", '<', sizes("$dir/plain"),
	       '... in a fifth of the size at most');
}

# btstat after the capture, of one file and of segments
sub test_stat
{
	my $dir = new_dir();

	for ('', '-o foo.btz', '--rotate=1s -D many') {
		my $got = blktrace($dir, writes($WRITES, $LOOPS[0]),
				   "--pack --stat $_", $LOOPS[0]);
		is($got->{rc}, 0, "--stat $_: it ends well") or
			diag($got->{err});
		like($got->{out}, qr/^I.Os +$WRITES: $WRITES measured/m,
		     '... with what btstat prints');
	}
}

sub sizes
{
	my ($dir) = @_;
	my $sum = 0;
	$sum += -s for glob "$dir/*";
	return $sum;
}

# btstat's line of I/Os, and that nothing is lost
sub ios
{
	my ($dir, $trace) = @_;
	my $got = run("btstat $trace", $dir);
	return join '; ', $got->{out} =~ /^((?:I.Os|lost) .*)/mg;
}

# one file for all devices, named by -o
sub test_devices
{
	my $dir = new_dir();
	my ($first, $second) = map { writes($WRITES / 2, $_) } @LOOPS;
	my $got = blktrace($dir, "sh -c '$first; $second'", '--pack',
			   '-o both.btz', @LOOPS);

	is($got->{rc}, 0, 'two devices: it ends well') or diag($got->{err});
	is(join(' ', map { s{.*/}{}r } glob "$dir/both*"), 'both.btz',
	   '... in one file');
	is(completed($dir, 'both.btz'), $WRITES, '... with each write');
	my %names = map { $_ => 1 } run('btexport --table=events --no-header ' .
		'--fields=disk both.btz', $dir)->{out} =~ /^(\S+)$/mg;
	is(join(' ', sort keys %names), join(' ', sort @NAMES),
	   '... and both devices');
	is(run("blktrace --card both.btz/$NAMES[1]", $dir)->{rc}, 0,
	   '... each with its card');
}

# --- what does not end well ---------------------------------------------------

sub test_killed
{
	my $dir = new_dir();
	my ($loop, $name) = ($LOOPS[0], $NAMES[0]);
	my $run = start($dir, '--pack', $loop);

	for (1 .. 40) {
		write_blocks($loop, 10);
		sleep 0.1;
	}
	kill KILL => $run->pid;
	$run->finish($END);
	is(run("blktrace -k $loop", $dir)->{rc}, 0, 'killed: -k ends the trace');
	my $got = run("blkparse -q -O $name.btz", $dir);
	like($got->{err}, qr/cut short|killed/, '... its file lacks its end');
	my $found = completed($dir, "$name.btz 2>/dev/null; true");
	cmp_ok($found, '>=', 400 - 2 * 100, '... all but two seconds are left');
	cmp_ok($found, '<=', 400, '... and no more than there was');
	my $card = card($dir, "$name.btz");
	like($card, qr/^begun/m, '... and the card of the start');
	unlike($card, qr/^ended/m, '... without an end');
}

# --- pipe -----------------------------------------------------------------------

# A reader sees a write at once, not when a block is full.
sub test_pipe
{
	my $dir = new_dir();
	my $loop = $LOOPS[0];
	pipe my $from, my $into or die "pipe: $!\n";
	my $reader = Process->start(['blkparse', '-q', '-i', '-', '-f',
				     "\@%a%d\n"], $dir, $PROGRAMS->{path},
				    in => $from);
	my $run = Process->start(['blktrace', '--pack', '-o', '-', $loop], $dir,
				 $PROGRAMS->{path}, out => $into);

	close $_ for $from, $into;
	wait_tracing($run->pid) or die "no trace\n";
	write_blocks($loop, 1);
	like($reader->read_until(qr/^\@CW/m, 10), qr/^\@CW/m,
	     'a pipe: a write comes while it runs');
	kill INT => $run->pid;
	is($run->finish($END), 0, '... and it ends well');
	is($reader->finish($END), 0, '... and so does its reader');
	is($reader->errors, '', '... without a word');
}

# In a file, a stream is what --pack would have written.
sub test_redirected
{
	my $dir = new_dir();
	my ($loop, $name) = ($LOOPS[0], $NAMES[0]);
	my $got = run("blktrace --pack -o - $loop -- sh -c '" .
		      writes($WRITES, $loop) . "' >x.btz", $dir);

	is($got->{rc}, 0, 'to a file: it ends well') or diag($got->{err});
	is(completed($dir, 'x.btz'), $WRITES, '... each write is there');
	like(card($dir, "x.btz/$name"), qr/^ +ended by +command$/m,
	     '... and the card');
	is(run('btpack -t x.btz', $dir)->{rc}, 0, '... and its end');
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
my $built = run_command('blktrace --pack', '/', $PROGRAMS)->{err};
plan skip_all => $1 if $built =~ /(built without libzstd)/;
$TOP = tempdir('pack.XXXXXX', TMPDIR => 1, CLEANUP => 1);
@LOOPS = loops($TOP, 2);
@NAMES = map { name_of($_) } @LOOPS;
$_->() for \&test_same, \&test_stat, \&test_devices, \&test_killed, \&test_pipe,
	\&test_redirected;
done_testing();
