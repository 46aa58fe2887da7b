#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The card of a trace that is taken here: each of its values against /sys, and
# what other programs say of this machine and its disks.
#
#	BIN=DIR prove tests/live/card.t
#
# Works in a private mount namespace, on loop devices it makes itself.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use IO::Socket::IP;
use JSON::PP;
use Machine qw(enter loops name_of wait_tracing);
use Process;
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes 'time';

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $END = 30;
my $APPLICATION = '5d8e94e3c2ce4eb886f8d0efbb031516';
my $TOP;

my $dirs = 0;
sub new_dir
{
	my $dir = "$TOP/run" . $dirs++;
	mkdir $dir or die "$dir: $!\n";
	return $dir;
}

sub card_of
{
	my ($path) = @_;
	return decode_json(slurp($path));
}

# a line that a command prints, or nothing
sub line_of
{
	my ($command) = @_;
	my ($line) = `$command 2>/dev/null`;
	return '' unless defined $line;
	chomp $line;
	return $line;
}

# the first line of a file of sysfs, or nothing
sub first_line
{
	my ($path) = @_;
	open my $in, '<', $path or return undef;
	my $line = <$in>;
	chomp $line if defined $line;
	return $line;
}

# --- what is in it --------------------------------------------------------

sub test_machine
{
	my ($card) = @_;
	my $id = line_of("systemd-id128 machine-id --app-specific=$APPLICATION");

	is($card->{host}, line_of('uname -n'), 'host');
	is($card->{kernel}, line_of('uname -r'), 'kernel');
	SKIP: {
		my $its = eval {
			decode_json(line_of('hostnamectl --json=short'));
		} or skip 'hostnamectl has nobody to ask', 2;
		is($card->{host}, $its->{Hostname}, 'host by hostnamectl');
		is($card->{kernel}, $its->{KernelRelease}, '... and kernel');
	}
	is($card->{arch}, line_of('uname -m'), 'arch');
	is($card->{boot_id}, first_line('/proc/sys/kernel/random/boot_id'),
		'boot');
	is($card->{cpus_online}, line_of('nproc --all'), 'CPUs');
	SKIP: {
		skip 'nobody else knows the id', 1
			unless $id && $card->{machine_id};
		is($card->{machine_id}, $id, 'the id, hashed');
	}
}

sub test_queue
{
	my ($device, $name) = @_;
	my $queue = "/sys/block/$name/queue";

	for my $file (qw(nr_requests max_sectors_kb read_ahead_kb wbt_lat_usec
			 logical_block_size physical_block_size zoned
			 write_cache rotational)) {
		my $want = first_line("$queue/$file");
		my $got = $device->{$file};
		$got = $got ? 1 : 0 if JSON::PP::is_bool($got);
		is($got, $want, "$name: $file");
	}
	my ($scheduler) = first_line("$queue/scheduler") =~ /\[(.*)\]/;
	is($device->{scheduler}, $scheduler, "$name: scheduler");
}

# the same as lsblk: names are its columns
sub test_lsblk
{
	my ($device, $name) = @_;
	my $all = decode_json(scalar
		`lsblk -Jb -o KNAME,MAJ:MIN,SIZE,RO,ROTA,LOG-SEC,PHY-SEC,SCHED,MODEL,SERIAL /dev/$name`);
	my $its = $all->{blockdevices}[0];
	my $bool = sub { $_[0] ? 1 : 0 };

	is($device->{name}, $its->{kname}, "$name as lsblk has it: name");
	is($device->{number}, $its->{'maj:min'}, '... number');
	is($device->{size}, $its->{size}, '... size');
	is($bool->($device->{read_only}), $bool->($its->{ro}), '... read-only');
	is($bool->($device->{rotational}), $bool->($its->{rota}),
		'... rotational');
	is($device->{logical_block_size}, $its->{'log-sec'},
		'... logical block');
	is($device->{physical_block_size}, $its->{'phy-sec'},
		'... physical block');
	is($device->{scheduler}, $its->{sched}, '... scheduler');
	is($device->{model}, $its->{model}, '... model');
	is($device->{serial}, $its->{serial}, '... serial number');
}

