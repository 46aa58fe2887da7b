#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# `blktrace DEVICE -- COMMAND`: what is recorded, the status, signals, what the
# command inherits; the line without a command; the service manager; --stat.
#
#	BIN=DIR prove tests/live/command.t
#
# Works in a private mount namespace, on a loop device it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use IO::Socket::UNIX;
use JSON::PP;
use Machine qw(enter loops wait_tracing name_of);
use Process;
use Socket qw(SOCK_DGRAM pack_sockaddr_un);
use Suite::Files qw(slurp census);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $END = 30;
my ($TOP, $LOOP, $NAME);

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
	$dir ||= new_dir();
	my $got = run_command($command, $dir, $PROGRAMS);
	$got->{err} =~ s/^blktrace: relay files unavailable.*\n//m;
	return { %$got, dir => $dir };
}

sub writes
{
	my ($count) = @_;
	return "dd if=/dev/zero of=$LOOP bs=4k count=$count oflag=direct";
}

# completions that blkparse shows of a trace in a directory
sub completed
{
	my ($dir, $trace) = @_;
	my $got = run("blkparse -q $trace -f '\@%a\\n'", $dir);
	return scalar(() = $got->{out} =~ /^\@C$/mg);
}

sub cause
{
	my ($dir) = @_;
	my $card = decode_json(slurp("$dir/$NAME.blktrace.json"));
	return $card->{end} ? $card->{end}{cause} : 'no end';
}

# --- what is recorded -----------------------------------------------------

sub test_whole
{
	my ($via) = @_;
	my $got = run("blktrace --via=$via $LOOP -- " . writes(100));
	return diag("not by $via here: $got->{err}")
		if $got->{rc} == 1 && $via eq 'bpf';
	is($got->{rc}, 0, "$via: status 0") or diag($got->{err});
	is(completed($got->{dir}, $NAME), 100,
	   '... from the first to the last');
	is(cause($got->{dir}), 'command', '... and the card says what ended it');
	unlike($got->{err}, qr/stop with/, '... and nobody has to stop it');
}

sub test_outputs
{
	my $got = run("blktrace -o - $LOOP -- sh -c 'echo words; " .
		      writes(3) . "' | blkparse -q -i - -f '\@%a\\n'");
	is(scalar(() = $got->{out} =~ /^\@C$/mg), 3, '-o -: all of it');
	like($got->{err}, qr/^words$/m, "... and what it prints is beside it");
	unlike($got->{err}, qr/not a trace/, '... and not in the stream');
	$got = run("blktrace --rotate=1M -D s $LOOP -- " . writes(5));
	is(completed($got->{dir}, 's'), 5, '--rotate: all of it');
	$got = run("blktrace --ring=8M --on=exit -D s $LOOP -- " . writes(5));
	is(completed($got->{dir}, 's'), 5, '--ring: all of it');
}

# --- the status -------------------------------------------------------------

sub test_status
{
	is(run("blktrace $LOOP -- sh -c 'exit 7'")->{rc}, 7, 'its status');
	is(run("blktrace $LOOP -- sh -c 'kill -9 \$\$'")->{rc}, 137,
	   '... also when a signal ends it');
	my $got = run("blktrace $LOOP -- /nonexistent/command");
	is($got->{rc}, 127, 'a command that is not found: 127');
	like($got->{err}, qr{^blktrace: cannot run /nonexistent/command: No }m,
	     '... with a message');
	like($got->{out}, qr/^  Total: /m, '... and the trace ends as ever');
	$got = run("blktrace $LOOP -- /etc/passwd");
	is($got->{rc}, 126, 'one that cannot be run: 126');
	$got = run("blktrace /dev/nope -- touch here");
	is("$got->{rc} " . (-e "$got->{dir}/here" ? 1 : 0), '1 0',
	   'no trace: 1, and no command');
	$got = run("blktrace -w 1 $LOOP -- sh -c 'sleep 2; " . writes(3) .
		   "; exit 3'");
	is("$got->{rc} " . cause($got->{dir}), '3 stopwatch',
	   '-w ends the trace and leaves the command');
}

# --- signals and what is inherited ----------------------------------------

sub start
{
	my ($dir, @words) = @_;
	my $run = Process->start(['blktrace', @words], $dir,
				 $PROGRAMS->{path});
	wait_tracing($run->pid);
	sleep 0.3;
	return $run;
}

