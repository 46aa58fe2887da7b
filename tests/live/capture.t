#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Captures with blktrace itself, by whichever way this machine has: what is
# said and written, the recorded sessions of 1.3.0 among it, and how a capture
# ends when something goes wrong.
#
#	BIN=DIR prove tests/live/capture.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use IO::Socket::IP;
use Machine qw($TRACEFS enter switches loops forget_loop write_blocks
	       name_of wait_tracing);
use Process;
use Suite::Files qw(slurp spew census);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my ($LOOP_CTL_ADD, $LOOP_CTL_REMOVE) = (0x4c80, 0x4c81);
# seconds that a failed run may take to end, and any other one after a signal:
# nothing that hangs ends so soon, and nothing else takes so long
my ($SOON, $END) = (10, 30);
my $CPUS = () = slurp('/proc/cpuinfo') =~ /^processor/mg;

my $TOP;

# --- runs --------------------------------------------------------------------

my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/run" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

# A whole run in a directory of its own, or in DIR: as run_command, and seconds.
sub run
{
	my ($command, $dir) = @_;
	$dir ||= new_dir();
	my $start = time;
	my $got = run_command($command, $dir, $PROGRAMS);
	return { %$got, seconds => time - $start, dir => $dir };
}

# One that goes on, once it has begun to trace.
sub start
{
	my ($dir, @words) = @_;
	my $run = Process->start(['blktrace', @words], $dir,
				 $PROGRAMS->{path});
	wait_tracing($run->pid);
	return $run;
}

# Waits for one that ends by itself: its status, if that is soon.
sub ends_soon
{
	my ($run) = @_;
	my $start = time;
	my $status = $run->finish(3 * $SOON);
	my $seconds = time - $start;
	return $seconds < $SOON ? $status : "$status after $seconds s";
}

# As much as goes, in the background: its process
sub load
{
	my ($loop) = @_;
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	return $pid if $pid;
	open STDERR, '>', '/dev/null';
	exec 'dd', 'if=/dev/zero', "of=$loop", 'bs=512', 'count=120000',
		'oflag=direct' or POSIX::_exit(127);
}

sub unload
{
	my ($pid) = @_;
	kill KILL => $pid;
	waitpid $pid, 0;
}

# --- what comes of it --------------------------------------------------------

# the block of a device, whatever the numbers
sub totals
{
	my ($loop) = @_;
	my $line = '[ \d]{19}\d events, [ \d]{7}\d KiB data\n';
	my $total = $line =~ s/events/events \\(dropped \\d+\\)/r;
	return '=== ' . name_of($loop) . ' ===\n' . join('', map {
		sprintf '  CPU%3d: %s', $_, $line
	} 0 .. $CPUS - 1) . "  Total:  $total";
}

sub has_totals
{
	my ($text, $what, @loops) = @_;
	my $all = join '', map { totals($_) } @loops;
	like($text, qr/\A$all\z/, $what);
}

# the files of a run: all of them, relative to its directory
sub files_of
{
	my ($dir) = @_;
	return join ' ', sort keys %{census($dir)};
}

sub files_named
{
	return join ' ', sort map {
		my $name = $_;
		map { "$name.blktrace.$_" } 0 .. $CPUS - 1, 'json'
	} @_;
}

# how often blkparse shows an action, a pattern, in a capture; -1: damaged
sub count
{
	my ($dir, $name, $action) = @_;
	my $got = run("blkparse -q -D $dir -i $name -f '\@%a\\n'");
	my @found = $got->{out} =~ /^\@(?:$action)$/mg;
	return $got->{rc} ? -1 : scalar @found;
}

# --- sessions as recorded ----------------------------------------------------

# COMMAND in a directory with what PREPARE makes there: totals of these loops,
# these files and no others
sub session
{
	my ($command, $loops, $files, $prepare) = @_;
	my $dir = new_dir();
	$prepare->($dir) if $prepare;
	my $before = census($dir);
	my $got = run($command, $dir);
	my $what = $command =~ s{/dev/}{}gr;

	is($got->{rc}, 0, "$what: status 0") or diag($got->{err});
	has_totals($got->{out}, '... totals', @$loops);
	my $after = census($dir);
	is(join(' ', sort grep { !$before->{$_} } keys %$after), $files,
	   '... files');
}