sub test_clock
{
	my ($card, $before, $after) = @_;
	my ($start, $end) = @{$card->{clock}}{'start', 'end'};

	ok($start->{realtime_ns} >= 1e9 * $before &&
	   $end->{realtime_ns} <= 1e9 * $after &&
	   $start->{realtime_ns} < $end->{realtime_ns}, 'the time of day');
	my $drift = ($end->{realtime_ns} - $start->{realtime_ns}) -
		($end->{monotonic_ns} - $start->{monotonic_ns});
	ok(abs $drift < 1e6, 'both clocks go alike') or diag($drift);
}

sub test_end
{
	my ($card, $out) = @_;
	my ($events, $dropped) = $out =~ /Total: +(\d+) events \(dropped (\d+)\)/;
	my @cpus = $out =~ /CPU +\d+: +(\d+) events/g;

	is($card->{end}{events}, $events, 'events, as they are printed');
	is($card->{end}{dropped}, $dropped, 'dropped');
	is(join(' ', map { $_->{events} } @{$card->{end}{cpus}}), "@cpus",
		'by CPU');
}

sub test_card
{
	my ($loop) = @_;
	my $dir = new_dir();
	my $name = name_of($loop);
	my $before = time;
	my $got = run_command("blktrace -w 1 $loop", $dir, $PROGRAMS);
	my $card = card_of("$dir/$name.blktrace.json");

	is($got->{rc}, 0, 'a capture');
	is($card->{schema}, 1, 'schema');
	is(join(' ', @{$card->{command}}), "blktrace -w 1 $loop", 'command');
	like($card->{via}, qr/\A(?:relay|ftrace|bpf)\z/, 'via');
	test_machine($card);
	test_lsblk($card->{device}, $name);
	test_queue($card->{device}, $name);
	is($card->{device}{backing_file},
		first_line("/sys/block/$name/loop/backing_file"),
		'the file below');
	test_clock($card, $before, time);
	is($card->{end}{cause}, 'stopwatch', 'how it ended');
	test_end($card, $got->{out});
	is(join(' ', grep { /\A\./ } map { s{.*/}{}r } glob "$dir/.*"), '. ..',
		'nothing else is left');
}

# --- when -----------------------------------------------------------------

# a run that a signal ends: its card before and after
sub signalled
{
	my ($signal, $dir, @words) = @_;
	my $run = Process->start(['blktrace', @words], $dir,
				 $PROGRAMS->{path});
	wait_tracing($run->pid);
	my ($path) = glob "$dir/*.json $dir/0001*/*.json";
	my $first = card_of($path);
	kill $signal => $run->pid;
	$run->finish($END);
	($path) = glob "$dir/*.json $dir/0001*/*.json";
	return ($first, card_of($path));
}

sub test_signals
{
	my ($loop) = @_;
	my ($first, $last) = signalled(INT => new_dir(), $loop);

	ok(!exists $first->{end} && !exists $first->{clock}{end},
		'a card from the start, without an end');
	is($last->{end}{cause}, 'signal', 'in the end with one');
	is_deeply($last->{device}, $first->{device}, 'of the same device');

	($first, $last) = signalled(KILL => new_dir(), $loop);
	is_deeply($last, $first, 'after SIGKILL the first one stands');
	run_command("blktrace -k $loop", $TOP, $PROGRAMS);
}

sub test_places
{
	my ($loop) = @_;
	my $dir = new_dir();
	my $name = name_of($loop);

	run_command("blktrace -w 1 -o other --no-serial $loop", $dir,
		$PROGRAMS);
	my $card = card_of("$dir/other.blktrace.json");
	is($card->{device}{name}, $name, '-o: it is called as the files are');
	ok(!exists $card->{device}{serial}, '--no-serial');
	$dir = new_dir();
	run_command("blktrace -w 1 -o - $loop >pipe", $dir, $PROGRAMS);
	is(join(' ', map { s{.*/}{}r } glob "$dir/*"), 'pipe', '-o -: none');

	$dir = new_dir();
	run_command("blktrace -w 3 --rotate=1s -D $dir $loop", $dir,
		$PROGRAMS);
	my @segments = glob "$dir/0*";
	my @cards = map { card_of("$_/$name.blktrace.json") } @segments;
	cmp_ok(scalar @cards, '>', 1, 'a card in each segment');
	my $last = pop @cards;
	is(join(' ', grep { exists $_->{end} } @cards), '',
		'... the end is in the last');
	is(join(' ', grep { !exists $_->{clock}{end} } @cards), '',
		'... all have the clock');
	is($last->{end}{cause}, 'stopwatch', '... which tells the cause');
}

