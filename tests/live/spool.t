#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A capture with --spool whose collector is killed, replaced, and away at the end;
# and one whose spool is too small.
#
#	BIN=DIR prove tests/live/spool.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile",
	"$FindBin::Bin/../server", $FindBin::Bin;
use Collector qw($PROGRAMS $TOP free_port new_dir serve_here serve_again stop);
use JSON::PP;
use Machine qw(enter loops name_of wait_tracing);
use Process qw(patience);
use Suite::Files 'slurp';
use Suite::Run 'run_command';
use Test::More;
use Time::HiRes 'sleep';

my @HERE = ('--bind', '127.0.0.1');

my ($reason) = enter();
plan skip_all => $reason if $reason;

my ($LOOP) = loops($TOP, 1);
my $NAME = name_of($LOOP);

# a capture for that server, which records
sub capture
{
	my ($server, @options) = @_;
	my $run = Process->start(['blktrace', '--via=ftrace', '-d', $LOOP,
				  '-h', '127.0.0.1', '-p', $server->{port},
				  "--spool=$TOP,8M", @options], $TOP,
				 $PROGRAMS->{path});

	wait_tracing($run->pid) or die "no trace: " . $run->errors;
	return $run;
}

sub load
{
	my ($count, $size) = @_;
	system "dd if=$LOOP of=/dev/null bs=$size count=$count iflag=direct" .
		' 2>/dev/null';
}

# whether the seals of the run that the server has show no loss
sub is_whole
{
	my ($server) = @_;
	my ($dir) = glob "$server->{dir}/127*";
	return run_command("btstat --strict $NAME", $dir, $PROGRAMS)->{rc} == 0;
}

# the end of the run, by its card there
sub end_of
{
	my ($server) = @_;
	my ($card) = glob "$server->{dir}/127*/$NAME.blktrace.json";
	return $card ? decode_json(slurp($card))->{end} : undef;
}

# --- tests -------------------------------------------------------------------

sub test_away
{
	my $server = serve_here();
	my $run = capture($server);

	load(200, '4k');
	$server->{run}->signal('KILL');
	$server->{run}->finish;
	$run->errors_until(qr/connection lost/);
	load(200, '4k');
	serve_again($server, @HERE);
	$run->errors_until(qr/connected again/);
	load(200, '4k');
	is(stop($server), 0, 'the collector is killed, and then ended');
	load(200, '4k');
	$run->signal('INT');
	$run->errors_until(qr/waiting for \S+ to take .*; Ctrl-C drops them/);
	ok($run->runs, 'a capture that has ended waits for it');
	serve_again($server, @HERE);
	is($run->finish(patience(30)), 0, '... until it has all');
	my $end = end_of($server) // {};
	is($end->{undelivered}, 0, '... nothing is missing, says the card');
	cmp_ok($end->{events}, '>', 800 * 4, '... of all that was read');
	ok(is_whole($server), '... and the seals');
	is(stop($server), 0, '... status 0');
	like($server->{run}->text, qr/^  Total: +$end->{events} events/m,
	     '... its totals are the capture\'s');
}

# Both ends pack; nothing is in the run's directory but its file, with the card.
sub test_packed
{
	my $server = serve_here('--pack');
	my $run = capture($server, '--pack');

	load(200, '4k');
	sleep 1.5;
	$server->{run}->signal('KILL');
	$server->{run}->finish;
	load(200, '4k');
	serve_again($server, @HERE, '--pack');
	$run->errors_until(qr/connected again/);
	load(200, '4k');
	$run->signal('INT');
	is($run->finish(patience(30)), 0, 'packed: the collector is killed');
	is(stop($server), 0, '... status 0');
	my ($total) = $run->text =~ /^(  Total: .*)/m;
	like($server->{run}->text, qr/^\Q$total\E$/m, '... the same totals');
	my ($dir) = glob "$server->{dir}/127*";
	my $file = "$NAME.btz";
	is_deeply([glob "$dir/*"], ["$dir/$file"], '... in one file');
	is(run_command("btstat --strict $file", $dir, $PROGRAMS)->{rc}, 0,
	   '... nothing is missing, say the seals');
	like(run_command("blktrace --card $file", $dir, $PROGRAMS)->{out},
	     qr/^ended /m, '... and its card is the last one');
}

