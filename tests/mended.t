#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What was once said falsely, each by a trace as small as can be: dead disks
# that looked idle, flushes counted twice, shifts that a comparison did not see.
# Whoever changes an answer here should have a reason.
#
#	BIN=DIR prove tests/mended.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP 'decode_json';
use Suite::Files qw(slurp spew);
use Suite::Made qw(made_ios made_sealed);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('mended.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $START = 5_000_000_000;	# ns, of the trace's clock
my ($SDA, $DM, $SDB) = (8 << 20, 253 << 20, 8 << 20 | 16);

# categories, and actions with theirs
my ($R, $W, $FLUSH, $SYNC, $FS, $DISCARD) =
	map { 1 << $_ } 16, 17, 18, 19, 24, 29;
my %ACTION = (Q => 0x100001, G => 0x100004, R => 0x200006, D => 0x400007,
	      C => 0x800008, I => 0x10000c, A => 0x10000f, X => 0x10000d);

srand 25;

# --- made traces -------------------------------------------------------------

my $dirs = 0;

# a new directory with NAME => bytes of a CPU's file
sub put
{
	my (%files) = @_;
	my $dir = "$TOP/" . $dirs++;

	mkdir $dir or die "$dir: $!\n";
	spew("$dir/$_", $files{$_}) for keys %files;
	return $dir;
}

# Events [seconds, action, categories, %fields] of one CPU, in order of time.
sub events
{
	my $number = 0;
	return join '', map {
		my ($time, $action, $categories, %f) = @$_;
		pack('L L Q Q L L L L L S S', 0x65617407, ++$number,
		     $START + int(1e9 * $time + .5), $f{sector} // 8,
		     $f{bytes} // 4096, $ACTION{$action} | $categories,
		     $f{pid} // 100, $f{device} // $SDA, $f{cpu} // 0, 0,
		     length($f{payload} // '')) . ($f{payload} // '');
	} sort { $a->[0] <=> $b->[0] } @_;
}

# an io of one request: queued at a time, complete after so long (or not at all)
sub io
{
	my ($time, $took, $kind, @fields) = @_;
	my @events = map { [$time + $_->[0], $_->[1],
			    $_->[2] | $kind, @fields] }
		[0, 'Q', 0], [2e-6, 'G', 0], [4e-6, 'D', $FS];

	push @events, [$time + $took, 'C', $FS | $kind, @fields] if $took;
	return @events;
}

sub output
{
	my ($command, $dir) = @_;
	return run_command($command, $dir, $PROGRAMS)->{out};
}

# what btstat has of a trace of sda, as JSON
sub json
{
	my ($dir, @options) = @_;
	return decode_json(output("btstat --format=json @options", $dir));
}

# the rules of what it finds
sub rules
{
	my ($dir, $names) = @_;
	return map { $_->{rule} } @{json($dir, '--explain', $names)->{findings}};
}

sub finds
{
	my ($dir, $names, $rule) = @_;
	return scalar grep { $_ eq $rule } rules($dir, $names);
}

sub row
{
	my ($dir, $pattern, $command) = @_;
	my ($line) = grep { /$pattern/ } split /\n/, output($command, $dir);
	return $line // '';
}

# --- disks that hang ---------------------------------------------------------

# ten reads, then four writes that never end; the capture went on for 8 s
sub test_dead_disk
{
	my $reads = made_ios((map { { time => $_ / 10, op => 'R' } } 0 .. 9),
			     map { { time => 1 + $_ / 1000, op => 'W',
				     sector => 8 * $_, hangs => 1 } } 1 .. 4);
	my $dir = put('sda.blktrace.0', made_sealed($reads, 0, 1, 9));

	ok(finds($dir, 'sda', 'stuck'), 'a disk that answers nothing is stuck');
	like(row($dir, qr/^sda write/, 'btstat sda'), qr/ 3\.55 +89%$/,
	     '... and busy until the capture ends');
	is(scalar(() = output('btstat --where open --top=20 sda', $dir) =~
		  / in flight$/mg), 4, '... its I/O in --top');
}

# dm makes no requests: what is queued from 1 s on completes at 3 s
sub test_suspended
{
	my @dm = map {
		my ($n, $time) = ($_, $_ / 500);
		my $held = $n >= 500 && $n < 504;
		map { [@$_, $R, device => $DM, sector => 8 * $n] }
			[$held || $n < 500 ? $time : $time + 2, 'Q'],
			[$held ? 3 : $n < 500 ? $time + .001 : $time + 2.001, 'C'];
	} 0 .. 999;
	my $dir = put('dm-0.blktrace.0', events(@dm));

	ok(finds($dir, 'dm-0', 'stall'), 'a suspended dm device stalls');
}

# --- counts ------------------------------------------------------------------

# a flush as fsync makes it, and the kernel's own request for it
sub flush
{
	my ($time) = @_;
	my @of = (bytes => 0, sector => 0);

	return ([$time, 'Q', $FLUSH | $W | $SYNC, @of],
		[$time + 1e-5, 'G', $FLUSH | $W | $SYNC, @of],
		[$time + 2e-5, 'D', $FS | $FLUSH, @of, pid => 7],
		[$time + 4e-3, 'C', $FS | $FLUSH, @of, pid => 0],
		[$time + 4.1e-3, 'C', $FS | $W | $SYNC, @of, pid => 0]);
}

sub test_flushes
{
	my @events = map { flush($_ / 50), io($_ / 50 + .01, .001, $W,
					      sector => 8 * $_) } 0 .. 148;
	my $dir = put('sda.blktrace.0', events(@events));

	like(row($dir, qr/^sda flush/, 'btstat sda'), qr/^sda flush +149 /,
	     '149 fsyncs are 149 flushes');
	like(row($dir, qr/^I.Os/, 'btstat sda'), qr/ 298: 298 measured/,
	     '... all of them measured');
	is(join(' ', output('btstat --by=pid --format=csv sda', $dir) =~
		/^(\d+,q2c,\d+),/mg), '100,q2c,298',
	   '... of the process that asked for them');
	like(row($dir, qr/^bidir/, 'blkiomon -I 1 -h - <sda.blktrace.0'),
	     qr/: 0$/, '... none of which is a read as well');
}

# of 200 requests, none came back from the device
sub test_requeues
{
	my @events = map {
		my ($time, @of) = ($_ / 50, sector => 8 * $_);
		my @back = map { [$time + 3e-6 * $_, 'R', $R | $FS, @of] } 1 .. 3;
		([$time, 'Q', $R, @of], [$time + 1e-6, 'G', $R, @of],
		 [$time + 2e-6, 'I', $R | $FS, @of], @back,
		 [$time + 2e-5, 'D', $R | $FS, @of],
		 [$time + 1e-3, 'C', $R | $FS, @of])
	} 0 .. 199;

	ok(!finds(put('sda.blktrace.0', events(@events)), 'sda', 'requeued'),
	   'requests that were not issued were not pushed back');
}

# Two CPUs read one place of dm: what completes first there is the one whose
# read below has completed.
sub test_same_place
{
	my $payload = pack 'N N Q>', $DM, $SDA, 8;
	my (@dm, @sda);

	for ([0, 0, 9e-4], [1, 1e-4, 2e-4]) {
		my ($cpu, $time, $end) = @$_;
		my @of = (pid => 100 + $cpu, cpu => $cpu);

		push @dm, [$time, 'Q', $R, @of, device => $DM],
			[$end + 1e-6, 'C', $R, @of, pid => 0, cpu => 0,
			 device => $DM];
		push @sda, [$time + 1e-6, 'A', $R, @of, payload => $payload],
			[$time + 2e-6, 'Q', $R, @of],
			[$time + 3e-6, 'G', $R, @of],
			[$time + 4e-6, 'D', $R | $FS, @of],
			[$end, 'C', $R | $FS, @of, pid => 0];
	}
	my $dir = put(map { my ($name, $cpu, @all) = @$_;
			    ("$name.blktrace.$cpu" =>
			     events(grep { {@$_[3 .. $#$_]}->{cpu} == $cpu } @all)) }
		      map { ['dm-0', $_, @dm], ['sda', $_, @sda] } 0, 1);
	my $rows = output('btexport --no-header --fields=dev,pid,total_ns ' .
			  'dm-0 sda', $dir);
	is(join(' ', sort $rows =~ /^253:0,(\d+,\d+)$/mg),
	   '100,901000 101,101000', 'dm completes what is complete below');
}

# --- amounts -----------------------------------------------------------------

sub test_discards
{
	my @writes = map { io($_ / 100, .001, $W, sector => 8 * $_) } 0 .. 99;
	my $dir = put('sda.blktrace.0', events(@writes,
		io(.5, .001, $W | $DISCARD, bytes => 1 << 30)));

	output('btreport -o page.html sda', $dir);
	my ($data) = slurp("$dir/page.html") =~
		/data-tile="data">.*?class="value">(.*?)<\/div>/s;
	like($data, qr/^400<small>\W*KiB</, 'discards are no data');
}

# 10,000 writes of 100 us in 10 s
sub quick_writes
{
	return map { { time => $_ / 1000, op => 'W', sector => 8 * $_,
		       took => 1e-4 } } 0 .. 9999;
}

sub depth_is
{
	my ($depth, $what, %files) = @_;
	like(row(put(%files), qr/^sda write/, 'btstat sda'), qr/ $depth$/, $what);
}

# One completion is lost, with or without a hole in the numbers.
sub test_single
{
	my @writes = quick_writes();
	my $all = made_ios(@writes);

	substr $all, 48 * (3 * 500 + 2), 48, '';
	depth_is('>=0\.10 +>=10%', 'one lost completion keeps no disk busy',
		 'sda.blktrace.0', $all);
	$writes[500]{hangs} = 1;
	depth_is('>=0\.10 +>=10%', '... nor does one of which nothing tells',
		 'sda.blktrace.0', made_ios(@writes));
}

# The CPU that completes has a file that ends at half of the time.
sub test_half
{
	my $all = made_ios(quick_writes());
	my (@files, @numbers);

	for my $n (0 .. length($all) / 48 - 1) {
		my $record = substr $all, 48 * $n, 48;
		my $cpu = $n % 3 == 2 ? 1 : 0;

		next if $cpu && $n > 15_000;
		substr $record, 4, 4, pack 'L', ++$numbers[$cpu];
		substr $record, 40, 4, pack 'L', $cpu;
		$files[$cpu] .= $record;
	}
	depth_is('>=0\.05 +>=5%', 'half of a file makes no depth of 1,250',
		 map { ("sda.blktrace.$_", $files[$_]) } 0, 1);
}

# --- comparisons -------------------------------------------------------------

# a trace there of reads one after the other that take about so long
sub run_of
{
	my ($dir, $mean) = @_;
	my ($time, @ios) = (0);

	for (1 .. 800) {
		my $took = $mean * (.7 + rand .6);
		push @ios, { time => $time, took => $took, op => 'R',
			     sector => 8 * int rand 1e6 };
		$time += $took + 1e-5;
	}
	mkdir $dir or die "$dir: $!\n";
	spew("$dir/sda.blktrace.0", made_ios(@ios));
}

sub test_shift
{
	my $dir = put();

	run_of("$dir/a", .001);
	run_of("$dir/b", .005);
	like(row($dir, qr/^ +p50 /, 'btstat --compare a -- b'),
	     qr/(?:slower|separated)/, 'five times the median is told of two runs');
	isnt(run_command('btstat --compare --gate --least=5% a -- b', $dir,
			 $PROGRAMS)->{rc}, 0, '... and no gate lets it pass');
}

# --- findings ----------------------------------------------------------------

# reads one after the other, each at a sector and as long as FN says of it
sub reads
{
	my ($count, $fn) = @_;
	my ($time, @events) = (0);

	for my $n (1 .. $count) {
		my ($sector, $took) = $fn->($n);
		push @events, io($time, $took, $R, sector => $sector);
		$time += $took + 1e-4;
	}
	return put('sda.blktrace.0', events(@events));
}

# a quarter of the range takes ten times as long
sub test_region
{
	my $dir = reads(3000, sub {
		my $sector = 8 * int rand 1 << 20;
		my $slow = $sector >> 21 == 1;
		return ($sector, ($slow ? 3e-3 : 3e-4) * (.8 + rand .4));
	});

	ok(finds($dir, 'sda', 'slow-region'), 'a wide slow region is found');
}

# a process keeps 32 at a device that does one after the other
sub test_flood
{
	my ($done, @events) = (0);

	for my $n (1 .. 3000) {
		my $others = $n > 1500 ? 31 : $n > 1000 ? 11 : 0;
		my $queued = $done - $others * 5e-4;
		$done += 5e-4;
		push @events, io($queued, $done - $queued, $R,
				 pid => $others ? 101 : 100,
				 sector => 8 * int rand 1 << 20);
	}
	ok(finds(put('sda.blktrace.0', events(@events)), 'sda', 'saturation'),
	   'a process that floods a device is found');
}

# --- machines ----------------------------------------------------------------

# a note of the time of day: that many ns of the trace's clock after its start
sub clock_note
{
	my ($device, $after, $seconds, $ns) = @_;
	return pack 'L L Q Q L L L L L S S L L', 0x65617407, 0,
		$START + $after, 0, 0, 0x04000001, 0, $device, 0, 0, 8,
		$seconds, $ns;
}

sub test_clocks
{
	my $dir = put(map { my ($name, $device, $late) = @$_;
		("$name.blktrace.0",
		 clock_note($device, $late, 1_700_000_000, 242 * $late) .
		 events(io(.1, .001, $R, device => $device))) }
		['sda', $SDA, 0], ['sdb', $SDB, 1000]);
	my @both = map { join ' ', sort split /\n/,
			 output("btexport --no-header --fields=dev,unix_ns $_",
				$dir) } 'sda sdb', 'sdb sda';

	is($both[0], $both[1], 'no time of day by the order of operands');
}

# it is of another machine, or it is not known of which
sub test_hosts
{
	my $dir = put('sda.blktrace.0', events(io(.1, .001, $R)));
	my ($here) = `uname -n` =~ /(.*)/;
	my @cells = map { output("btexport --no-header --fields=host $_", $dir) }
		'sda', '- <sda.blktrace.0';

	unlike("@cells", qr/\b\Q$here\E\b/, 'no trace is of this machine for that');
	like(row($dir, qr/ 1 +1\.00k /, 'btstat --by=host - <sda.blktrace.0'),
	     qr/^unknown /, '... and --by=host says so');
}

test_dead_disk();
test_suspended();
test_flushes();
test_requeues();
test_same_place();
test_discards();
test_single();
test_half();
test_shift();
test_region();
test_flood();
test_clocks();
test_hosts();
done_testing();
