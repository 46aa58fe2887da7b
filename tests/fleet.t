#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A fleet: hosts with two disks each, whose segments a collector receives and an
# exporter inserts into three replicas of ClickHouse, while all of them are
# killed, the disk is full and the clock jumps.
#
#	make all rotate-programs; BIN=DIR ROTATE=build/tests/rotate \
#		HOSTS=200 MINUTES=30 prove tests/fleet.t
#
# At the end each host's counts, sums and percentiles are btstat's of its files,
# and no row is there twice.  Hosts are of KINDS kinds, as making them takes
# longer than exporting them.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Path 'make_path';
use File::Temp 'tempdir';
use Process 'patience';
use Suite::ClickHouse;
use Suite::Files qw(slurp spew);
use Suite::Followed qw(end start);
use Suite::Made 'made_ios';
use Suite::Rollup qw(btstat by_btstat rolled_up);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $HOSTS = $ENV{HOSTS} || 20;
my $MINUTES = $ENV{MINUTES} || 3;
my $KINDS = $HOSTS < 20 ? $HOSTS : 20;
my $EPOCH = 1_795_000_000;

# a mount is ours alone
if ($> == 0 && !$ENV{FLEET_ALONE} && !system('unshare -m true 2>/dev/null')) {
	$ENV{FLEET_ALONE} = 1;
	exec 'unshare', '-m', $^X, $0, @ARGV;
}

my $why = Suite::ClickHouse::hindrance() || Suite::ClickHouse::keeper_hindrance();
plan skip_all => $why if $why;
$SIG{$_} = sub { exit 1 } for qw(INT TERM HUP);

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $BTEXPORT = "$PROGRAMS->{path}/btexport";
my $ROTATE = abs_path($ENV{ROTATE} || ($ENV{UNITS} ? "$ENV{UNITS}/../rotate" :
	"$FindBin::Bin/../build/tests/rotate"));
