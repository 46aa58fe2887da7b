#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blktrace -l against the world: good clients of both layouts and byte orders,
# and everything that a bad one can do to a server or to other clients.
#
#	BIN=DIR prove tests/server.t
#
# BIN is where the programs are (.), WRAP a checker to put in front of them.
# Needs the loopback interface and nothing else.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile", "$FindBin::Bin/server";
use Collector qw($PROGRAMS $TOP free_port new_dir serve serve_here stop files_of
		 stored open_one send_data good_run is_well is_dropped
		 cpu_seconds flooder take_turns);
use Process qw(deadline patience);
use IO::Socket::UNIX;
use Socket qw(SOL_SOCKET SO_LINGER SOCK_DGRAM);
use Records qw(trace);
use Suite::Files qw(slurp spew);
use Test::More;
use Time::HiRes qw(sleep time);
use Wire qw(header connect_to say hear ask finish $OPEN $CLOSE $ANSWER
	    $HEADER);

my $RECORD = 48;

# F_SETPIPE_SZ of fcntl(2), and a small pipe
my ($SET_PIPE_SIZE, $PIPE_SIZE) = (1031, 8192);

# --- good clients ------------------------------------------------------------

my $WAITING = "server: waiting for connections...\n";
my $CONNECTED = "server: connection from 127.0.0.1\n";

sub totals
{
	my ($name, $drops, @cpus) = @_;
	my ($events, $bytes) = (0, 0);
	my $text = "server: end of run for 127.0.0.1:$name\n=== $name ===\n";

	for my $i (0 .. $#cpus) {
		my $size = $RECORD * $cpus[$i];
		$text .= sprintf "  CPU%3u: %20u events, %8u KiB data\n", $i,
			$cpus[$i], ($size + 1023) >> 10;
		$events += $cpus[$i];
		$bytes += $size;
	}
	return $text . sprintf
		"  Total:  %20u events (dropped %u), %8u KiB data\n",
		$events, $drops, ($bytes + 1023) >> 10;
}

# --- standard output ---------------------------------------------------------

# one open of 64 bytes, and nothing else
sub hostile_open
{
	my ($server, $run, $max_cpus) = @_;
	my $socket = connect_to($server->{port}) or return 0;

	say($socket, header(name => "h$run", run => $run, cpu => 1,
			    max_cpus => $max_cpus));
	my $answer = hear($socket, $HEADER);
	close $socket;
	return length $answer == $HEADER;
}

# Nothing reads it: clients are served all the same, and a signal ends it.
sub test_unread
{
	my $server = serve_here();
	my $run = $server->{run};
	my $opened = 0;

	fcntl $run->out_handle, $SET_PIPE_SIZE, $PIPE_SIZE
		or die "fcntl: $!\n";
	$opened += hostile_open($server, $_, 79) for 1 .. 12;
	is($opened, 12, 'nothing reads its output: 12 are served');
	is_well($server, '... and then');
	my ($start, $end) = (time, deadline());
	$run->signal('INT');
	sleep 0.05 while $run->runs && time < $end;
	cmp_ok(time - $start, '<', patience(5), '... SIGINT ends it');
	is($run->finish, 1, '... status 1');
	like($run->errors, qr/standard output was not read: \d+ lines dropped/,
	     '... it is reported how much was dropped');
	like($run->text, qr/^\Q$WAITING$CONNECTED\Eserver: end of run/,
	     '... what the pipe took are the first lines');
}

# A stranger's number of CPUs makes no lines.
sub test_max_cpus
{
	my $server = serve_here();

	hostile_open($server, 1, 8192);
	is(stop($server), 0, '8192 CPUs, one opened: status 0');
	is($server->{run}->text, $WAITING . $CONNECTED
	   . "server: end of run for 127.0.0.1:h1\n=== h1 ===\n"
	   . sprintf("  CPU%3u: %20u events, %8u KiB data\n", 1, 0, 0)
	   . sprintf("  Total:  %20u events (dropped 0), %8u KiB data\n", 0, 0),
	   '... one line');
	like($server->{run}->errors,
	     qr/run 1: no lines for 8191 CPUs that were not opened/,
	     '... and that is reported');
}

# Two CPUs, two devices; a connection per CPU, as 1.3.0 -s.
sub test_per_cpu
{
	my $server = serve_here();
	my @data = map { [trace(1, 10 * $_), trace(1, 3)] } 1, 2;
	my @sockets = map {
		my $cpu = $_;
		my $s = open_one($server, cpu => $cpu);
		ask($s, name => 'sdb', cpu => $cpu);
		$s;
	} 0, 1;

	for my $cpu (0, 1) {
		send_data($sockets[$cpu], $data[$cpu][0], cpu => $cpu);
		send_data($sockets[$cpu], $data[$cpu][1], cpu => $cpu,
			  name => 'sdb');
	}
	for my $s (@sockets) {
		is(ask($s, cpu => 7, len => $CLOSE), $ANSWER,
		   'a close is answered');
		is(ask($s, name => 'sdb', len => $CLOSE), $ANSWER,
		   '... for every device');
		ok(finish($s), '... and that is all');
	}
	is(stop($server), 0, 'a connection for each CPU: status 0');
	is($server->{run}->text, $WAITING . $CONNECTED
	   . totals('sda', 7, 10, 20) . totals('sdb', 0, 3, 3),
	   '... the lines are those of 1.3.0');
	is($server->{run}->errors =~ s/^.*runs as root.*\n//r, "\nYou have 7 ( 16.3%) dropped events\n"
	   . "Consider using a larger buffer size (-b) and/or more buffers"
	   . " (-n)\n", '... with the warning about drops');
	is_deeply([files_of($server)], [map { "127.0.0.1/$_" }
		qw(sda.blktrace.0 sda.blktrace.1 sdb.blktrace.0
		   sdb.blktrace.1)], '... the files, too');
	is(stored($server, "sda.blktrace.$_"), $data[$_][0], "... CPU $_ exact")
		for 0, 1;
	like((glob "$server->{dir}/*")[0],
	     qr{/127\.0\.0\.1-\d{4}-\d\d-\d\d-\d\d:\d\d:\d\d\z},
	     '... in a directory that is named as ever');
}