sub test_sessions
{
	my ($a, $b) = @_;
	my ($x, $y) = map { name_of($_) } $a, $b;
	my $dir_out = files_named("out/$x", "out/$y");

	session("blktrace -d $a -d $a -w 1", [$a], files_named($x));
	session("blktrace -d $a $b -w 1", [$a, $b], files_named($x, $y));
	session("blktrace -D out -w 1 $a $b", [$a, $b], $dir_out);
	session("blktrace -o foo -w 1 $a", [$a], files_named('foo'));
	session("blktrace -d $a -o a/b -w 1", [$a], files_named('a/b'),
		sub { mkdir "$_[0]/a" });
	session("blktrace -I devs -w 1", [$a, $b], files_named($x, $y),
		sub { spew("$_[0]/devs", "$a\n\t$b $a\n") });
	session("blktrace -d $a -b 1x -n 2x -w 1", [$a], files_named($x));
	session("blktrace -z -w 1 $a", [$a],
		files_named($x) =~ s/\d\K(?= |\z)/.gz/gr);
}

# a name that begins with a slash is where it says
sub test_absolute
{
	my ($a) = @_;
	my $there = new_dir();
	my ($here, $got) = (new_dir());

	$got = run("blktrace -o $there/foo -w 1 $a", $here);
	is($got->{rc}, 0, '-o /DIR/NAME: status 0') or diag($got->{err});
	is(files_of($there), files_named('foo'), '... files are in DIR');
	is(files_of($here), '', '... and none is here');
}

# as given, whatever stands in the way here
sub test_refused
{
	my ($a) = @_;
	for my $options ('-o a/b', '-D /nope/deep', '-D /proc/nope') {
		my $got = run("blktrace $options -w 1 $a");
		is("$got->{rc} $got->{out}", '1 ', "$options: nothing begins");
		like($got->{err}, qr/^blktrace: .*not writable|can't be made/m,
		     '... and it is said why');
	}
	my $got = run("blktrace --via=relay -r /nope -w 1 $a");
	is("$got->{rc} $got->{out}", '1 ', '-r /nope: nothing begins');
}

# --- what is recorded --------------------------------------------------------

# STARTED with these options while N blocks are written: the directory
sub record
{
	my ($loop, $n, @options) = @_;
	my $dir = new_dir();
	my $run = start($dir, @options, $loop);
	write_blocks($loop, $n);
	$run->signal('INT');
	is($run->finish($END), 0, "@options: ends well") or diag($run->errors);
	return $dir;
}

sub test_masks
{
	my ($loop) = @_;
	my $name = name_of($loop);
	my $dir = record($loop, 40, '-a', 'issue', '-a', 'complete');

	is(count($dir, $name, $_->[0]), $_->[1], "... $_->[1] of $_->[0]")
		for [D => 40], [C => 40], [Q => 0];
	$dir = record($loop, 40, '-A', '40');
	is(count($dir, $name, $_->[0]), $_->[1], "... $_->[1] of $_->[0]")
		for [D => 40], [C => 0];
}

sub test_live
{
	my ($loop) = @_;
	my $dir = new_dir();
	open my $out, '>', "$dir/stream" or die "stream: $!\n";
	my $run = Process->start(['blktrace', '-o', '-', '-w', 5, $loop],
				 $dir, $PROGRAMS->{path}, out => $out);
	wait_tracing($run->pid);
	write_blocks($loop, 30);
	is($run->finish($END), 0, '-o -: ends well');
	my $got = run("blkparse -q -i $dir/stream -f '\@%a\\n'");
	is(scalar(() = $got->{out} =~ /^\@C$/mg), 30, '... all is there');
}

# --- ends --------------------------------------------------------------------

sub test_signals
{
	my ($loop) = @_;
	for my $name (qw(INT TERM HUP ALRM)) {
		my $run = start(new_dir(), $loop);
		$run->signal('PIPE');
		sleep 0.2;
		ok($run->runs, 'SIGPIPE is nothing');
		$run->signal($name);
		is($run->finish($END), 0, "SIG$name ends it well");
		has_totals($run->text, '... with totals', $loop);
	}
}

