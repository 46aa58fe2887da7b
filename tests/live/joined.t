#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blktrace --via=bpf --joined on this machine's kernel: the events that a capture
# by ftrace has of the same load, I/Os that hang, and what is lost, to the unit.
#
#	BIN=DIR HANGFS=FILE prove tests/live/joined.t
#
# HANGFS is tests/live/hangfs.c: a file that does not answer while its process is
# stopped.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", $FindBin::Bin;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Machine qw(enter switches loops name_of);
use POSIX ();
use Suite::Files 'slurp';
use Test::More;
use Time::HiRes 'sleep';

my $BIN = abs_path($ENV{BIN} || '.');
my $TOP;

# numbers of actions in records
my %ACTION = (1 => 'Q', 2 => 'M', 3 => 'F', 4 => 'G', 7 => 'D', 8 => 'C',
	      9 => 'P', 10 => 'U', 11 => 'UT', 12 => 'I', 13 => 'X');
my ($NOTE, $RECORD) = (1 << 26, 48);

# --- captures ----------------------------------------------------------------

my %running;			# pids of captures

END {
	my $status = $?;
	kill INT => keys %running;
	$? = $status;
}

# Starts one into a new directory; its pid, once it traces.
sub begin
{
	my ($dir, @options) = @_;
	mkdir $dir or die "$dir: $!\n";
	my $pid = fork // die "fork: $!\n";
	unless ($pid) {
		open STDOUT, '>', "$dir/out";
		open STDERR, '>', "$dir/err";
		exec "$BIN/blktrace", '-D', $dir, @options
			or POSIX::_exit(127);
	}
	$running{$pid} = 1;
	for (1 .. 600) {
		return $pid if -e "$dir/err" &&
			slurp("$dir/err") =~ /stop with/;
		sleep 0.05;
	}
	die 'blktrace does not begin: ', slurp("$dir/err");
}

# ends it, after a moment in which it has read all
sub finish
{
	my ($pid) = @_;
	kill INT => $pid;
	waitpid $pid, 0;
	delete $running{$pid};
	return $?;
}

# All events of a directory's files, { what, key, time, cpu }; how many of them
# are earlier than the one before; and how many numbers are missing.
sub events
{
	my ($dir) = @_;
	my (@events, $back, $missing);
	($back, $missing) = (0, 0);
	for my $path (glob "$dir/*.blktrace.[0-9]*") {
		my ($bytes, $at, $last, $number) = (slurp($path), 0, 0, 0);
		while ($at + $RECORD <= length $bytes) {
			my (undef, $seq, $time, $sector, $size, $action, undef,
			    undef, $cpu, $error, $len) = unpack
				'L L Q Q L L L L L S S',
				substr $bytes, $at, $RECORD;
			my $pdu = substr $bytes, $at + $RECORD, $len;
			$at += $RECORD + $len;
			next if $action & $NOTE;
			$back++ if $time < $last;
			$last = $time;
			$missing += $seq - $number - 1;
			$number = $seq;
			my $what = $ACTION{$action & 0xff} // $action & 0xff;
			push @events, { what => $what, time => $time,
				cpu => $cpu, key => join ' ', $action, $sector,
				$size, $error, unpack 'H*', $pdu };
		}
		is($at, length $bytes, "$path is whole");
	}
	return (\@events, $back, $missing);
}

sub count
{
	my ($events, $what) = @_;
	return scalar grep { $_->{what} eq $what } @$events;
}

sub dropped
{
	my ($dir) = @_;
	my ($n) = slurp("$dir/out") =~ /Total:.*\(dropped (\d+)\)/;
	return $n;
}

# Some kernels do not run any program of a tracepoint at times, and count nothing:
# the audit finds that.  What a capture by work->() into a directory returns, once
# it has not been so.
sub whole
{
	my ($dir, $work) = @_;
	for (1 .. 5) {
		my $got = $work->();
		return $got unless slurp("$dir/err") =~ /missing/;
		note slurp("$dir/err");
	}
	return $work->();
}

# --- work --------------------------------------------------------------------

# COUNT reads of 4 KiB at random places by each of two processes; how many there
# were
sub random_reads
{
	my ($loop, $count) = @_;
	my $said = qx(fio --name=r --filename=$loop --rw=randread --bs=4k \\
		--direct=1 --ioengine=libaio --iodepth=32 --numjobs=2 \\
		--group_reporting --number_ios=$count --size=60m \\
		--norandommap --output-format=json);
	my ($ios) = $said =~ /"total_ios" : ([1-9]\d*)/ or die "fio: $said\n";
	return $ios;
}