# A connection for each device and CPU, as 1.3.0 without -s; one never sends.
sub test_per_device
{
	my $server = serve_here();
	my $data = trace(1, 30);
	my %sockets = map { $_ => open_one($server, name => $_, cpu => 1) }
		qw(sda sdb);

	send_data($sockets{sda}, substr($data, $_ * 100, 100), cpu => 1)
		for 0 .. length($data) / 100;
	is(ask($sockets{$_}, name => $_, len => $CLOSE), $ANSWER,
	   "a connection for each device: $_ closed") for qw(sda sdb);
	is(stop($server), 0, '... status 0');
	is($server->{run}->text, $WAITING . $CONNECTED
	   . totals('sda', 0, 0, 30) . totals('sdb', 0, 0, 0),
	   '... each device has its totals');
	is(stored($server, 'sda.blktrace.1'), $data, '... and its bytes');
	is(stored($server, 'sdb.blktrace.0'), '', '... or an empty file');
}

# Headers of either order to one server; records stay as they are.
sub test_byte_orders
{
	my $server = serve_here();
	my $bytes = trace(1, 5);
	my $turned = pack 'L> L> Q> Q> L>6 S>2', 0x65617407, 1, 0, 8, 4096,
		0x00120001, 100, 8 << 20, 0, 0, 0;

	ok(good_run($server, $turned, name => 'big', order => '>', run => 1),
	   'a big-endian client');
	ok(good_run($server, $bytes, name => 'little', run => 2),
	   '... and a little-endian one, of one server');
	stop($server);
	is(stored($server, 'big.blktrace.0'), $turned, '... bytes unchanged');
	is(stored($server, 'little.blktrace.0'), $bytes, '... both');
	like($server->{run}->text,
	     qr/big ===\n.* 1 events, .*little ===\n.* 5 /s, '... and counted');
}

sub test_ipv6
{
	SKIP: {
		IO::Socket::IP->new(LocalHost => '::1', Listen => 1)
			or skip 'no IPv6 on this machine', 3;
		my $server = serve_here('--bind', '::1');
		my $socket = connect_to($server->{port}, '::1');
		ok($socket, 'IPv6: connected');
		is(ask($socket, name => 'six'), $ANSWER, '... answered');
		close $socket;
		stop($server);
		is_deeply([files_of($server)], ['::1/six.blktrace.0',
						'::1/six.blktrace.1'],
			  '... its address names the directory');
	}
}

# One server, every address: and it says so.
sub test_default
{
	my $server = serve();
	my $well = good_run($server, trace(1, 2));

	ok($well, 'without --bind every address is listened on');
	is(stop($server), 0, '... status 0');
	like($server->{run}->errors,
	     qr/anybody .* may send; see --psk, --allow, --bind\n\z/,
	     '... and standard error says that anybody may send');
}

# --- ends --------------------------------------------------------------------

sub test_signals
{
	for my $signal (qw(INT TERM ALRM)) {
		my $server = serve_here();
		my $data = trace(1, 4);
		my $socket = open_one($server);
		send_data($socket, $data . substr $data, 0, 20);
		$server->{run}->signal($signal);
		is($server->{run}->finish, 0, "SIG$signal: status 0");
		is($server->{run}->text, $WAITING . $CONNECTED
		   . totals('sda', 0, 4, 0), '... unfinished runs are told');
		is(stored($server, 'sda.blktrace.0'), $data,
		   '... and their files are whole records');
		like($server->{run}->errors, qr/half a record.*20 bytes/,
		     '... what was cut off is said');
	}
}

# Until the server has read all that was sent to it by the socket, as the kernel
# tells of its queue.
sub wait_read
{
	my ($socket) = @_;
	my $end = deadline();
	my $port = sprintf '%04X', $socket->sockport;
	my $queue = qr/^ *\d+: \S+ [0-9A-F]{8}:$port 01 [0-9A-F]{8}:0*[1-9A-F]/m;

	sleep 0.02 while slurp('/proc/net/tcp') =~ $queue && time < $end;
}

# who may send is read anew; who sends already goes on
sub test_renewed_networks
{
	my $file = "$TOP/networks";
	spew($file, "# none of ours\n192.0.2.0/24\n");
	my $server = serve_here('--allow-file', $file);
	my $run = $server->{run};
	my $said = qr/read anew\n\z/;

	is_dropped(connect_to($server->{port}), '--allow-file: a stranger');
	spew($file, "192.0.2.0/24\n127.0.0.1 # this machine\n");
	$run->signal('HUP');
	like($run->errors_until($said), $said, '... SIGHUP: it is read anew');
	my $socket = open_one($server, name => 'kept', run => 5);
	ok($socket, '... who is in it now may send');
	spew($file, "192.0.2.0/24\n127.0.0.300\n");
	$run->signal('HUP');
	my $wrong = qr/networks: line 2: 127\.0\.0\.300 is no address or network;/;
	like($run->errors_until($wrong), $wrong, '... a mistake is reported');
	is_well($server, '... and changes nothing');
	spew($file, "192.0.2.0/24\n");
	$run->signal('HUP');
	like($run->errors_until(qr/anew\n.*anew\n\z/s), qr/anew\n\z/,
	     '... without us');
	is_dropped(connect_to($server->{port}), '... we are strangers again');
	my $bytes = trace(1, 9);
	send_data($socket, $bytes, name => 'kept', run => 5);
	is(ask($socket, name => 'kept', run => 5, len => $CLOSE), $ANSWER,
	   '... but for what was going on');
	is(stored($server, 'kept.blktrace.0'), $bytes, '... to the byte');
	is(stop($server), 0, '... status 0');
}

# --- the service manager -----------------------------------------------------

