#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Several hosts in one run: traces that are made from a recorded one, with a
# clock that began at another moment, is shifted, drifts or is set back, come
# into the order that they are known to have; what is said of clocks; and how
# much memory many hosts take.
#
#	BIN=DIR prove tests/hosts.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util qw(max sum0);
use Suite::Files qw(slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir(CLEANUP => 1);
my $TRACE = 'k612-virtio-none-uring';
my $HEAD = 48;			# bytes of a record before its payload
my $NOTE = 1 << 26;		# the category of notes, in the action word
my $STAMP = 1;
my $MEMORY = 8 << 10;		# KiB, and for each open file:
my $FILE_MEMORY = 128;

sub run_here
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

# --- made-up hosts ----------------------------------------------------------

# the records of a file, each { raw, time, stamp }
sub records
{
	my ($bytes) = @_;
	my @records;
	for (my $at = 0; $at + $HEAD <= length $bytes;) {
		my ($time, undef, undef, $action) =
			unpack 'x8 Q< Q< L< L<', substr $bytes, $at, $HEAD;
		my ($len) = unpack 'x46 S<', substr $bytes, $at, $HEAD;
		push @records, {
			raw => substr($bytes, $at, $HEAD + $len),
			time => $time,
			stamp => ($action & 0xffff0000) == $NOTE << 0 &&
				($action & 0xffff) == $STAMP,
		};
		$at += $HEAD + $len;
	}
	return @records;
}

# the time stamp of a trace: its time, and the time of day in ns
sub stamp_of
{
	my ($dir) = @_;
	for my $path (glob "$dir/*.blktrace.[0-9]*") {
		for my $r (grep { $_->{stamp} } records(slurp($path))) {
			my ($sec, $nsec) = unpack 'L< L<',
				substr $r->{raw}, $HEAD;
			return ($r->{time}, $sec * 1_000_000_000 + $nsec);
		}
	}
	die "$dir: no time stamp\n";
}

# A copy of a trace by another clock: of time TIME it is $clock->(TIME) there.
sub copy_by
{
	my ($from, $to, $clock) = @_;
	mkdir $to or die "$to: $!\n";
	for my $path (glob "$from/*.blktrace.[0-9]*") {
		my ($file) = $path =~ m{([^/]+)\z};
		spew("$to/$file", join '', map {
			my $raw = $_->{raw};
			substr($raw, 8, 8) = pack 'Q<', $clock->($_->{time});
			$raw
		} records(slurp($path)));
	}
}

sub put_card
{
	my ($dir, $host, $start, $end, %more) = @_;
	my $pair = sub {
		my ($time, $wall) = @_;
		return { realtime_ns => $wall, monotonic_ns => $time, %more };
	};
	spew("$dir/vda.blktrace.json", JSON::PP->new->canonical->encode({
		schema => 1, host => $host, boot_id => $host,
		clock => { start => $pair->(@$start),
			   $end ? (end => $pair->(@$end)) : () } }));
}

# the first event of each io, by host: { host => [times of day] }
sub begins
{
	my (@words) = @_;
	my $got = run_here("btexport --fields=host,unix_ns --format=tsv @words");
	my (undef, @lines) = split /\n/, $got->{out};
	my %times;

	diag($got->{err}) if $got->{rc};
	for (@lines) {
		my ($host, $time) = split /\t/;
		push @{$times{$host}}, $time;
	}
	@$_ = sort { $a <=> $b } @$_ for values %times;
	return ($got, \%times);
}

# by how much two hosts' times differ: [least, most]
sub apart
{
	my ($one, $other) = @_;
	my @apart = sort { $a <=> $b }
		map { $other->[$_] - $one->[$_] } 0 .. $#$one;
	return [@apart[0, -1]];
}

sub near
{
	my ($got, $least, $most, $what) = @_;
	ok($got->[0] >= $least && $got->[1] <= $most, $what)
		or diag("@$got is not within $least $most");
}

# --- order of time ----------------------------------------------------------

my ($TIME, $WALL);	# when the recorded trace says what time it is

sub make_hosts
{
	mkdir "$TOP/db1" or die "$!\n";
	unpack_set("$HERE/data/$TRACE", "$TOP/db1");
	($TIME, $WALL) = stamp_of("$TOP/db1");
	# 300 us later, by a machine that was started at another moment
	copy_by("$TOP/db1", "$TOP/db2", sub { $_[0] + 5_000_000_000_000 });
}

sub cards_apart
{
	my (%more) = @_;
	put_card("$TOP/db1", 'db1', [$TIME, $WALL],
		[$TIME + 60e9, $WALL + 60e9], %more);
	put_card("$TOP/db2", 'db2', [$TIME + 5e12, $WALL + 300_000],
		[$TIME + 5e12 + 60e9, $WALL + 300_000 + 60e9], %more);
}

sub test_shift
{
	cards_apart(synchronised => JSON::PP::true, maxerror_us => 1500);
	my ($got, $times) = begins('db1 db2');
	is("$got->{rc} " . join(' ', sort keys %$times), '0 db1 db2',
		'each row has its host');
	is(scalar @{$times->{db1}}, scalar @{$times->{db2}}, 'both have all');
	near(apart(@$times{'db1', 'db2'}), 300_000, 300_000,
		'300 us are 300 us');
	(undef, $times) = begins('--shift=db2:-300us db1 db2');
	near(apart(@$times{'db1', 'db2'}), 0, 0, '--shift takes them back');
	(undef, $times) = begins('--shift=db1:+1.5ms --shift=db2:1s db1 db2');
	near(apart(@$times{'db1', 'db2'}), 998_800_000, 998_800_000,
		'--shift of both');
	(undef, $times) = begins('--align=start db1 db2');
	near(apart(@$times{'db1', 'db2'}), 0, 0, '--align=start');
	(undef, $times) = begins('--shift=db1:+2s db1');
	my (undef, $plain) = begins('db1');
	near(apart(@$times{'db1'}, @$times{'db1'}), 0, 0, 'one alone');
	near(apart($plain->{db1}, $times->{db1}), 2e9, 2e9,
		'... is shifted, too');
	($got) = begins('--shift=db3:1s db1 db2');
	like($got->{err}, qr/^btexport: db3: no host of this name/m,
		'a host that is not there');
	is($got->{rc}, 1, '... status 1');
	$got = run_here('btreport --json=page.json --align=start' .
		' --shift=db2:1s db1 db2');
	is("$got->{rc} $got->{err}", '0 ', 'btreport has the options, too');
	for my $text ('db1', 'db1:', ':1s', 'db1:x', 'db1:--1s') {
		$got = run_here("btstat --shift=$text db1");
		is($got->{rc}, 1, "--shift=$text is refused");
	}
}

# an event of the one is between two of the other where it was made to be
sub test_merged
{
	cards_apart();
	my $got = run_here('btexport --table=events --fields=host,unix_ns ' .
		'--format=tsv db1 db2');
	my (undef, @lines) = split /\n/, $got->{out};
	my ($last, $wrong) = (0, 0);
	for (@lines) {
		my (undef, $time) = split /\t/;
		$wrong++ if $time < $last;
		$last = $time;
	}
	ok(@lines > 1000 && !$wrong, 'the events of both are in one order');
}

sub test_drift
{
	# by 40 ppm faster than the time of day
	my $clock = sub { int(($_[0] - $TIME) * 1.00004) + 9_000_000_000 };
	copy_by("$TOP/db1", "$TOP/fast", $clock);
	put_card("$TOP/db1", 'db1', [$TIME, $WALL]);
	put_card("$TOP/fast", 'fast', [9e9, $WALL],
		[9e9 + 100 * 1.00004e9, $WALL + 100e9]);
	my (undef, $times) = begins('db1 fast');
	near(apart(@$times{'db1', 'fast'}), -1000, 1000,
		'a clock that drifts is followed');
	unlink "$TOP/fast/vda.blktrace.json";
	(undef, $times) = begins('db1 fast');
	my ($most) = map { max map { abs } @$_ }
		apart(@$times{'db1', 'fast'});
	cmp_ok($most, '>', 1000, '... which cannot be done without its card');
}

# --- what is said -----------------------------------------------------------

sub test_step
{
	cards_apart();
	put_card("$TOP/db2", 'db2', [$TIME + 5e12, $WALL],
		[$TIME + 5e12 + 60e9, $WALL + 58e9]);
	my $got = run_here('btstat --by=host db1 db2');
	like($got->{err}, qr/^btstat: db2: its time of day was set back by 2\.00s during the trace: times use the clock of the start$/m,
		'a clock that was set back is told');
	like($got->{out}, qr/db2 unknown \(set back by 2\.00s\s+meanwhile\)/,
		'... beside the table, too');
	my (undef, $times) = begins('db1 db2');
	near(apart(@$times{'db1', 'db2'}), 0, 0, '... and does no harm');
	is($got->{rc}, 0, '... it is no damage');
}

sub test_uncertainty
{
	cards_apart(synchronised => JSON::PP::true, maxerror_us => 1500);
	unlink "$TOP/db2/vda.blktrace.json";
	my $got = run_here('btstat --by=host db1 db2');
	like($got->{out}, qr/^clocks +db1 within 1\.50ms, db2 unknown$/m,
		'how far clocks can be trusted');
	like($got->{out}, qr/^db1 .*^db2 /ms, 'rows by host');
	$got = run_here('btstat --by=host db2');
	like($got->{out}, qr/^unknown /m, 'a host without a card is unknown');
	rename "$TOP/db2", "$TOP/web-2026-11-20-06:06:45";
	for my $run ('web-2026-11-20-06:06:45', '-D web-2026-11-20-06:06:45 vda') {
		$got = run_here("btstat --by=host $run");
		like($got->{out}, qr/^web /m, '... but not to its collector');
	}
	rename "$TOP/web-2026-11-20-06:06:45", "$TOP/db2";
	$got = run_here('btstat db1');
	unlike($got->{out}, qr/^clocks/m, 'nothing of it with one host');

	put_card("$TOP/db1", 'db1', [$TIME, $WALL + 20e9]);
	$got = run_here('btstat db1 db2');
	like($got->{err}, qr/^btstat: db1: the card does not fit the trace/m,
		'a card of another trace is not believed');

	spew("$TOP/db1/vda.blktrace.json", '{"host":');
	$got = run_here('btstat db1 db2');
	like($got->{err}, qr{^btstat: db1/vda\.blktrace\.json: cut short \(line 1\); the trace is read without it$}m,
		'a damaged card is told');
	is($got->{rc}, 0, '... and left aside');
	unlink "$TOP/db1/vda.blktrace.json";
}

# devices that are named by themselves are of their cards' hosts
sub test_names
{
	cards_apart();
	put_card("$TOP/db2", 'web', [$TIME + 5e12, $WALL]);
	my (undef, $times) = begins('db1/vda db2/vda');
	is(join(' ', sort keys %$times), 'db1 web', 'hosts by cards');
	(undef, $times) = begins('db2');
	is(join(' ', sort keys %$times), 'web', 'one alone, too');
	my $got = run_here("btstat --by=host --where='host==\"web\"' db1 db2");
	like($got->{out}, qr/^web /m, '--where knows the name');
	unlike($got->{out}, qr/^db1 /m, '... and no other is there');
	$got = run_here('blkparse -q -f "%M %a\n" db1 db2 | sort -u');
	unlike($got->{out} . $got->{err}, qr/web|json/,
		'blkparse does not mention cards');
}

# --- many -------------------------------------------------------------------

# a trace of 8 CPUs from one file
sub make_many
{
	my ($count) = @_;
	my ($file) = sort { -s $b <=> -s $a } glob "$TOP/db1/*.blktrace.[0-9]*";
	my $bytes = slurp($file);

	for my $host (1 .. $count) {
		my $dir = "$TOP/many/h$host";
		mkdir $dir or die "$dir: $!\n";
		for my $cpu (0 .. 7) {
			spew("$dir/vda.blktrace.$cpu", join '', map {
				my $raw = $_->{raw};
				substr($raw, 40, 4) = pack 'L<', $cpu;
				$raw
			} (records($bytes))[0 .. 20]);
		}
	}
}

# the most memory that a command has taken, in KiB, and its standard error
sub memory_of
{
	my ($command) = @_;
	my $got = run_here("python3 -c 'import os, resource, sys
status = os.system(sys.argv[1])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, status)' '$command'");
	my ($memory, $status) = $got->{out} =~ /(\d+) (\d+)\n\z/;
	is($status, 0, "$command: status") or diag($got->{err});
	return $memory;
}

sub test_many
{
	my ($count) = @_;
	mkdir "$TOP/many" or die "$!\n";
	make_many($count);
	SKIP: {
		skip 'a checker has memory of its own', 2 if $ENV{WRAP} ||
			slurp("$PROGRAMS->{path}/btexport") =~ /__asan_init/;
		my $memory = memory_of('btexport --table=events -o many.tsv' .
			' --format=tsv many/*');
		note("$memory KiB");
		cmp_ok($memory, '<=', $MEMORY + $FILE_MEMORY * 8 * $count,
			"$count hosts of 8 CPUs: memory");
	}
	my (undef, $times) = begins('many/*');
	is(scalar keys %$times, $count, '... all are there');
}

make_hosts();
spew("$TOP/x.blktrace.json", '{}');
my $none = run_here('blktrace --card x.blktrace.json');
if ($none->{err} =~ /built without jansson/) {
	plan skip_all => 'built without jansson';
	exit;
}
test_shift();
test_merged();
test_drift();
test_step();
test_uncertainty();
test_names();
test_many(200);
done_testing();