# As in 1.3.0, SIGQUIT is for whoever wants no end that takes time.
sub test_quit
{
	my ($loop) = @_;
	my $dir = new_dir();
	my $run = start($dir, '--via=ftrace', $loop);

	write_blocks($loop, 20);
	sleep 2.2;
	$run->signal('QUIT');
	is($run->finish($END), 131, 'SIGQUIT ends it at once');
	is(run("blktrace -k $loop")->{rc}, 0, '... and -k what it leaves');
	like(run('btstat ' . name_of($loop), $dir)->{out},
	     qr/^lost +the end of the capture is missing: complete up to \d\./m,
	     '... and btstat notices that its end is missing');
}

# on a disk that takes one block of each CPU, but not many
sub test_disk_full
{
	my ($loop, @options) = @_;
	my $full = "$TOP/full" . $dirs++;

	mkdir $full;
	system "mount -t tmpfs -o size=512k none $full";
	my $run = start(new_dir(), '-D', $full, @options, $loop);
	my $load = load($loop);
	my $status = $run->finish(30);
	unload($load);
	is($status, 1, "disk full @options: ends with 1");
	like($run->errors, qr/^blktrace: cannot write .*No space left/m,
	     '... and says so');
	# it may be one CPU's events that took all the room
	cmp_ok(count($full, name_of($loop), '\w+'), '>', 0,
	       '... what is there can be read');
	# a CPU without any room leaves an empty file; and lines may be wrapped
	like(run('btstat ' . name_of($loop), $full)->{out} =~ s/\n {10}/ /gr,
	     qr/^lost .*(?:\ before\ the\ trace\b|capture\ is\ missing:
		\ complete\ up\ to\ |\ has\ no\ file,\ or\ an\ empty\ one)/mx,
	     '... and btstat says up to when');
	system "umount $full";
}

sub test_reader_leaves
{
	my ($loop) = @_;
	my $dir = new_dir();
	my $load = load($loop);
	my $got = run("{ blktrace -o - $loop; echo \$? >rc; } | head -c 100",
		      $dir);
	unload($load);
	is(slurp("$dir/rc"), "1\n", 'stdout closed: ends with 1');
	is($got->{err} =~ s/^blktrace: relay files unavailable,.*\n//r, '',
	   '... silently');
	is(length $got->{out}, 100, '... its reader has what it wanted');
}

# a disk is taken from the loop device, which stays: no fault of the trace
sub test_detached
{
	my ($loop) = @_;
	my $run = start(my $dir = new_dir(), $loop);
	write_blocks($loop, 20);
	system "losetup -d $loop";
	forget_loop($loop);
	sleep 0.5;
	$run->signal('INT');
	is($run->finish($END), 0, 'loop detached: ends well');
	is(count($dir, name_of($loop), 'C'), 20, '... what was there is there');
}

# A device that was not there before, and will not be, of 1 MiB: its number.
sub own_loop
{
	my ($control, $file) = @_;
	my $number = ioctl $control, $LOOP_CTL_ADD, -1;

	return undef unless defined $number;
	spew($file, "\0" x (1 << 20));
	system "losetup /dev/loop$number $file";
	return $number + 0;
}

# It can be taken away once its last user has let go, which takes a moment.
sub remove_loop
{
	my ($control, $number) = @_;

	system "losetup -d /dev/loop$number";
	for (1 .. 10 * $END) {
		return 1 if ioctl $control, $LOOP_CTL_REMOVE, $number;
		sleep 0.1;
	}
	return 0;
}

# by ftrace nobody notices before the end
sub test_removed
{
	open my $control, '+<', '/dev/loop-control' or die "loop: $!\n";
	my $number = own_loop($control, "$TOP/removed");
	my $run = start(my $dir = new_dir(), '--via=ftrace',
			"/dev/loop$number");

	write_blocks("/dev/loop$number", 20);
	ok(remove_loop($control, $number), 'a device is removed');
	$run->signal('INT');
	is($run->finish($END), 1, '... the run ends with 1');
	is($run->errors =~ s/^blktrace: tracing .*\n//r,
	   "blktrace: loop$number: its trace has ended: the device is gone\n",
	   '... and says so');
	is(count($dir, "loop$number", 'C'), 20,
	   '... what was there is there');
}

# a line for the terminal, again and again
sub test_progress
{
	my ($loop) = @_;
	my $got = run("script -qec 'blktrace --progress -w 2 $loop' /dev/null");

	is($got->{rc}, 0, '--progress: ends well');
	my @lines = $got->{out} =~
		/\r +\d+ s +\d+ events +\d+\/s +\d+ KiB +\d+ dropped /g;
	cmp_ok(scalar @lines, '>=', 2, '... tells how it goes');
	$got = run("blktrace --progress -w 1 $loop");
	unlike($got->{err}, qr/\r/, '... but not into a file');
}