sub test_given_up
{
	my $server = serve_here();
	my $run = capture($server);

	stop($server);
	load(100, '4k');
	$run->signal('INT');
	$run->errors_until(qr/waiting for/);
	$run->signal('INT');
	is($run->finish(patience(30)), 1, 'a second signal gives up: status 1');
	like($run->errors, qr/\d+ events \(\d+ KiB\) did not reach \S+/,
	     '... and it says what is lost');
}

# More than 16 MiB, memory and spool, while the collector is away.
sub test_full
{
	my $server = serve_here();
	my $run = capture($server);

	stop($server);
	load(100000, '512');
	$run->errors_until(qr/8\.00M of records wait .*: the oldest are dropped/);
	pass('the spool is full: that is said');
	serve_again($server, @HERE);
	$run->errors_until(qr/connected again/);
	$run->signal('INT');
	is($run->finish(patience(60)), 0, '... what is there is delivered');
	my ($lost) = $run->errors =~ /(\d+) events \(\d+ KiB\) did not reach/;
	my $end = end_of($server) // {};
	cmp_ok($lost, '>', 1000, '... what is not is counted');
	is($end->{undelivered}, $lost, '... in the card as well');
	is(stop($server), 0, '... status 0');
	like($server->{run}->errors,
	     qr/did not come: the sender's spool was full/,
	     '... the collector says so');
	like($server->{run}->text, qr/^  Total: +@{[$end->{events} - $lost]} /m,
	     '... and counts what has come');
	ok(!is_whole($server), '... and so do the seals');
}

# The collector's disk is full, and then no more.
sub test_disk_full
{
	my $server = { dir => new_dir(), port => free_port() };
	my @mount = ('mount', '-t', 'tmpfs', '-o');
	system(@mount, 'size=1m', 'tmpfs', $server->{dir}) == 0
		or die "no tmpfs\n";
	serve_again($server, @HERE);
	my $run = capture($server);

	load(20000, '512');
	$run->errors_until(qr/cannot store: No space left on device/);
	pass('the collector has no space left: the sender says so, and waits');
	system @mount, 'remount,size=64m', 'tmpfs', $server->{dir};
	$run->errors_until(qr/connected again/);
	$run->signal('INT');
	is($run->finish(patience(60)), 0, '... until there is some');
	ok(is_whole($server), '... nothing is missing');
	is(stop($server), 0, '... status 0');
	system 'umount', $server->{dir};
}

# It has no inodes: a run needs a directory, a token, and files for its CPUs.
sub test_no_inodes
{
	my $server = { dir => new_dir(), port => free_port() };
	system('mount', '-t', 'tmpfs', '-o', 'nr_inodes=4', 'tmpfs',
	       $server->{dir}) == 0 or die "no tmpfs\n";
	serve_again($server, @HERE);
	my $got = run_command("blktrace --via=ftrace -w 1 -d $LOOP -h 127.0.0.1" .
			      " -p $server->{port} --spool=$TOP,8M", $TOP,
			      $PROGRAMS);

	is($got->{rc}, 1, 'a collector without inodes: status 1');
	like($got->{err}, qr/cannot connect to .*: too few free inodes/,
	     '... with the reason');
	is_deeply([glob "$server->{dir}/127*"], [], '... and nothing is made');
	is(stop($server), 0, '... status 0');
	system 'umount', $server->{dir};
}

test_away();
test_packed();
test_given_up();
test_disk_full();
test_no_inodes();
test_full();
done_testing();
