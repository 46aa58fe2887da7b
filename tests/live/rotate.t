#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Captures in segments, by each way that this machine has: nothing is lost at a
# border, and what is left is what was asked for.
#
#	BIN=DIR prove tests/live/rotate.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Machine qw(enter loops wait_tracing write_blocks);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes 'sleep';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $END = 30;
my ($BURSTS, $BURST) = (16, 50);	# of writes, over some 4 s
my $CPUS = () = glob '/sys/devices/system/cpu/cpu[0-9]*/topology';
my $TOP;

my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/run" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

# Until the first record is written, a stamp, which is after tracing began; the
# status of a capture that ends before, or nothing.
sub wait_recording
{
	my ($run, $dir) = @_;

	for (1 .. 200) {
		return () if grep { -s } glob "$dir/0*/*.[0-9]*";
		last unless -e '/proc/' . $run->pid . '/fd/0';
		sleep 0.05;
	}
	return $run->finish($END);
}

# A capture of the loop device with known writes: its directory and status, or
# with SIGNAL what that leaves.
sub capture
{
	my ($loop, $signal, @words) = @_;
	my $dir = new_dir();
	my $run = Process->start(['blktrace', @words, $loop], $dir,
				 $PROGRAMS->{path});

	# a packed file has its card before
	my ($ended) = grep({ $_ eq '--pack' } @words) ?
		(wait_tracing($run->pid) ? () : $run->finish($END)) :
		wait_recording($run, $dir);
	return ($dir, $ended) if defined $ended;
	for (1 .. $BURSTS) {
		write_blocks($loop, $BURST);
		sleep 0.2;
	}
	kill $signal => $run->pid;
	return ($dir, $run->finish($END));
}

sub segments
{
	my ($dir) = @_;
	return sort glob "$dir/0*";
}

# how many writes have completed, and whether blkparse is content
sub completed
{
	my (@traces) = @_;
	my $got = run_command("blkparse -q -f '\@%a%d\\n' @traces", $TOP,
			      $PROGRAMS);
	my @found = $got->{out} =~ /^\@CW/mg;

	return $got->{rc} ? -1 : scalar @found;
}

# the files of CPUs in a segment
sub files
{
	my ($segment) = @_;
	return () = glob "$segment/*.blktrace.[0-9]*"
		unless $segment =~ /\.btz/;
	# a name in each block
	my %names = map { $_ => 1 }
		slurp($segment) =~ /(\w+\.blktrace\.\d+)/g;
	return keys %names;
}

sub skips
{
	my ($dir) = @_;
	my $got = run_command("blkparse $dir", $TOP, $PROGRAMS);

	return join ' ', $got->{out} =~ /^Skips: (\d+)/mg;
}

sub test_way
{
	my ($loop, $via, @pack) = @_;
	my $what = join ' ', $via, @pack;
	my ($dir, $status) = capture($loop, 'INT', "--via=$via",
				     '--rotate=1s', @pack);
	my @segments = segments($dir);
	my @files = map { scalar files($_) } @segments;
	my $sum = 0;

	is($status, 0, "$what: it ends well");
	cmp_ok(scalar @segments, '>', 2, "$what: there are segments");
	is((scalar grep { /partial/ } @segments), 0, "$what: all are whole");
	is("@files", join(' ', ($CPUS) x @segments),
	   "$what: each has a file of each CPU");
	is(completed($dir), $BURSTS * $BURST, "$what: all writes are there");
	is(skips($dir), 0, "$what: and no event is missing");
	$sum += $_ for map { completed($_) } @segments;
	is($sum, $BURSTS * $BURST, "$what: each is in one segment");
}

sub test_keep
{
	my ($loop, $via, @pack) = @_;
	my ($dir, $status) = capture($loop, 'INT', "--via=$via",
				     '--rotate=1s', '--keep=2', @pack);

	is($status, 0, "--keep @pack: it ends well");
	is(scalar(() = segments($dir)), 2, "--keep @pack: two are left");
	unlike((segments($dir))[0], qr{/0001-}, "--keep @pack: the newest");
}

# A file takes a second to be removed, longer than a CPU's buffer may wait: what
# reads does not wait for it, so borders come in time and nothing is dropped.
sub test_slow_removal
{
	my ($loop, $via) = @_;
	my $dir = new_dir();
	my $run = Process->start([qw(strace -f --seccomp-bpf -o /dev/null
				     -e trace=unlinkat
				     -e inject=unlinkat:delay_enter=1000000
				     blktrace --rotate=1s --keep=2),
				  "--via=$via", '-b', '16', $loop], $dir,
				 "$PROGRAMS->{path}:/usr/bin");
	my ($ended) = wait_recording($run, $dir);

	is($ended, undef, 'slow removal: it records');
	for (1 .. $BURSTS) {
		write_blocks($loop, $BURST);
		sleep 0.3;
	}
	my ($number) = (glob("$dir/0*"))[-1] =~ m{/0*(\d+)-[^/]*\z};
	my ($blktrace) = split ' ', slurp('/proc/' . $run->pid . '/task/'
		. $run->pid . '/children');
	kill INT => $blktrace;
	is($run->finish($END), 0, 'slow removal: it ends well');
	cmp_ok($number, '>', 2, 'slow removal: borders come in time');
	like($run->text, qr/\(dropped 0\)/, 'slow removal: nothing is dropped');
	is(skips($dir), 0, 'slow removal: nor missing');
	is(scalar(() = segments($dir)), 2, 'slow removal: the oldest are gone');
}

sub test_killed
{
	my ($loop) = @_;
	my ($dir) = capture($loop, 'KILL', '--via=bpf', '--rotate=1s');
	my @segments = segments($dir);

	like($segments[-1], qr/\.partial$/, 'killed: the last is not whole');
	cmp_ok(completed($dir), '>', $BURST, 'killed: but can be read');
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
$TOP = tempdir('rotate.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($loop) = loops($TOP, 1);

test_way($loop, 'ftrace');
test_way($loop, 'ftrace', '-z');
test_way($loop, 'ftrace', '--pack');
test_keep($loop, 'ftrace');
test_keep($loop, 'ftrace', '--pack');
SKIP: {
	skip 'no strace', 6 if system 'strace -V >/dev/null 2>&1';
	test_slow_removal($loop, 'ftrace');
}
SKIP: {
	my $bpf = run_command("blktrace --check --via=bpf $loop", $TOP,
			      $PROGRAMS);
	skip 'no programs of ours can run in this kernel', 16 if $bpf->{rc};
	test_way($loop, 'bpf');
	test_way($loop, 'bpf', '-z');
	test_killed($loop);
}
done_testing;