# merges, splits, discards and a scheduler, which inserts
sub other_work
{
	my ($loop) = @_;
	my $name = name_of($loop);
	system "echo mq-deadline >/sys/block/$name/queue/scheduler 2>/dev/null";
	system "dd if=/dev/zero of=$loop bs=1M count=40 conv=fsync 2>/dev/null";
	system "blkdiscard -f $loop 2>/dev/null";
	system "dd if=$loop of=/dev/null bs=1M count=40 2>/dev/null";
	system "fio --name=w --filename=$loop --rw=write --bs=4k " .
		'--ioengine=libaio --iodepth=32 --iodepth_batch=16 ' .
		'--direct=1 --size=20M >/dev/null';
	system "echo none >/sys/block/$name/queue/scheduler 2>/dev/null";
}

sub wait_idle
{
	my ($loop) = @_;
	my $name = name_of($loop);
	my ($before, $now) = ('', '');
	for (1 .. 100) {
		$now = slurp("/sys/block/$name/stat");
		last if $now eq $before &&
			slurp("/sys/block/$name/inflight") =~ /^\s*0\s+0\s*$/;
		$before = $now;
		sleep 0.2;
	}
}

# --- beside ftrace -----------------------------------------------------------

# Events by what they are, and of those that are alike by time.
sub by_key
{
	my ($events) = @_;
	my %by;
	push @{$by{$_->{key}}}, $_ for sort { $a->{time} <=> $b->{time} }
		@$events;
	return \%by;
}