sub test_signals
{
	my $dir = new_dir();
	my $run = start($dir, $LOOP, '--', 'sh', '-c', "trap '" . writes(3) .
			"; exit 5' TERM; while :; do sleep 0.1; done");
	kill TERM => $run->pid;
	is($run->finish($END), 5, 'SIGTERM is passed on');
	is(completed($dir, $NAME), 3,
	   '... and what it does then is in the trace');
	is(cause($dir), 'command', '... which the command has ended');

	$dir = new_dir();
	$run = start($dir, $LOOP, '--', 'sh', '-c',
		     "trap '' TERM; sleep 3; exit 9");
	kill TERM => $run->pid;
	sleep 0.3;
	kill TERM => $run->pid;
	is($run->finish($END), 9, 'one that does not hear it is waited for');
	is(cause($dir), 'signal', '... but the second signal ends the trace');
}

sub test_inherited
{
	# ignored where this is started in the background, or by nohup
	local @SIG{qw(HUP INT QUIT)} = ('DEFAULT') x 3;
	my $got = run("blktrace $LOOP -- sh -c 'ls /proc/self/fd | wc -l; " .
		      "grep -E \"^Sig(Blk|Ign|Cgt)\" /proc/self/status; " .
		      'echo "socket: $NOTIFY_SOCKET"' . "'");
	my $plain = run("sh -c 'ls /proc/self/fd | wc -l; " .
			"grep -E \"^Sig(Blk|Ign|Cgt)\" /proc/self/status; " .
			"echo \"socket: \"'");
	is($got->{out} =~ s/^===.*//smr, $plain->{out},
	   'it inherits no descriptor and no signal of ours');
	$got = run("blktrace --user=nobody $LOOP -- id -u");
	like($got->{out}, qr/^65534$/m, '--user: as that user');
}

# --- the line, and the service manager --------------------------------------

sub test_announced
{
	my $line = qr/$LOOP \(\w+, \d+ CPUs?\); stop with Ctrl-C/;
	my $got = run("blktrace -w 1 $LOOP");
	like($got->{err}, qr/\Ablktrace: tracing $line\n\z/,
	     'one line tells when it runs');
	$got = run("blktrace -w 1 -o - $LOOP | cat >/dev/null");
	is($got->{err}, '', '... but for whoever reads the stream');
}

sub test_manager
{
	my ($name, $what) = @_;
	my $socket = IO::Socket::UNIX->new(Type => SOCK_DGRAM,
		Local => $name =~ s/^@/\0/r) or die "$name: $!\n";
	my @heard;
	local $ENV{NOTIFY_SOCKET} = $name;
	local $SIG{ALRM} = sub { die "nothing was heard\n" };
	my $run = Process->start(['blktrace', $LOOP], new_dir(),
				 $PROGRAMS->{path});
	alarm $END;
	recv $socket, $heard[0], 100, 0;
	my $on = grep { slurp($_) eq "1\n" } glob "/sys/block/$NAME/trace/enable";
	kill INT => $run->pid;
	recv $socket, $heard[1], 100, 0;
	alarm 0;
	$run->finish($END);
	is("@heard, $on", 'READY=1 STOPPING=1, 1', "$what: told in time");
}

sub test_stat
{
	my $got = run("blktrace --stat -z -o named $LOOP -- " . writes(20));
	like($got->{out}, qr/^  Total: .*^I.Os +20: 20 measured/sm,
	     "--stat: btstat's screen");
	is($got->{rc}, 0, '... status 0');
	my $plain = run('btstat named', $got->{dir});
	is($got->{out} =~ s/\A.*?(?=^trace )//smr, $plain->{out},
	   '... the same, of files that stay');
	$got = run("blktrace --stat --rotate=1M -D s $LOOP -- " . writes(20));
	like($got->{out}, qr/^I.Os +20: 20 measured/m, '... of segments');
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
$TOP = tempdir('blktrace-command.XXXXXX', TMPDIR => 1, CLEANUP => 1);
($LOOP) = loops($TOP, 1);
$NAME = name_of($LOOP);
test_whole($_) for qw(ftrace bpf);
test_outputs();
test_status();
test_signals();
test_inherited();
test_announced();
test_manager("$TOP/notify", 'a path');
test_manager("\@blktrace-test-$$", 'an abstract name');
test_stat();
done_testing();
