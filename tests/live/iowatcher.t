#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# iowatcher -d: traces a device of this machine while a program runs, or until a
# signal comes, and draws what came of it.
#
#	BIN=DIR prove tests/live/iowatcher.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Machine qw(enter switches loops write_blocks wait_tracing);
use Process;
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
# seconds in which whatever has been ended ends, unless it hangs
my $END = 30;

my $TOP;

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

sub titles
{
	my ($file) = @_;
	return slurp("$TOP/$file") =~
		/font-size="18" font-weight[^>]*>([^<]*)/g;
}

my $GRAPHS = 'Device IO,Throughput,CPU IO Wait Time,CPU System Time,'
	. 'CPU IRQ Time,CPU Soft IRQ Time,CPU User Time,IO Latency,'
	. 'Queue Depth,IOPs';

sub test_program
{
	my ($loop) = @_;
	my $got = run("iowatcher -d $loop -t one -l x -o one.svg"
		      . " -p sh -c 'dd if=/dev/zero of=$loop bs=4k count=50"
		      . " oflag=direct 2>/dev/null; sleep 1.5; exit 3'");

	is($got->{rc}, 0, '-p: its status is not ours') or diag($got->{err});
	is(join(',', titles('one.svg')), $GRAPHS, '... and all is drawn');
	ok(-s "$TOP/one.mpstat", 'CPU times are kept beside the trace');
	is(run('btstat one --format=csv | grep -c ^')->{rc}, 0,
	   '... which is one for others, too');
	my $again = run('iowatcher -t one -l x -o again.svg');
	is(slurp("$TOP/again.svg"), slurp("$TOP/one.svg"),
	   'what is kept draws the same again');
}

sub test_several
{
	my (@loops) = @_;
	my $got = run('iowatcher ' . join(' ', map { "--device=$_" } @loops)
		      . ' -D below -t two -o two.svg --prog dd if=/dev/zero'
		      . " of=$loops[1] bs=4k count=9 oflag=direct");

	is($got->{rc}, 0, 'several devices') or diag($got->{err});
	is(() = glob("$TOP/below/two/loop*.blktrace.0"), 2,
	   '... are a directory');
	ok(-s "$TOP/below/two.mpstat", '... with CPU times beside it');
	$got = run("iowatcher -d $loops[0] --blktrace-destination=deep -o 3.svg"
		   . " -p dd if=/dev/zero of=$loops[0] count=1 oflag=direct");
	is($got->{rc}, 0, 'without -t') or diag($got->{err});
	ok(-e "$TOP/deep/trace.blktrace.0", '... it is called trace');
}

sub test_signal
{
	my ($loop) = @_;
	my $run = Process->start(['iowatcher', '-d', $loop, '-t', 'sig', '-o',
				  'sig.svg'], $TOP, $PROGRAMS->{path});

	ok(wait_tracing($run->pid), 'without -p it traces');
	write_blocks($loop, 20);
	$run->signal('INT');
	is($run->finish($END), 0, '... until a signal comes');
	is(join(',', titles('sig.svg')), $GRAPHS, '... and draws then');
}

sub test_failures
{
	my ($loop) = @_;
	my $got = run("iowatcher -d $loop -t none -o none.svg"
		      . ' -p /nope/program');

	is($got->{rc}, 1, 'a program that cannot be run');
	like($got->{err}, qr{^iowatcher: cannot run /nope/program: }m,
	     '... is named');
	ok(!-e "$TOP/none.svg", '... and nothing is drawn');
	$got = run('iowatcher -d /dev/null -o none.svg -p true');
	is($got->{rc}, 1, 'what is no device');
	$got = run("iowatcher -d $loop -t idle -O io -o none.svg -p true");
	is($got->{rc}, 1, 'a device without I/O');
	like($got->{err}, qr/nothing to draw/, '... says so');
}

sub main
{
	$TOP = tempdir('iowatcher.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	mkdir "$TOP/$_" or die "mkdir: $!\n" for 'below', 'deep';
	my @loops = loops($TOP, 2);
	my $before = switches();

	test_program($loops[0]);
	test_several(@loops);
	test_signal($loops[0]);
	test_failures($loops[1]);
	is(switches(), $before, 'every switch is put back');
	done_testing();
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
main();