# By phase: ns between our times and its, ascending; and what only one has.
sub differences
{
	my ($ours, $its) = map { by_key($_) } @_;
	my (%ns, @unlike);
	for my $key (keys %{{ %$ours, %$its }}) {
		my ($a, $b) = ($ours->{$key} // [], $its->{$key} // []);
		push @unlike, @$a - @$b . " x $key" if @$a != @$b;
		for my $i (0 .. ($#$a < $#$b ? $#$a : $#$b)) {
			push @{$ns{$a->[$i]{what}}},
				abs $a->[$i]{time} - $b->[$i]{time};
		}
	}
	@$_ = sort { $a <=> $b } @$_ for values %ns;
	return (\%ns, @unlike);
}

# The two programs run one after the other, and what interrupts the machine
# between them is between their times: so nearly all are close, not all.
sub test_beside
{
	my ($loop, @masks) = @_;
	my $what = @masks ? "@masks" : 'all';
	my $dir = "$TOP/beside" . @masks;
	my $ios = whole("$dir.j", sub {
		system "rm -rf $dir.j $dir.f";
		my $ours = begin("$dir.j", '--via=bpf', '--joined', @masks,
				 $loop);
		my $its = begin("$dir.f", qw(--via=ftrace -b 1024 -n 8),
				@masks, $loop);
		wait_idle($loop);
		sleep 0.5;
		my $n = random_reads($loop, 10000);
		wait_idle($loop);
		other_work($loop) unless @masks;
		wait_idle($loop);
		is(finish($_), 0, "$what: blktrace ends well")
			for $ours, $its;
		return $n;
	});
	is(dropped("$dir.j"), 0, '... nothing is dropped');
	unlike(slurp("$dir.j/err"), qr/missing/, '... the audit finds all');
	my ($ev, $back, $missing) = events("$dir.j");
	my ($its_ev) = events("$dir.f");
	is($back, 0, '... each file is in the order of time');
	is($missing, 0, '... and of numbers');
	my @reads = grep { $_->{key} =~ / 4096 / } @$ev;
	cmp_ok(count(\@reads, $_), '>=', $ios, "... fio's $ios $_") for qw(D C);
	my ($ns, @unlike) = differences($ev, [grep { $_->{what} !~ /^[PU]/ }
					      @$its_ev]);
	is("@unlike", '', '... the events that ftrace has');
	for my $phase (sort keys %$ns) {
		my $list = $ns->{$phase};
		my $near = grep { $_ <= 1000 } @$list;
		cmp_ok($near, '>=', 0.95 * @$list - 5,
		       "... $phase: within 1 us of it");
		note sprintf '%s: %d, median %d ns, %.2f%% within 1 us', $phase,
			scalar @$list, $list->[$#$list / 2],
			100 * $near / @$list;
	}
	my $card = `$BIN/blktrace --card $dir.j/@{[name_of($loop)]}`;
	like($card, qr/joined records\s+yes/, '... the card says so');
}

# only fio's load: its count is the number of each event
sub test_counts
{
	my ($loop) = @_;
	my $dir = "$TOP/counts";
	my $ios = whole($dir, sub {
		system "rm -rf $dir";
		my $pid = begin($dir, '--via=bpf', '--joined', $loop);
		wait_idle($loop);
		my $n = random_reads($loop, 5000);
		is(finish($pid), 0, 'counts: blktrace ends well');
		return $n;
	});
	my ($ev) = events($dir);
	my @reads = grep { $_->{key} =~ / 4096 / } @$ev;
	is(count(\@reads, $_), $ios, "... $ios times $_") for qw(Q G D C);
}

# --- a disk that hangs -------------------------------------------------------

# An I/O that is open for over a second, before the capture ends and after.
sub test_hang
{
	mkdir "$TOP/fs" or die "$TOP/fs: $!\n";
	my $fs = open my $out, '-|', $ENV{HANGFS}, "$TOP/fs"
		or die "$ENV{HANGFS}: $!\n";
	<$out> eq "ready\n" or die "hangfs is not ready\n";
	chomp(my $loop = `losetup -f --show $TOP/fs/disk`);
	my $pid = begin("$TOP/hang", '--via=bpf', '--joined', $loop);
	my $read = "dd if=$loop of=/dev/null bs=4k iflag=direct 2>/dev/null";
	system "$read count=20";
	kill STOP => $fs;
	system "$read count=1 skip=5000 &";
	sleep 2.5;
	kill CONT => $fs;
	wait_idle($loop);
	kill STOP => $fs;
	system "$read count=1 skip=6000 &";
	sleep 2.5;
	is(finish($pid), 0, 'hang: the capture ends though the disk hangs');
	kill CONT => $fs;
	wait_idle($loop);
	my ($ev, $back, $missing) = events("$TOP/hang");
	is($back, 0, '... in the order of time');
	is($missing, 0, '... and of numbers');
	for (['5000', 40000, 1], ['6000', 48000, 0]) {
		my ($block, $sector, $ended) = @$_;
		my @of = grep { $_->{key} =~ /^\d+ $sector 4096 / } @$ev;
		is(count(\@of, $_), 1, "... block $block has one $_")
			for qw(Q G D);
		is(count(\@of, 'C'), $ended, "... and $ended C");
		my ($d, $c) = map { my $w = $_;
				    grep { $_->{what} eq $w } @of } qw(D C);
		cmp_ok($c->{time} - $d->{time}, '>', 2e9, '... 2 s later')
			if $ended;
	}
	is(dropped("$TOP/hang"), 0, '... nothing is dropped');
	system "losetup -d $loop";
	kill KILL => $fs;
	system "umount -l $TOP/fs";
}

# --- what is lost ------------------------------------------------------------

# A ring of 64 records that is not read for a while.
sub test_lost
{
	my ($loop, $what, $per_io, @masks) = @_;
	my $dir = "$TOP/lost$per_io";
	my $reads = "dd if=$loop of=/dev/null bs=4k iflag=direct 2>/dev/null";
	my $pid = begin($dir, qw(--via=bpf --joined -b 1 -n 1), @masks, $loop);
	wait_idle($loop);
	sleep 0.5;
	kill STOP => $pid;
	system "$reads count=2000";
	kill CONT => $pid;
	sleep 1.5;
	system "taskset -c $_ $reads count=1" for split ' ', cpus();
	is(finish($pid), 0, "$what: a full ring is no failure");
	my ($ev, undef, $missing) = events($dir);
	my $lost = dropped($dir);
	my $all = $per_io * (2000 + split ' ', cpus());
	my @ours = grep { $_->{key} =~ / 4096 / } @$ev;
	cmp_ok($lost, '>', 1000, '... which is reported');
	is(@ours + $lost, $all, '... to the unit');
	is($missing, $lost, '... and the numbers have gaps of that size');
	my $notes = join '', map { slurp($_) } glob "$dir/*.blktrace.[0-9]*";
	like($notes, qr/blktrace: $lost dropped since/, '... the trace has it');
}

sub cpus
{
	my @cpus;
	for my $part (split ',', slurp('/sys/devices/system/cpu/online')) {
		my ($from, $to) = $part =~ /(\d+)(?:-(\d+))?/;
		push @cpus, $from .. $to // $from;
	}
	return "@cpus";
}

# -----------------------------------------------------------------------------

my ($reason) = enter();
plan skip_all => $reason if $reason;
plan skip_all => 'no fio' if system 'fio --version >/dev/null 2>&1';
plan skip_all => 'this kernel does not describe its types'
	unless -e '/sys/kernel/btf/vmlinux';
$TOP = tempdir('joined.XXXXXX', DIR => '/dev/shm', CLEANUP => 1);
my $before = switches();
my ($loop) = loops($TOP, 1);
test_counts($loop);
test_beside($loop);
test_beside($loop, qw(-a issue -a complete));
SKIP: {
	skip 'HANGFS is not set', 1 unless $ENV{HANGFS};
	test_hang();
}
test_lost($loop, 'all phases', 4);
test_lost($loop, 'D and C', 2, qw(-a issue -a complete));
my $said = `$BIN/blktrace --joined $loop 2>&1`;
is($? >> 8, 1, '--joined without --via=bpf: status 1');
like($said, qr/--joined is for --via=bpf/, '... and why');
is(switches(), $before, 'every switch of tracefs is what it was');
done_testing();