# A collector whose socket somebody else has opened, as systemd does, at an address.
sub serve_handed
{
	my ($address, @options) = @_;
	my $port = free_port();
	my $dir = new_dir();
	my $manager = '$^F = 9; use IO::Socket::IP; use POSIX (); ' .
		'my $port = shift; ' .
		'my $s = IO::Socket::IP->new(LocalHost => shift, V6Only => 0, ' .
		'LocalPort => $port, Listen => 9, ReuseAddr => 1) or die; ' .
		'POSIX::dup2(fileno $s, 3); ' .
		'$ENV{LISTEN_PID} = $$; exec @ARGV';

	my $run = Process->start(['perl', '-e', $manager, $port, $address,
				  'blktrace', '-l', '-p', 1, @options], $dir,
				 $PROGRAMS->{path});
	return { dir => $dir, port => $port, run => $run };
}

sub test_handed_socket
{
	local $ENV{LISTEN_FDS} = 1;
	my $server = serve_handed('127.0.0.1');

	$server->{run}->read_until(qr/waiting for connections/);
	is_well($server, 'a socket of the service manager');
	is(stop($server), 0, '... status 0');

	my $both = serve_handed('::', '--allow=127.0.0.0/8');
	$both->{run}->read_until(qr/waiting for connections/);
	is_well($both, '... one for both families, with --allow');
	is(stop($both), 0, '... status 0');

	$ENV{LISTEN_FDS} = 2;
	my $few = serve_handed('127.0.0.1');
	is($few->{run}->finish, 1, '... one that is none: status 1');
	like($few->{run}->errors, qr/LISTEN_FDS: .* no listening socket/,
	     '... and a line');
}

sub test_watchdog
{
	my $path = "$TOP/manager";
	my $manager = IO::Socket::UNIX->new(Type => SOCK_DGRAM(),
					    Local => $path) or die "$path: $!\n";
	local $ENV{NOTIFY_SOCKET} = $path;
	local $ENV{WATCHDOG_USEC} = 400_000;
	my $server = serve_here();
	my ($ready, $signs) = (0, 0);
	my $end = time + 1.3;

	$manager->blocking(0);
	while (time < $end) {
		my $text = '';
		sleep 0.01;
		defined $manager->recv($text, 99) or next;
		$ready++ if $text eq 'READY=1';
		$signs++ if $text eq 'WATCHDOG=1';
	}
	is($ready, 1, 'the service manager: told that it is ready');
	cmp_ok($signs, '>=', 3, '... and that it lives');
	cmp_ok($signs, '<=', 8, '... not more often than it has to');
	is(stop($server), 0, '... status 0');
}

# --- old runs ----------------------------------------------------------------

# On a small file system: the run that ended first makes room, and only that.
sub test_min_free
{
	SKIP: {
		system('unshare -m true 2>/dev/null') == 0
			or skip 'no mounts of our own', 4;
		my ($dir, $port) = (new_dir(), free_port());
		my $run = Process->start(['unshare', '-m', 'sh', '-c',
			'mkdir d && mount -t tmpfs -o size=2m none d && cd d && ' .
			'exec blktrace -l ' .
			"-p $port --bind 127.0.0.1 --min-free=40%"], $dir,
			$PROGRAMS->{path});
		my $server = { dir => '/proc/' . $run->pid . '/cwd', port => $port,
			       run => $run };
		my $bytes = trace(1, 10_000);	# 480,000

		$run->read_until(qr/waiting for connections/);
		# a directory has the time in its name, to the second
		for my $name (qw(first second third)) {
			ok(good_run($server, $bytes, name => $name),
			   "--min-free: $name run");
			sleep 1.1;
		}
		my $end = deadline();
		my @first = 1;
		while (@first && time < $end) {
			sleep 0.1;
			@first = glob "$server->{dir}/*/first*";
		}
		my @left = map { m{/(\w+)\.blktrace\.0\z} ? $1 : () }
			sort glob "$server->{dir}/*/*";
		is("@left", 'second third', '... the oldest one is removed');
		is(stop($server), 0, '... status 0');
	}
}

# --- status ------------------------------------------------------------------

# a value of the status file, or undef
sub status_of
{
	my ($file, $name) = @_;
	my $text = -e $file ? slurp($file) : '';
	return $text =~ /^blktrace_collector_\Q$name\E (\S+)$/m ? $1 : undef;
}