my $TOP = tempdir('fleet.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $OUT = "$TOP/out";

# --- hosts ------------------------------------------------------------------

# Poisson arrivals at one I/O a second and disk; the disk of some is slower.
sub make_kind
{
	my ($kind) = @_;
	my $from = "$TOP/from-$kind";
	my $time = pack 'L L Q Q L L L L L S S L L', 0x65617407, 0, 0, 0, 0,
		0x04000001, 0, 0, 0, 0, 8, $EPOCH, 0;

	srand $kind;
	mkdir $from or die "$from: $!\n";
	for my $disk (0, 1) {
		my $slow = $kind % 5 == 3 && $disk ? 8 : 1;
		my @ios;
		for (my $t = rand 1; $t < 60 * $MINUTES - 2; $t -= log rand) {
			push @ios, { time => $t, sector => 8 * int rand 1e6,
				op => rand() < 0.7 ? 'R' : 'W',
				bytes => 4096 * (1 + int rand 8),
				device => 8 + $disk, pid => 100 + $kind % 3,
				took => $slow * (0.0002 - 0.002 * log rand),
				@ios ? () : (name => "db$kind") };
		}
		spew("$from/sd" . qw(a b)[$disk] . '.blktrace.0',
		     $time . made_ios(@ios));
	}
	system("$ROTATE/feed", $from, "$TOP/kind-$kind", 0, 10_000, 0, 0, 1000)
		== 0 or die "feed: status $?\n";
	my ($last) = reverse sort glob "$TOP/kind-$kind/*";
	spew("$last/sda.blktrace.json", '{"schema":1,"end":{"cause":"signal"}}');
}

sub host_name { return sprintf 'db%03d', $_[0] }
sub kind_of { return ($_[0] - 1) % $KINDS + 1 }

# --- the collector ----------------------------------------------------------

# A segment arrives as blktrace writes it: under another name until it is whole.
sub receive
{
	my ($from, $to) = @_;

	mkdir "$to.partial";
	for my $file (glob "$from/*") {
		my $name = $file =~ s{.*/}{}r;
		link $file, "$to.partial/$name" or $!{EEXIST}
			or die "$to/$name: $!\n";
	}
	rename "$to.partial", $to or die "$to: $!\n";
}

# All segments of all hosts, in the order of time; what is there is not received
# again.
sub collect
{
	my (@segments) = map { [sort glob "$TOP/kind-$_/*"] } 1 .. $KINDS;

	for my $i (0 .. 6 * $MINUTES - 1) {
		for my $number (1 .. $HOSTS) {
			my $from = $segments[kind_of($number) - 1][$i];
			next unless defined $from;
			my $to = "$TOP/hosts/" . host_name($number) .
				$from =~ s{.*(?=/)}{}r;
			receive($from, $to) unless -d $to;
		}
		sleep 0.3;
	}
}

sub start_collector
{
	my $pid = fork;

	die "fork: $!\n" unless defined $pid;
	if (!$pid) {
		collect();
		POSIX::_exit(0);
	}
	return $pid;
}

# --- the exporter -----------------------------------------------------------

sub start_exporter
{
	my ($servers, @clock) = @_;
	my $to = 'clickhouse://' . join(',', map { $servers->web($_) } 0 .. 2)
		. '/default';

	return start("$TOP/messages", @clock, $BTEXPORT, "--follow=$TOP/hosts",
		     '-o', "$OUT/", "--to=$to", "--status=$TOP/status");
}

sub make_tables
{
	my ($servers, $number) = @_;
	my $text = run_command('btexport --schema=replicated', $TOP,
			       $PROGRAMS)->{out};

	$text =~ s/^-- On the node that.*//ms;
	$servers->ask($number, $_) for grep { /\S/ } split /;/,
		$text =~ s/^--.*\n//mgr;
}

# a disk for what waits, and something that fills it
sub mount_disk
{
	mkdir $OUT or die "$OUT: $!\n";
	return 0 unless $ENV{FLEET_ALONE};
	return system('mount', '-t', 'tmpfs', '-o', 'size=256m', 'none', $OUT)
		== 0;
}

sub fill_disk
{
	open my $file, '>', "$OUT/filler" or die "filler: $!\n";
	my $chunk = "\0" x (1 << 20);
	1 while syswrite $file, $chunk;
}

# --- the end ----------------------------------------------------------------

sub rows_of
{
	my ($names, @rows) = map { [split /\t/, $_, -1] } split /\n/, $_[0];

	return map { my $row = $_; +{ map { $names->[$_] => $row->[$_] }
		0 .. $#$names } } @rows;
}

sub count_segments
{
	my ($servers, $number) = @_;
	my $got = eval { $servers->ask($number, 'SELECT count() FROM segments') };
	return defined $got ? $got + 0 : 0;
}

# Waits until a replica has what the last one has.
sub same_replica
{
	my ($servers, $number) = @_;
	my $until = time + 60 * patience(1);

	for my $table (qw(segments ios latency latency_10m)) {
		my $count = 'SELECT ' . ($table =~ /_/ ? 'sum(count)' :
			'count()') . " FROM $table";
		my $want = $servers->ask(2, $count);
		sleep 0.3 until time > $until ||
			$servers->ask($number, $count) eq $want;
	}
}

# "disk op phase" and numbers of each kind, by btstat
sub wanted
{
	my ($kind) = @_;
	my $text = run_command(btstat() . " $TOP/kind-$kind", $TOP,
			       $PROGRAMS)->{out};
	my %is = by_btstat(rows_of($text =~ tr/,/\t/r));

	return join "\n", map { "$_: $is{$_}" } sort keys %is;
}

# the same of each host, by the server
sub answered
{
	my ($servers, $number) = @_;
	my %by_host;

	push @{$by_host{$_->{host}}}, $_ for rows_of($servers->ask($number,
		'SELECT host, disk, op, phase, low_ns, high_ns,
			sum(count) AS count, sum(sum_ns) AS sum_ns,
			min(min_ns) AS min_ns, max(max_ns) AS max_ns
		 FROM latency GROUP BY host, disk, op, phase, low_ns, high_ns
		 FORMAT TSVWithNames'));
	return map { my %is = rolled_up(@{$by_host{$_}});
		$_ => join "\n", map { "$_: $is{$_}" } sort keys %is
	} keys %by_host;
}

sub compare
{
	my ($servers, $number, @wanted) = @_;
	my %got = answered($servers, $number);
	my @other = grep { ($got{host_name($_)} // '') ne
		$wanted[kind_of($_) - 1] } 1 .. $HOSTS;

	is(scalar keys %got, $HOSTS, "replica $number: all hosts");
	is("@other", '', '... their counts, sums and percentiles are btstat\'s')
		or is($got{host_name($other[0])},
		      $wanted[kind_of($other[0]) - 1], 'the first');
	for my $table ('ios', 'segments') {
		my $key = $table eq 'ios' ? 'trace, id' : 'trace, segment, dev';
		my ($all, $once) = split /\t/, $servers->ask($number,
			"SELECT count(), uniqExact($key) FROM $table");
		is($all, $once + 0, "... no row of $table is there twice");
	}
	my $ios = $servers->ask($number, 'SELECT host, count() FROM ios
		GROUP BY host ORDER BY host');
	my $sums = $servers->ask($number, "SELECT host, sum(count) FROM latency
		WHERE phase = 'q2c' GROUP BY host ORDER BY host");
	is($ios, $sums, '... as many rows as btstat counts');
	my $cells = 'SELECT host, disk, op, phase, low_ns, sum(count),
		sum(sum_ns), sum(sum_bytes) FROM TABLE GROUP BY host, disk, op,
		phase, low_ns ORDER BY host, disk, op, phase, low_ns';
	is($servers->ask($number, $cells =~ s/TABLE/latency_10m/r),
	   $servers->ask($number, $cells =~ s/TABLE/latency/r),
	   '... the roll-up has the same sums');
}

# --- all --------------------------------------------------------------------

make_kind($_) for 1 .. $KINDS;
make_path(map { "$TOP/hosts/" . host_name($_) } 1 .. $HOSTS);
my $full = mount_disk();
mkdir "$TOP/servers" or die;
my $keeper = Suite::ClickHouse::start_keeper("$TOP/keeper");
my $servers = Suite::ClickHouse->start("$TOP/servers", 3, keeper => $keeper);
make_tables($servers, $_) for 0 .. 2;

my $all = 2 * 6 * $MINUTES * $HOSTS;
my $begin = time;
my $collector = start_collector();
my $exporter = start_exporter($servers);
my @ahead = system('faketime -f +0 true 2>/dev/null') == 0 ?
	('env', 'FAKETIME=+2d', 'FAKETIME_DONT_FAKE_MONOTONIC=1', map {
		'LD_PRELOAD=' . s/\s+\z//r } `faketime -f +0 printenv LD_PRELOAD`) : ();

# what happens when this percentage of the segments is there
my @events = (
	[10, 'the exporter is killed', sub {
		end($exporter, 'KILL');
		$exporter = start_exporter($servers);
	}],
	[20, 'the collector is killed', sub {
		kill 'KILL', $collector;
		waitpid $collector, 0;
		$collector = start_collector();
	}],
	[30, 'a server is killed', sub { $servers->kill_one(0) }],
	[40, 'the disk is full', sub {
		return unless $full;
		fill_disk();
		sleep 3;
		unlink "$OUT/filler";
	}],
	[50, 'the server starts again', sub { $servers->start_again(0) }],
	[60, 'the clock is two days ahead', sub {
		end($exporter, 'KILL');
		$exporter = start_exporter($servers, @ahead);
	}],
	[70, 'and right again', sub {
		end($exporter, 'KILL');
		$exporter = start_exporter($servers);
	}],
	[80, 'another server is killed', sub { $servers->kill_one(1) }],
	[90, 'and starts again', sub { $servers->start_again(1) }],
);
my $until = time + (600 + $all / 20) * patience(1);
my $there = 0;
while ($there < $all && time < $until) {
	sleep 0.3;
	$there = count_segments($servers, 2);
	while (@events && 100 * $there >= $all * $events[0][0]) {
		note(sprintf '%.1f s: %d segments: %s', time - $begin, $there,
		     $events[0][1]);
		(shift @events)->[2]->();
	}
}
is($there, $all, 'all segments arrive');
is(scalar @events, 0, '... whatever happens meanwhile');
note(sprintf '%.1f s for %d segments of %d hosts', time - $begin, $all / 2,
     $HOSTS);
is(waitpid($collector, 0), $collector, 'the collector has ended');
same_replica($servers, $_) for 0, 1;
my @wanted = map { wanted($_) } 1 .. $KINDS;
compare($servers, $_, @wanted) for 0 .. 2;
end($exporter, 'TERM');
diag(slurp("$TOP/messages")) unless Test::More->builder->is_passing;
system('umount', $OUT) if $full;
done_testing();