# --- by TLS ---------------------------------------------------------------

# A collector, and what is sent to it with these words: its only directory.
sub collected
{
	my ($loop, @words) = @_;
	my $dir = new_dir();
	my $socket = IO::Socket::IP->new(LocalHost => '127.0.0.1', Listen => 1)
		or die "listen: $@\n";
	my $port = $socket->sockport;
	close $socket;
	my $server = Process->start(['blktrace', '-l', '--bind', '127.0.0.1',
				     '-p', $port, @words], $dir,
				    $PROGRAMS->{path});
	$server->read_until(qr/waiting for connections/, 10);
	my $got = run_command("blktrace -w 1 -h 127.0.0.1 -p $port @words"
			      . " $loop", new_dir(), $PROGRAMS);
	$server->signal('TERM');
	$server->finish($END);
	is($got->{rc}, 0, "sent @words") or diag($got->{err});
	my @runs = glob "$dir/*-*-*";
	is(scalar @runs, 1, '... a run') or diag("@runs");
	return ($runs[0], $got, $server);
}

sub test_sent
{
	my ($loop) = @_;
	my $name = name_of($loop);
	spew("$TOP/keys", 'web1:' . '0123456789abcdef' x 4 . "\n");
	chmod 0600, "$TOP/keys" or die "chmod: $!\n";
	my ($run, $got, $server) = collected($loop, "--psk=$TOP/keys");
	my $card = card_of("$run/$name.blktrace.json");

	like($run, qr{/web1-}, '... by its identity');
	unlike($got->{err}, qr/card/, '... without a word of the card');
	is($card->{host}, line_of('uname -n'), '... which has the host');
	is($card->{end}{cause}, 'stopwatch', '... and the end');
	test_end($card, $got->{out});
	unlike($server->errors, qr/card|close/, '... nor of the server');
	my $shown = run_command("btstat $run", '.', $PROGRAMS);
	like($shown->{out}, qr/\Q$card->{host}\E/, '... and btstat tells it');
	($run) = collected($loop);
	is_deeply([glob "$run/*.json"], [], '... none without TLS');
}

# a replay on a device unlike the recorded one
sub test_replay
{
	my ($loop) = @_;
	my $dir = new_dir();
	my $name = name_of($loop);

	run_command("blktrace -w 1 -o x $loop & sleep 0.5; dd if=$loop" .
		' of=/dev/null bs=4k count=10 iflag=direct; wait; ' .
		'btrecord x', $dir, $PROGRAMS);
	my $replay = "btreplay --dry-run -M map x";
	spew("$dir/map", "x $name\n");
	my $got = run_command($replay, $dir, $PROGRAMS);
	is("$got->{rc} $got->{err}", '0 ', 'the same device is fine');
	my $card = slurp("$dir/x.replay.json");
	for (['"size":67108864', '"size":67108352',
	      "x: was recorded on a device of 67108352 bytes, but $loop has" .
	      ' 67108864'],
	     ['"logical_block_size":512', '"logical_block_size":4096',
	      "x: was recorded on logical blocks of 4096 bytes, but $loop has" .
	      ' 512']) {
		my ($is, $was, $line) = @$_;
		spew("$dir/x.replay.json", $card =~ s/$is/$was/r);
		$got = run_command($replay, $dir, $PROGRAMS);
		is("$got->{rc} $got->{err}", "0 btreplay: $line\n", $was);
	}
}

my ($reason) = enter();
if ($reason) {
	plan skip_all => $reason;
	exit;
}
$TOP = tempdir(CLEANUP => 1);
my ($loop) = loops($TOP, 1);
test_card($loop);
test_signals($loop);
test_places($loop);
test_replay($loop);
test_sent($loop);
done_testing();