# until it is there
sub wait_status
{
	my ($file, $name, $value) = @_;
	my $end = deadline();

	sleep 0.05 while (status_of($file, $name) // '') ne $value &&
		time < $end;
	return status_of($file, $name);
}

sub test_status
{
	my $dir = "$TOP/status";
	my $file = "$dir/collector.prom";
	mkdir $dir, 0700 or die "$dir: $!\n";
	my @user = $> ? () : ('--user', 'nobody', '-D', 'made');
	my $server = serve_here('--status', $file, @user);
	my $bytes = trace(1, 20);
	my @who = (name => 'st', run => 3);

	is(wait_status($file, 'connections', 0), 0, '--status: at the start');
	my $socket = open_one($server, @who);
	send_data($socket, $bytes, @who);
	is(wait_status($file, 'sender_bytes_total{sender="127.0.0.1"}', 960),
	   960, '... what was stored');
	is(status_of($file, 'runs'), 1, '... runs');
	is(status_of($file, 'sender_runs{sender="127.0.0.1"}'), 1,
	   '... and whose');
	cmp_ok(status_of($file, 'sender_lag_seconds{sender="127.0.0.1"}'), '<',
	       patience(6), '... since when nothing has come');
	say($socket, 'x' x 64);
	is(wait_status($file, 'refused_total', 1), 1, '... who was refused');
	is(status_of($file, 'sender_refused_total{sender="127.0.0.1"}'), 1,
	   '... each');
	is(status_of($file, 'runs'), 0, '... and no run is left');
	is(stop($server), 0, '... status 0');
	unlike($server->{run}->errors, qr/\Q$file\E/, '... nothing fails');
	is_deeply([glob "$dir/* $dir/.*part*"], [$file], '... one file is there');
}

# --- floods ------------------------------------------------------------------

# Senders whose sockets are always ready: a signal is heard all the same.
sub test_flooded_stop
{
	my $server = serve_here();
	my @flooders = map { flooder($server, run => $_, name => "f$_") } 1, 2;

	sleep 0.2;
	my $start = time;
	is(stop($server), 0, 'SIGTERM under two floods: status 0');
	cmp_ok(time - $start, '<', patience(2), '... within 2 s');
	waitpid $_, 0 for @flooders;
	my @files = glob "$server->{dir}/*/f?.blktrace.0";
	is(scalar(grep { (-s) && (-s) % $RECORD == 0 } @files), 2,
	   '... whole records are stored');
}

# Eight connections that keep the server as busy as they can: another sender has
# its turn all the same.
sub test_turns
{
	my $server = serve_here();
	my $bytes = trace(1, 1000);
	my ($connected, $right, @took) = take_turns($server, 256, 5, $bytes);

	ok($connected, 'eight connections with 256 lanes each');
	is($right, 5, '... others are served');
	cmp_ok($took[2], '<', patience(0.05), '... 1,000 events within 50 ms');
	diag(sprintf 'half took %.1f ms, the longest %.1f ms',
	     1000 * $took[2], 1000 * $took[-1]);
	is(stored($server, 'n15.blktrace.0'), $bytes, '... to the byte');
	is(stop($server), 0, '... status 0');
}

# A client that dies: its run ends by itself, and costs no more CPU.
sub test_vanish
{
	my $server = serve_here();
	my $data = trace(1, 6);

	for my $reset (0, 1) {
		my @who = (name => "v$reset", run => $reset);
		my $socket = open_one($server, @who);
		send_data($socket, $data, @who);
		if ($reset) {
			# or the reset would throw away what is there to read
			wait_read($socket);
			setsockopt $socket, SOL_SOCKET(), SO_LINGER(),
				pack 'ii', 1, 0;
		}
		close $socket;
		like($server->{run}->read_until(qr/v$reset ===.*Total/s),
		     qr/v$reset ===\n.* 6 events/, 'a client that vanishes'
		     . ($reset ? ' with a reset' : '') . ': its run is told');
		is(stored($server, "v$reset.blktrace.0"), $data,
		   '... and its file is there');
	}
	my $before = cpu_seconds($server);
	sleep 1;
	cmp_ok(cpu_seconds($server) - $before, '<', 0.2,
	       '... no CPU time after');
	is_well($server, '... forgotten');
	stop($server);
	like($server->{run}->errors, qr/v0: CPU 0 ended without a close/,
	     '... and it is said');
}

# Neither half a header nor half a payload holds anybody back.
sub test_stall
{
	my $server = serve_here();
	my @stalled = map { open_one($server, name => "s$_", run => $_) }
		1 .. 3;

	say($stalled[0], substr header(run => 1), 0, 10);
	say($stalled[1], header(name => 's2', run => 2, len => 1000) . 'x' x 9);
	say($stalled[2], header(name => 's3', run => 3, len => 0x7fffffff));
	my $silent = connect_to($server->{port});
	my $start = time;
	is_well($server, 'clients that stall');
	cmp_ok(time - $start, '<', patience(5), '... at once');
	my $before = cpu_seconds($server);
	sleep 0.5;
	cmp_ok(cpu_seconds($server) - $before, '<', 0.2,
	       '... nor is it busy');
	is(stop($server), 0, '... status 0');
}

sub test_port_in_use
{
	my $server = serve_here();
	my $second = Process->start(['blktrace', '-l', '--bind', '127.0.0.1',
				     '-p', $server->{port}], $server->{dir},
				    $PROGRAMS->{path});

	is($second->finish, 1, 'a port in use: status 1');
	like($second->errors, qr/^blktrace: server: .*in use\n\z/m,
	     '... and a line that says so');
	is_well($server, '... the first server stays');
	stop($server);
}

# --- the list of weaknesses --------------------------------------------------

# Each is said to a server that has a good client in the middle of its run.
sub check_bad
{
	my ($name, $bytes, $why) = @_;
	my $server = serve_here();
	my $data = trace(1, 40);
	my $good = open_one($server, name => 'good', run => 99);
	my $bad = connect_to($server->{port});

	send_data($good, substr($data, 0, 500), name => 'good', run => 99);
	say($bad, $bytes);
	shutdown $bad, 1;
	1 while length hear($bad, $HEADER);
	send_data($good, substr($data, 500), name => 'good', run => 99);
	is(ask($good, name => 'good', run => 99, len => $CLOSE), $ANSWER,
	   "$name: the good client's run goes on");
	is_well($server, '...');
	is(stop($server), 0, '... status 0');
	is(stored($server, 'good.blktrace.0'), $data, '... and is exact');
	like($server->{run}->errors, qr/^blktrace: 127\.0\.0\.1: $why/m,
	     '... what was wrong is said') if $why;
	is_deeply([glob "$TOP/trav* $server->{dir}/trav*"], [],
		  '... nothing lies outside');
	return $server;
}

sub test_weaknesses
{
	my $open = header();

	check_bad('1: path traversal', header(name => '../../trav/evil'),
		  'bad device name');
	check_bad("1: the name $_", header(name => $_), 'bad device name')
		for '..', '.', '', "a\nb", '/trav';
	check_bad("1: the name '$_'", header(name => $_),
		  qr/bad device name "\Q$_\E"/) for ' ', '-rf', '$(id)';
	check_bad('1: control characters', header(name => "\e[2J"),
		  qr/bad device name "\\x1b\[2J"/);
	check_bad('2: a name without an end', header(name => 'x' x 32),
		  'bad device name');
	check_bad('3: CPU 5000', header(cpu => 5000), 'bad CPU');
	check_bad('3: CPU 5000 in data', $open . header(cpu => 5000, len => 48)
		  . 'x' x 48, 'bad CPU');
	check_bad('4: 200000 CPUs', header(max_cpus => 200000),
		  'bad number of CPUs');
	check_bad('4: no CPUs', header(max_cpus => 0), 'bad number of CPUs');
	check_bad('5: different numbers of CPUs', $open . header(cpu => 70,
		  max_cpus => 100) . header(cpu => 1) . header(len => $CLOSE));
	check_bad('6: a length of 4 GiB', $open . header(len => 0xffffffff),
		  'bad length');
	check_bad('6: a length of 2 GiB', $open . header(len => 0x7fffffff)
		  . 'x' x 1000);
	check_bad('7: no header', "GET / HTTP/1.0\r\n\r\n" . 'x' x 64,
		  'bad magic');
	check_bad('7: half a header', substr $open, 0, 30);
	check_bad('7: an answer', header(len => $ANSWER), 'an answer');
	check_bad('10: data before its open', header(len => 48) . 'x' x 48,
		  'data of sda, CPU 0, which was not opened');
	check_bad('10: close before its open', header(len => $CLOSE),
		  'sda is closed but was not opened');
	check_bad('10: close twice', $open . header(name => 'sdb')
		  . header(len => $CLOSE) x 2, 'sda is closed');
	check_bad('11: another run\'s open part', $open x 2,
		  'sda, CPU 0: already open');
}

# 6: any length that fits into a disk; 11: same device, same address, two runs
sub test_long_and_double
{
	my $server = serve_here();
	my @data = (trace(1, 200000), trace(1, 5));
	my @sockets = map { open_one($server, run => $_) } 0, 1;

	for my $run (1, 0) {
		send_data($sockets[$run], $data[$run], run => $run);
		is(ask($sockets[$run], run => $run, len => $CLOSE), $ANSWER,
		   "run $run of one machine");
	}
	stop($server);
	is_deeply([sort map { -s } glob "$server->{dir}/*/sda.blktrace.0"],
		  [sort map { length } @data],
		  '6, 11: 9 MB in one block, beside a short run of that name');
}

sub test_allow
{
	my $server = serve_here('--allow', '192.0.2.0/24');
	my $socket = connect_to($server->{port});
	is_dropped($socket, '12: --allow without us');
	stop($server);
	like($server->{run}->errors, qr/127\.0\.0\.1: not allowed/, '... said');
	unlike($server->{run}->text, qr/connection from/, '... and not served');

	$server = serve_here('--allow', '192.0.2.0/24', '--allow',
			     '127.0.0.0/8');
	is_well($server, '12: --allow with us');
	stop($server);
}

sub test_max_clients
{
	my $server = serve_here('--max-clients', 2);
	my @in = map { open_one($server, run => $_) } 1, 2;
	my $out = connect_to($server->{port});

	say($out, header(run => 3));
	is_dropped($out, '12: one client more than --max-clients');
	ok(defined ask($in[0], run => 1, name => 'sdb'),
	   '... those who are in may go on');
	close $in[1];
	$server->{run}->read_until(qr/end of run/);
	is_well($server, '12: when one has gone');
	is(stop($server), 0, '... status 0');
}

# Who opens runs and says nothing keeps nobody out for ever; who has said
# something may be as quiet as a disk is.
sub test_idle
{
	my $server = serve_here('--max-clients', 4, '--idle', 1);
	my $quiet = open_one($server, name => 'quiet', run => 9);
	my $data = trace(1, 2);

	send_data($quiet, $data, name => 'quiet', run => 9);
	my @silent = map { open_one($server, run => $_) } 1 .. 3;
	my $early = connect_to($server->{port});
	say($early, header(run => 4));
	is_dropped($early, '--idle: at first silent runs take all places');
	is_dropped($_, '... but not for ever') for @silent;
	is_well($server, '... and then');
	is(ask($quiet, name => 'quiet', run => 9, len => $CLOSE), $ANSWER,
	   '... one that has sent something is left alone');
	is(stop($server), 0, '... status 0');
	is(stored($server, 'quiet.blktrace.0'), $data, '... and is exact');
	like($server->{run}->errors, qr/opened a run and sent nothing for 1 s/,
	     '... and it is said');
}

# Of a run with many connections some stay silent: they are no less welcome.
sub test_idle_lanes
{
	my $server = serve_here('--idle', 1);
	my @sockets = map { open_one($server, cpu => $_) } 0, 1;

	send_data($sockets[0], trace(1, 2));
	sleep 2;
	is(ask($sockets[$_], cpu => 0, len => $CLOSE), $ANSWER,
	   "--idle: CPU $_ of a run that has sent something") for 0, 1;
	is(stop($server), 0, '... status 0');

	$server = serve_here('--idle', 0);
	my $socket = open_one($server);
	sleep 1.5;
	is(ask($socket, len => $CLOSE), $ANSWER, '--idle=0: for ever');
	stop($server);
}

# Those that are silent cost the others nothing: the server's CPU time for the
# same bytes, with few connections and with many.
sub test_many_silent
{
	my $server = serve_here();
	my @who = (name => 'good', run => 99);
	my $good = open_one($server, @who);
	my $block = "\0" x 65536;
	my (@silent, @costs);

	for my $round (0, 1) {
		my $before = cpu_seconds($server);
		send_data($good, $block, @who) for 1 .. 2000;
		push @costs, cpu_seconds($server) - $before;
		@silent = map { open_one($server, cpu => $_, max_cpus => 800) }
			0 .. 799 if !$round;
	}
	is(scalar(grep { $_ } @silent), 800, '800 silent connections');
	cmp_ok($costs[1], '<', 2 * $costs[0] + 0.1,
	       '... do not show in the CPU time for others');
	is(ask($good, @who, len => $CLOSE), $ANSWER, '... who are served');
	is(stop($server), 0, '... status 0');
}

sub test_max_bytes
{
	my $server = serve_here('--max-bytes', 10 * $RECORD + 5);
	my $data = trace(1, 8);

	ok(good_run($server, $data, name => 'first', run => 1),
	   '12: within --max-bytes');
	my $socket = open_one($server, name => 'second', run => 2);
	send_data($socket, $data, name => 'second', run => 2);
	is_dropped($socket, '... beyond it');
	stop($server);
	is(stored($server, 'first.blktrace.0'), $data,
	   '... the first is whole');
	is(stored($server, 'second.blktrace.0'), trace(1, 2),
	   '... of the second what fits in, in whole records');
	like($server->{run}->errors, qr/--max-bytes is reached/, '... said');
}

# What one address may have, of which another takes nothing: ::1 and 127.0.0.1
# are two.
sub test_each
{
	SKIP: {
		IO::Socket::IP->new(LocalHost => '::1', Listen => 1)
			or skip 'no IPv6 on this machine', 11;
		my $server = serve('--allow', '127.0.0.1', '--allow', '::1',
				   '--max-runs', '2/source', '--max-bytes',
				   10 * $RECORD . '/source', '--max-files',
				   '7/source');
		my @in = map { open_one($server, run => $_) } 1, 2;
		my $out = connect_to($server->{port});
		say($out, header(run => 3));
		is_dropped($out, 'a run more than --max-runs of a source');
		my $other = connect_to($server->{port}, '::1');
		is(ask($other, run => 1), $ANSWER, '... another has its own');

		send_data($in[0], trace(1, 8), run => 1);
		# or the other one might have its turn first
		wait_read($in[0]);
		send_data($in[1], trace(1, 8), run => 2);
		is_dropped($in[1], 'more than --max-bytes of a source');
		send_data($other, trace(1, 10), run => 1);
		is(ask($other, run => 1, len => $CLOSE), $ANSWER,
		   '... another has its own');
		is(ask($in[0], run => 1, len => $CLOSE), $ANSWER,
		   '... within it all is well');

		my $last = connect_to($server->{port});
		say($last, header(run => 4));
		is_dropped($last, 'more than --max-files of a source');
		$other = connect_to($server->{port}, '::1');
		is(ask($other, run => 5), $ANSWER, '... another has its own');
		is(stop($server), 0, '... status 0');
		is_deeply([sort { $a <=> $b } map { -s } grep { -s }
			   glob "$server->{dir}/*/*"],
			  [map { $_ * $RECORD } 2, 8, 10],
			  '... what fits in is there');
		like($server->{run}->errors, qr/$_/, "... said: $_")
			for 'too many runs from there', 'max-files is reached';
	}
}

# In a file system of so few: none of a run's files is made if not all can be.
sub test_inodes
{
	SKIP: {
		system('unshare -m true 2>/dev/null') == 0
			or skip 'no mounts of our own', 8;
		my ($dir, $port) = ("$TOP/inodes", free_port());
		mkdir $dir or die "$dir: $!\n";
		my $run = Process->start(['unshare', '-m', 'sh', '-c',
			"mount -t tmpfs -o nr_inodes=40 few $dir && cd $dir &&"
			. " exec blktrace -l --bind 127.0.0.1 -p $port"],
			$TOP, $PROGRAMS->{path});
		$run->read_until(qr/waiting for connections/);
		my $inside = '/proc/' . $run->pid . "/root$dir";
		my $server = { dir => $dir, port => $port, run => $run };

		my $large = connect_to($port);
		say($large, header(run => 1, max_cpus => 64));
		is_dropped($large, 'more files than inodes');
		is(scalar(() = glob "$inside/*/*"), 0, '... none is made');
		my $small = open_one($server, run => 2, max_cpus => 20);
		is(scalar(() = glob "$inside/*/*"), 20, '... a smaller run is');
		my $second = connect_to($port);
		say($second, header(run => 3, max_cpus => 20));
		is_dropped($second, '... not a second one');
		send_data($small, trace(1, 8), run => 2, max_cpus => 20);
		is(ask($small, run => 2, max_cpus => 20, len => $CLOSE),
		   $ANSWER, '... the first is not affected');
		is(stop($server), 0, '... status 0');
		like($run->errors, qr/: too few free inodes; connection/,
		     '... said');
		unlike($run->errors, qr/Sanitizer|runtime error/,
		       '... no checker complains');
	}
}

# What one address has printed in a second ends; files are made all the same.
sub test_floods
{
	my $server = serve_here();
	my $data = trace(1, 2);

	hostile_open($server, $_, 1024) for 1 .. 40;
	my $files = () = glob "$server->{dir}/*/h*";
	is($files, 40 * 1024, 'a second of short runs with many files');
	is(stop($server), 0, '... status 0');

	$server = serve_here('--max-files', 500);
	hostile_open($server, $_, 64) for 1 .. 40;
	$files = () = glob "$server->{dir}/* $server->{dir}/*/h*";
	cmp_ok($files, '<=', 500, '--max-files holds');
	cmp_ok($files, '>', 400, '... and leaves some');
	is(stop($server), 0, '... status 0');
}

# A header that comes by bytes is a header, and nobody waits for it.
sub test_slow_headers
{
	my $server = serve_here();
	my @slow = map { connect_to($server->{port}) } 1 .. 50;
	my @headers = map { header(run => $_, name => "slow$_") } 1 .. 50;

	for my $at (0 .. 15) {
		say($slow[$_], substr $headers[$_], 4 * $at, 4) for 0 .. 49;
		is_well($server, '50 slow headers') if $at == 8;
	}
	is_deeply([grep { length hear($_, $HEADER) != $HEADER } @slow], [],
		  '... are answered');
	is(stop($server), 0, '... status 0');
}

# What somebody puts into a run's directory while it goes on is not written to,
# nor waited for.
sub test_planted
{
	my $server = serve_here();
	my $socket = open_one($server, cpu => 0, max_cpus => 1300);
	my ($dir) = glob "$server->{dir}/*";
	my $outside = "$server->{dir}/outside";

	symlink $outside, "$dir/sda.blktrace.1200" or die "symlink: $!\n";
	system('mkfifo', "$dir/sda.blktrace.1201") and die "mkfifo\n";
	for my $cpu (1200, 1201) {
		my $s = connect_to($server->{port});
		say($s, header(cpu => $cpu, max_cpus => 1300));
		is_dropped($s, "CPU $cpu: something lies there");
	}
	is_well($server, 'links and FIFOs in a run\'s directory');
	ok(!-e $outside, '... nothing lies outside');
	is(stop($server), 0, '... status 0');
}

# 13: what lies where a run's directory would be is left alone
sub test_squatter
{
	my $server = serve_here();
	my $time = time;
	for my $ahead (0 .. 5) {
		my @t = gmtime $time + $ahead;
		symlink '/tmp', sprintf '%s/%s-%d-%02d-%02d-%02d:%02d:%02d',
			$server->{dir}, '127.0.0.1', $t[5] + 1900,
			$t[4] + 1, @t[3, 2, 1, 0];
	}
	ok(good_run($server, trace(1, 3), name => 'squat'),
	   '13: links where directories will be');
	stop($server);
	is_deeply([map { -l } grep { -e "$_/squat.blktrace.0" }
		   glob "$server->{dir}/*"], [''],
		  '... are not followed');
}

# --- rights ------------------------------------------------------------------

# Started by root: NAME's groups and no other, no way back.
sub test_user
{
	my $plain = serve_here();
	stop($plain);
	is($plain->{run}->errors =~ /runs as root/ ? 0 : 1, $> ? 1 : 0,
	   'without --user root is told of it');
	SKIP: {
		skip 'only root can become somebody else', 10 if $>;
		my ($uid, $gid) = (getpwnam 'nobody')[2, 3];
		my $server = serve_here('--user', 'nobody', '-D', 'made');
		my $status = slurp('/proc/' . $server->{run}->pid . '/status');

		like($status, qr/^Uid:(\t$uid){4}$/m, '--user: all of its ids');
		like($status, qr/^Gid:(\t$gid){4}$/m, '... and groups');
		like($status, qr/^Groups:\t$gid *$/m, '... no others');
		like($status, qr/^CapEff:\t0+$/m, '... no capability');
		like($status, qr/^NoNewPrivs:\t1$/m, '... nor new ones');
		my $proc = '/proc/' . $server->{run}->pid;
		is((stat "$proc/mem")[4], 0, '... its user cannot trace it');
		like(slurp("$proc/limits"), qr/^Max core file size +0 +0 /m,
		     '... nor has it a core dump');
		ok(good_run($server, trace(1, 2), name => 'mine'),
		   '... it stores in a directory that it has made');
		is(stop($server), 0, '... status 0');
		is((stat "$server->{dir}/made")[4], $uid, '... which is NAME\'s');
		unlike($server->{run}->errors, qr/as root/, '... nothing is said');
	}
	my %wrong = ('no such user' => ['--user', 'no-such-user'],
		     'cannot (become|write)' => ['--user', 'nobody']);
	for my $why (sort keys %wrong) {
		my $dir = new_dir();
		my $run = Process->start(['blktrace', '-l', '-p', free_port(),
					  '--bind', '127.0.0.1',
					  @{$wrong{$why}}],
					 $dir, $PROGRAMS->{path});
		is($run->finish, 1, "$why: status 1");
		like($run->errors, qr/^blktrace: server: \.: .*$why/m,
		     '... and a line about it');
	}
}

# strace(1)'s lines about a run of a server with everything that happens to it
sub traced_calls
{
	my $dir = "$TOP/traced";
	my $port = free_port();
	my $data = trace(1, 5);

	mkdir $dir or die "$dir: $!\n";
	# a process has one tracer, which a search for leaks would be, too
	my $run = Process->start(['sh', '-c', 'ASAN_OPTIONS=detect_leaks=0 exec'
				  . ' strace -o calls blktrace -l'
				  . " --bind 127.0.0.1 -p $port"], $dir,
				 $PROGRAMS->{path});
	my $server = { dir => $dir, port => $port, run => $run };
	$run->read_until(qr/waiting/);
	good_run($server, $data . substr($data, 0, 9), name => 'good');
	hostile_open($server, 7, 1100);
	my $bad = connect_to($port);
	say($bad, 'x' x 99);
	hear($bad, 1);
	kill 'TERM', grep { slurp("/proc/$_/stat") =~ /\(blktrace\)/ }
		split ' ', slurp('/proc/' . $run->pid . '/task/' . $run->pid
				 . '/children');
	is($run->finish, 0, 'under strace: status 0');
	return slurp("$dir/calls");
}

# Nothing is read before all is given up, and nothing that is needed is refused.
sub test_confined
{
	SKIP: {
		skip 'a checker makes calls of its own', 5
			if $ENV{WRAP} || $ENV{BLKTRACE_NO_SANDBOX};
		grep { -x "$_/strace" } split /:/, $ENV{PATH}
			or skip 'no strace', 5;
		my $calls = traced_calls();
		my ($before) = $calls =~ /(.*?)^accept4\(/ms
			or die "no accept: $calls\n";
		my ($after) = $calls =~ /^prctl\(PR_SET_SECCOMP.*?\n(.*)/ms;

		skip 'built with a sanitizer', 4 if !defined $after;
		like($before, qr/^prctl\(PR_SET_SECCOMP, .* = 0$/m,
		     '... system calls are confined before the first client');
		SKIP: {
			skip 'no Landlock here', 1 if $before !~
				/^landlock_create_ruleset\(NULL.* = [1-9]/m;
			like($before, qr/^landlock_restrict_self\(.* = 0$/m,
			     '... files, too');
		}
		unlike($after, qr/ENOSYS|EACCES|EPERM/, '... nothing is refused'
		       . ' afterwards');
		like($after, qr/^ftruncate|half a record/m,
		     '... of all that it does');
	}
}

# --- 1.3.0 without -s on today's kernels --------------------------------------

# It announces what sendfile then cannot send, closes, and waits.
sub test_failed_sendfile
{
	my $server = serve_here();
	my $socket = open_one($server);

	say($socket, header(len => 32480));
	is(ask($socket, len => $CLOSE), $ANSWER,
	   'data that never comes: the close behind it is answered');
	ok(finish($socket), '... the client can end');
	is(stop($server), 0, '... status 0');
	is(stored($server, 'sda.blktrace.0'), '', '... the file is empty');
	like($server->{run}->errors, qr/announced 32480 bytes and sent none/,
	     '... and it is said');
}

# --- many --------------------------------------------------------------------

# One client with many CPUs, more files than there are descriptors.
sub test_few_descriptors
{
	my $dir = "$TOP/few";
	my $port = free_port();
	my $data = trace(1, 3);

	mkdir $dir or die "$dir: $!\n";
	my $run = Process->start(['sh', '-c', 'ulimit -n 100; exec blktrace -l'
				  . " --bind 127.0.0.1 -p $port"],
				 $dir, $PROGRAMS->{path});
	my $server = { dir => $dir, port => $port, run => $run };
	$run->read_until(qr/waiting/);
	my $socket = open_one($server, max_cpus => 500);
	ask($socket, cpu => $_, max_cpus => 500) for 1 .. 499;
	send_data($socket, $data, cpu => $_, max_cpus => 500) for 0 .. 499;
	my @crowd = grep { $_ } map { connect_to($port) } 1 .. 120;
	is_well($server, '500 files and 120 connections with 100 descriptors');
	is(ask($socket, max_cpus => 500, len => $CLOSE), $ANSWER,
	   '... who has opened something is not dropped');
	is(stop($server), 0, '... status 0');
	is_deeply([grep { slurp($_) ne $data } glob "$dir/*/sda.blktrace.*"],
		  [], '... every file is exact');
}

sub test_200_clients
{
	my $server = serve_here();
	my @data = map { trace($_, 2 * $_ + 10) } 1 .. 200;
	my @sockets = map { open_one($server, run => $_, name => "d$_") }
		1 .. 200;

	is(scalar(grep { $_ } @sockets), 200, '200 clients at once');
	for my $piece (0 .. 9) {
		for my $i (0 .. 199) {
			my $n = int(length($data[$i]) / 10) + 1;
			my $bytes = substr $data[$i], $piece * $n, $n;
			send_data($sockets[$i], $bytes, run => $i + 1,
				  name => 'd' . ($i + 1)) if length $bytes > 2;
		}
	}
	my @answers = map { ask($sockets[$_ - 1], run => $_, name => "d$_",
				len => $CLOSE) || 0 } 1 .. 200;
	is_deeply([grep { $_ != $ANSWER } @answers], [],
		  '... all are answered');
	is_deeply([grep { stored($server, "d$_.blktrace.0") ne $data[$_ - 1] }
		   1 .. 200], [], '... and exact');
	is(stop($server), 0, '... status 0');
}

# A conversation that goes wrong somewhere, never the same way.
sub broken
{
	my @parts = map {
		header(name => (qw(sda sdb ../x), "\xff", '')[rand 5],
		       cpu => (0, 1, 2, 7, 2 ** 31)[rand 5],
		       max_cpus => (1, 2, 2, 8, 0, 2 ** 32 - 1)[rand 6],
		       len => (0, 0, 1, 2, 48, 1000, 2 ** 32 - 1)[rand 7],
		       run => int rand 3, order => rand() < 0.9 ? '<' : '>')
		. (rand() < 0.5 ? trace(1, rand 20) : '')
	} 0 .. rand 5;
	my $bytes = join '', header(run => int rand 3), @parts;

	substr($bytes, rand length $bytes, 1) = chr rand 256 for 0 .. rand 6;
	return substr $bytes, 0, rand() < 0.3 ? rand length $bytes :
		length $bytes;
}

sub test_1000_broken
{
	my $server = serve_here();
	my $good = open_one($server, name => 'good', run => 99);
	my $data = trace(1, 2000);
	my $at = 0;

	srand 1;
	for my $i (1 .. 1000) {
		my $socket = connect_to($server->{port}) or next;
		say($socket, broken());
		setsockopt $socket, SOL_SOCKET(), SO_LINGER(), pack 'ii', 1, 0
			if rand() < 0.3;
		close $socket;
		next if $i % 10;
		my $bytes = substr $data, $at, 960;
		$at += length $bytes;
		send_data($good, $bytes, name => 'good', run => 99);
	}
	is($at, length $data, '1,000 broken conversations');
	is(ask($good, name => 'good', run => 99, len => $CLOSE), $ANSWER,
	   '... and a good one to its end');
	is(stored($server, 'good.blktrace.0'), $data, '... exact');
	is_well($server, '...');
	is(stop($server), 0, '... status 0');
	unlike($server->{run}->errors, qr/Sanitizer|runtime error|==\d+==/,
	       '... no checker complains');
	is_deeply([grep { !/^127\.0\.0\.1(-\d+)?\/[^\/]+\.blktrace\.\d+\z/ }
		   files_of($server)], [], '... and no file lies elsewhere');
}

test_unread();
test_max_cpus();
test_per_cpu();
test_per_device();
test_byte_orders();
test_ipv6();
test_default();
test_signals();
test_renewed_networks();
test_handed_socket();
test_watchdog();
test_min_free();
test_status();
test_flooded_stop();
test_turns();
test_vanish();
test_stall();
test_port_in_use();
test_weaknesses();
test_long_and_double();
test_allow();
test_max_clients();
test_idle();
test_idle_lanes();
test_many_silent();
test_max_bytes();
test_each();
test_inodes();
test_floods();
test_slow_headers();
test_planted();
test_squatter();
test_user();
test_confined();
test_failed_sendfile();
test_few_descriptors();
test_200_clients();
test_1000_broken();
done_testing();