# --- the network -------------------------------------------------------------

sub free_port
{
	my $socket = IO::Socket::IP->new(LocalHost => "127.0.0.1",
					 Listen => 1) or die "listen: $@\n";
	return $socket->sockport;
}

sub serve
{
	my ($port) = @_;
	my $server = Process->start(['blktrace', '-l', '--bind=127.0.0.1', '-p',
				     $port], new_dir(), $PROGRAMS->{path});
	$server->read_until(qr/waiting for connections/, 10);
	return $server;
}

sub test_no_server
{
	my ($loop) = @_;
	my $port = free_port();
	for my $options ('', '-s', '-o -') {
		my $got = run("blktrace -d $loop -h 127.0.0.1 -p $port $options"
			      . ' -w 1');
		is("$got->{rc} $got->{out}",
		   "1 blktrace: connecting to 127.0.0.1\n",
		   "no server $options: ends with 1");
		my @said = $got->{err} =~ /Connection to [\d.]+ refused/g;
		is(scalar @said, 1, '... says so once');
		cmp_ok($got->{seconds}, '<', $SOON, "... within $SOON s");
	}
}

# What 1.3.0 prints at both ends, by either layout of connections.
sub test_network
{
	my ($a, $b, @options) = @_;
	my $server = serve(my $port = free_port());
	my $got = run("blktrace @options -d $a -d $b -h 127.0.0.1" .
		      " -p $port -w 1");
	$server->signal('INT');
	is($server->finish($END), 0, "network @options: the server ends well");
	is($got->{rc}, 0, '... and so does the client');
	my $said = "blktrace: connecting to 127.0.0.1\n" .
		"blktrace: connected!\n";
	is(substr($got->{out}, 0, length $said), $said, '... which says so');
	has_totals(substr($got->{out}, length $said), '... and totals', $a,
		   $b);
	my ($end, $ta, $tb) = ('server: end of run for 127.0.0.1:',
			       totals($a), totals($b));
	my ($x, $y) = map { name_of($_) } $a, $b;
	like($server->text, qr/\Aserver: waiting for connections...
server: connection from 127.0.0.1
$end$x
$ta$end$y
$tb\z/, '... so does the server');
}

sub test_server_dies
{
	my ($loop, @options) = @_;
	my $server = serve(my $port = free_port());
	my $run = start(new_dir(), '-h', '127.0.0.1', '-p', $port, @options,
			$loop);
	my $load = load($loop);
	sleep 0.5;
	$server->signal('KILL');
	is(ends_soon($run), 1,
	   "server killed @options: ends with 1 within $SOON s");
	unload($load);
	$server->finish($END);
	like($run->errors, qr/^blktrace: 127\.0\.0\.1: connection lost/m,
	     '... and says so');
	like($run->text, qr/connected!\n=== /, '... totals all the same');
}

# the host is looked up, and said, before the device is asked
sub test_busy_client
{
	my ($loop) = @_;
	my $run = start(new_dir(), $loop);
	my $got = run("blktrace -d $loop -h 127.0.0.1 -w 1");
	is("$got->{rc} $got->{out}",
	   "1 blktrace: connecting to 127.0.0.1\n",
	   'busy, as a client: what 1.3.0 says');
	like($got->{err}, qr/being traced by process \d+/, '... and by whom');
	$run->signal('INT');
	$run->finish($END);
}

sub main
{
	$TOP = tempdir('capture.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my ($a, $b, $c) = loops($TOP, 3);
	my $before = switches();

	test_sessions($a, $b);
	test_absolute($a);
	test_refused($a);
	test_masks($a);
	test_live($a);
	test_signals($a);
	test_quit($a);
	test_disk_full($a);
	test_disk_full($a, '-z');
	test_reader_leaves($a);
	test_no_server($a);
	test_network($a, $b);
	test_network($a, $b, '-s');
	test_server_dies($a);
	test_server_dies($a, '-s');
	test_busy_client($a);
	test_detached($c);
	test_removed();
	test_progress($a);
	is(switches(), $before, 'every switch of tracefs is what it was');
	done_testing();
}

my ($reason) = enter();
plan skip_all => $reason if $reason;
main();
