#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blkiomon on a live pipe: intervals, signals, message queues, readers that go
# away; and on streams that are cut, or none.
#
#	BIN=DIR prove tests/iomon.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use IPC::SysV qw(ftok IPC_CREAT IPC_RMID IPC_NOWAIT);
use Process qw(patience wait_taken);
use Records 'record';
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('iomon.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($ISSUE, $COMPLETE) = (0x01420007, 0x01820008);
my $SIGPIPE = 128 + 13;
my $RECORD = 424;		# bytes of a binary report

die "no blkiomon in $PROGRAMS->{dir}\n" unless -x "$PROGRAMS->{dir}/blkiomon";

# request NUMBER, issued and completed MICROSECONDS later
sub request
{
	my ($number, $microseconds, @fields) = @_;
	my $time = $number * 1e9;

	return record(number => $number, time => $time, action => $ISSUE,
		      @fields) .
		record(number => $number, action => $COMPLETE,
		       time => $time + 1000 * $microseconds, @fields);
}

# a blkiomon that reads a pipe: (the run, the pipe's other end)
sub start_live
{
	my @options = @_;

	pipe my $in, my $into or die "pipe: $!\n";
	my $run = Process->start(['blkiomon', @options], $TOP,
				 $PROGRAMS->{path}, in => $in);
	close $in;
	return ($run, $into);
}

sub send_to
{
	my ($into, $bytes) = @_;
	die "the pipe took too little\n"
		unless syswrite($into, $bytes) == length $bytes;
}

# how many writes each report in TEXT has counted
sub counts
{
	my ($text) = @_;
	return [$text =~ /^sizes write \(bytes\): num (\d+)/mg];
}

# Each interval has its own requests, an idle one none, the last is not lost.
sub test_intervals
{
	my ($run, $into) = start_live('-I', 2, '-h', '-');
	my $begun = time;

	send_to($into, request(1, 10) . request(2, 10));
	$run->read_until(qr/bidirectional/);
	my $waited = time - $begun;
	cmp_ok($waited, '>', 1.7, 'a report comes when the interval ends');
	cmp_ok($waited, '<', patience(3.7), '... and not with the next');
	is_deeply(counts($run->text), [2], '... with what has been done');
	sleep 2.2;
	send_to($into, request(3, 10));
	close $into;
	is($run->finish, 0, 'status 0 at the end of input');
	is_deeply(counts($run->text), [2, 1],
		  'nothing of the idle interval, all of the unfinished one');
}

# An issue in one interval and its completion in the next are a pair.
sub test_across_intervals
{
	my ($run, $into) = start_live('-I', 1, '-h', '-');
	my $both = request(1, 700_000);

	send_to($into, substr $both, 0, 48);
	sleep 1.3;
	send_to($into, substr $both, 48);
	close $into;
	$run->finish;
	like($run->text, qr/^d2c write \(usec\): num 1, min 700000,/m,
	     'a request may be issued in one interval and completed in another');
	is_deeply(counts($run->text), [1], '... it counts once');
}

# 1.3.0 ends with the next record only.
sub test_signals
{
	for my $signal (qw(INT TERM QUIT ALRM)) {
		my ($run, $into) = start_live('-I', 60, '-h', '-');
		send_to($into, request(1, 10));
		wait_taken($into);
		sleep patience(0.2);
		my $begun = time;
		$run->signal($signal);
		is($run->finish, 0, "SIG$signal on a silent pipe: status 0");
		cmp_ok(time - $begun, '<', patience(5), '... promptly');
		is_deeply(counts($run->text), [1], '... with the last interval');
		is($run->errors, "blkiomon: terminated by signal\n",
		   '... and it is said');
		close $into;
	}
}

# A reader that goes away ends it as SIGPIPE does.
sub test_closed_pipe
{
	my ($run, $into) = start_live('-I', 1, '-h', '-');

	$run->close_out;
	send_to($into, request(1, 10));
	is($run->finish, $SIGPIPE, 'nobody reads the reports: SIGPIPE');
	is($run->errors, '', '... without a word');
}

# The queue is made late, and its reader gets what a binary file has.
sub test_queue
{
	my $path = "$TOP/key";

	spew($path, '');
	my $key = ftok($path, 7);
	my ($run, $into) = start_live('-I', 1, '-Q', $path, '-q', 7, '-m', 42,
				      '-b', "$TOP/binary");
	my $waiting = qr/\Ablkiomon: waiting for the message queue/;
	like($run->errors_until($waiting), $waiting,
	     'a queue that nobody has made is waited for');
	sleep patience(0.5);
	ok($run->runs, '... as long as it takes');
	my $queue = msgget($key, IPC_CREAT | 0700);
	SKIP: {
		skip 'no message queues here', 3 unless defined $queue;
		send_to($into, request(1, 10) . request(2, 20, device => 9));
		close $into;
		is($run->finish, 0, '... until it is there');
		my $got = '';
		while (msgrcv $queue, my $message, $RECORD, 42, IPC_NOWAIT) {
			$got .= substr $message, length pack 'l!', 0;
		}
		is(length $got, 2 * $RECORD, 'two devices are two messages');
		is($got, slurp("$TOP/binary"), '... the same as in a file');
		msgctl $queue, IPC_RMID, 0;
	}
}

# A queue that is full holds blkiomon up; a signal still ends it.
sub test_full_queue
{
	my $path = "$TOP/full";

	spew($path, '');
	my $queue = msgget(ftok($path, 1), IPC_CREAT | 0700);
	SKIP: {
		skip 'no message queues here', 2 unless defined $queue;
		1 while msgsnd $queue, pack('l! a100', 9, ''), IPC_NOWAIT;
		my ($run, $into) = start_live('-I', 1, '-Q', $path, '-q', 1,
					      '-m', 42);
		send_to($into, request(1, 10) . request(2, 10, device => 9));
		sleep 1.5;
		$run->signal('INT');
		is($run->finish, 1, 'SIGINT while a queue is full:'
		   . ' status 1');
		like($run->errors, qr/^blkiomon: could not send to the message/m,
		     '... as a report is lost');
		close $into;
		msgctl $queue, IPC_RMID, 0;
	}
}

# Status 1 and a line that tells where, wherever it is cut but between records.
sub test_cuts
{
	my $stream = join '', map { request($_, 10, payload => 'x' x $_) } 1 .. 3;
	my ($borders, @wrong) = (0);

	for my $len (0 .. length $stream) {
		# between a request's two records, too
		my $border = grep { $len == $_ } map {
			my $n = 96 * $_ + $_ * ($_ + 1);
			($n, $n + 48 + $_ + 1)
		} 0 .. 3;
		next if $ENV{WRAP} && $len % 13 && !$border;
		spew("$TOP/cut", substr $stream, 0, $len);
		my $got = run_command("blkiomon -I 60 -h out < $TOP/cut", $TOP,
				      $PROGRAMS);
		my $told = $got->{err} =~
			/\Ablkiomon: standard input: byte \d+: .+\n\z/ ? 1 : 0;
		$borders += $border;
		push @wrong, "$len: status $got->{rc}, $got->{err}"
			if $got->{rc} == $border || $told == $border;
	}
	is_deeply(\@wrong, [], 'a stream cut at any byte: status 1 exactly'
		  . ' inside a record');
	is($borders, 7, '... and 0 at the seven places between');
}

sub test_garbage
{
	for my $seed (1 .. 5) {
		srand $seed;
		spew("$TOP/garbage", join '',
		     map { chr int rand 256 } 1 .. 5000);
		my $got = run_command("blkiomon -I 60 -h - < $TOP/garbage",
				      $TOP, $PROGRAMS);
		is($got->{rc}, 1, "random bytes ($seed): status 1");
		like($got->{err}, qr/\A(blkiomon: standard input: byte .*\n)+\z/,
		     '... and all that is said tells where');
		is($got->{out}, '', '... nothing is made up');
	}
}

test_intervals();
test_across_intervals();
test_signals();
test_closed_pipe();
test_queue();
test_full_queue();
test_cuts();
test_garbage();
done_testing();
