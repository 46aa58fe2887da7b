#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The dashboards of doc/dashboards: Grafana would load them, and a real ClickHouse
# answers what their panels ask, as it should of rows that are made here.
#
#	BIN=DIR prove tests/dashboards.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename 'basename';
use File::Temp 'tempdir';
use JSON::PP;
use Suite::ClickHouse;
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('dashboards.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my @FILES = sort glob "$HERE/../doc/dashboards/*.json";

# --- what they are ----------------------------------------------------------

sub texts_of
{
	my ($d) = @_;
	return ((map { $_->{targets}[0]{rawSql} } @{$d->{panels}}),
		(map { $_->{definition} // () } @{$d->{templating}{list}}));
}

sub test_shape
{
	my ($name, $d) = @_;
	my %taken;
	my %there = map { $_->{name} => 1 } @{$d->{templating}{list}};

	cmp_ok(scalar @{$d->{panels}}, '>=', 8, "$name: panels");
	for my $panel (@{$d->{panels}}) {
		my ($x, $y, $w, $h) = @{$panel->{gridPos}}{qw(x y w h)};
		my @over = grep { $taken{$_}++ } map { my $row = $_;
			map { "$_,$row" } $x .. $x + $w - 1 } $y .. $y + $h - 1;
		ok(!@over && $x + $w <= 24, "$name: $panel->{title}: its place");
		ok(length $panel->{description}, '... and what it is');
		is($panel->{targets}[0]{datasource}{uid}, '${datasource}',
		   '... of the source that was chosen');
	}
	my @unset = grep { !/^__/ && !$there{$_} }
		map { /\$\{(\w+)/g } texts_of($d);
	is("@unset", '', "$name: each variable is there");
	my @links = map { @{$_->{fieldConfig}{defaults}{links} // []} }
		@{$d->{panels}};
	my @leads = map { $_->{url} =~ m{^/d/([\w-]+)} } @links;
	my %uids = map { decode_json(slurp($_))->{uid} => 1 } @FILES;
	is(join(' ', grep { !$uids{$_} } @leads), '',
	   '... and links lead to one of these');
}

# --- rows -------------------------------------------------------------------

my $M = 1_800_000_000_000_000_000;	# a whole hour, and day
my $MIN = 60_000_000_000;
my $MS = 1_000_000;

# 100 or more I/Os of each disk: most at 1 ms, one in fifty at its slow time
my @DISKS = (['a', 'sda', 10], ['a', 'sdb', 20], ['b', 'sda', 400],
	     ['c', 'sda', 10]);

sub latency_rows
{
	my @rows;

	for my $d (@DISKS) {
		my ($host, $disk, $slow) = @$d;
		for my $minute (0, 1, 60) {
			for my $cell (['postgres', 1, 98], ['backup', $slow, 2]) {
				my ($class, $ms, $n) = @$cell;
				my ($low, $high) = ($ms * $MS - 1000, $ms * $MS);
				push @rows, map { join "\t", $host, $disk,
					'read', $_, $low, $high, $n, 'f' x 16,
					'8:0', $M + $minute * $MIN, $class,
					$n * $high, $n * 4096, $low, $high, 1 }
					qw(q2c d2c);
			}
		}
	}
	return join '', map { "$_\n" } @rows;
}

sub segment_rows
{
	my @rows;

	for my $d (['a', 'sda', 0, '\N', 0], ['a', 'sdb', 3, 500 * $MS, 7],
		   ['b', 'sda', 5, 90_000 * $MS, 0]) {
		my ($host, $disk, $open, $oldest, $dropped) = @$d;
		for my $at (0, 1) {
			push @rows, join "\t", $host, 'f' x 16, $at + 1, $disk,
				'8:0', '\N', $M + $at * $MIN,
				$M + ($at + 1) * $MIN, 100, 100, 409600,
				100 * $MS, $at, $at ? $open : 9,
				$at ? $oldest : 99_000 * $MS, $dropped, 1;
		}
	}
	return join '', map { "$_\n" } @rows;
}

# rows of ios: names of columns that matter, others as they come
sub io_rows
{
	my ($columns) = @_;
	my @ios = ({ id => 1, total_ns => 5 * $MS, d2c_ns => 4 * $MS,
		     process => 'postgres' },
		   { id => 2, total_ns => 9 * $MS, process => undef },
		   { id => 3, kind => 'part', total_ns => 99 * $MS },
		   { id => 4, ended => 'open' });
	my %all = (host => 'a', disk => 'sda', dev => '8:0', kind => 'io',
		   op => 'read', flags => 'R', sector => 8, bytes => 4096,
		   pid => 1, queue_cpu => 0, unix_ns => $M + 5, time_ns => 5,
		   birth => 'Q', ended => 'C', error => 0, issues => 1,
		   requeues => 0, gap => 0, events => 4, trace => 'f' x 16,
		   sure => 1, segment => 1);
	return join '', map { my %io = (%all, %$_);
		join("\t", map { $io{$_} // '\N' } @$columns) . "\n" } @ios;
}

# --- answers ----------------------------------------------------------------

# what each panel answers about them, with points of an hour
my $D0 = '2027-01-15 08:00:00';
my $D1 = '2027-01-15 09:00:00';
my %ANSWERS = (
	'fleet.json' => {
		'Hosts by hour' => [map { [@$_] }
			([$D0, 'b', 200, 1, 400, 400], [$D1, 'b', 100, 1, 400, 400],
			 [$D0, 'a', 400, 1, 10, 20], [$D1, 'a', 200, 1, 10, 20],
			 [$D0, 'c', 200, 1, 10, 10], [$D1, 'c', 100, 1, 10, 10])],
		'p99 of all hosts' => [[$D0, 'read', 10], [$D1, 'read', 10]],
		'Slowest disks, compared with their peers' => [
			['b', 'sda', 'read', 300, 400, 10, 40],
			['a', 'sdb', 'read', 300, 20, 10, 2],
			['a', 'sda', 'read', 300, 10, 10, 1],
			['c', 'sda', 'read', 300, 10, 10, 1]],
		'In flight, and hung' => [['b', 'sda', 5, 90,
					   '2027-01-15 08:02:00']],
		'I/Os a second' => [[$D0, 'read', 800 / 3600],
				    [$D1, 'read', 400 / 3600]],
		'Bytes a second' => [[$D0, 'read', 800 * 4096 / 3600],
				     [$D1, 'read', 400 * 4096 / 3600]],
		'Events lost' => [[$D0, 14, 6]],
		'Loss and delay by host' => [
			['a', '2027-01-15 08:02:00', 14, 4, 2],
			['b', '2027-01-15 08:02:00', 0, 2, 1]],
	},
	'host.json' => {
		'Latency by disk: p50' => [[$D0, 'sda', 1], [$D0, 'sdb', 1],
					   [$D1, 'sda', 1], [$D1, 'sdb', 1]],
		'Latency by disk: p99' => [[$D0, 'sda', 10], [$D0, 'sdb', 20],
					   [$D1, 'sda', 10], [$D1, 'sdb', 20]],
		'At the device: p99' => [[$D0, 'sda', 10], [$D0, 'sdb', 20],
					 [$D1, 'sda', 10], [$D1, 'sdb', 20]],
		'Latency' => [[$D0, 0.524288, 392], [$D0, 8.388608, 4],
			      [$D0, 16.777216, 4], [$D1, 0.524288, 196],
			      [$D1, 8.388608, 2], [$D1, 16.777216, 2]],
		'Processes' => [['postgres', 'read', 588, 588 * 4096, 1, 1, 0.588],
				['backup', 'read', 12, 12 * 4096, 10, 20, 0.18]],
		'In flight' => [[$D0, 'sda', 9, 99], [$D0, 'sdb', 9, 99]],
		'Bytes a second' => [map { [@$_] }
			([$D0, 'sda', 'read', 200 * 4096 / 3600],
			 [$D0, 'sdb', 'read', 200 * 4096 / 3600],
			 [$D1, 'sda', 'read', 100 * 4096 / 3600],
			 [$D1, 'sdb', 'read', 100 * 4096 / 3600])],
		'Slowest I/Os' => [
			[$D0, 'sda', 'read', '', 8, 4096, 9, 0, 'f' x 16, 2],
			[$D0, 'sda', 'read', 'postgres', 8, 4096, 5, 4,
			 'f' x 16, 1]],
	},
);

my %VALUES = (__from => int($M / $MS), __to => int(($M + 120 * $MIN) / $MS),
	      bucket => 3600, host => "'a'", disk => "'sda','sdb'",
	      op => "'read','write'");

sub filled
{
	my ($sql) = @_;
	return $sql =~ s/\$\{(\w+)(?::singlequote)?\}/$VALUES{$1}/gr;
}

# numbers as both have them
sub plain
{
	return join "\n", map { join "\t", map { /\A-?\d+(?:\.\d+)?(?:e-?\d+)?\z/ ?
		sprintf('%.6g', $_) : $_ } @$_ } @_;
}

sub test_answers
{
	my ($server, $name, $d) = @_;

	for my $panel (@{$d->{panels}}) {
		my $text = eval { $server->ask(0,
			filled($panel->{targets}[0]{rawSql})) } // $@;
		my @rows = map { [split /\t/, $_, -1] } split /\n/, $text;
		is(plain(@rows), plain(@{$ANSWERS{$name}{$panel->{title}}}),
		   "$name: $panel->{title}");
	}
	for my $variable (grep { $_->{definition} } @{$d->{templating}{list}}) {
		my $text = eval { $server->ask(0,
			filled($variable->{definition})) } // $@;
		like($text, qr/\A(?:\w+\n)+\z/, "$name: values of $variable->{name}");
	}
}

is(scalar @FILES, 2, 'dashboards');
test_shape(basename($_), decode_json(slurp($_))) for @FILES;
SKIP: {
	my $why = Suite::ClickHouse::hindrance();
	skip $why, 1 if $why;
	$SIG{$_} = sub { exit 1 } for qw(INT TERM HUP);
	mkdir "$TOP/servers" or die;
	my $server = Suite::ClickHouse->start("$TOP/servers", 1);
	my $ddl = run_command('btexport --schema=clickhouse', $TOP,
			      $PROGRAMS)->{out};
	$ddl =~ s/^-- On the node that.*//ms;
	$server->ask(0, $_) for grep { /\S/ } split /;/, $ddl =~ s/^--.*\n//mgr;
	my @columns = split /\n/, $server->ask(0, "SELECT name FROM
		system.columns WHERE table = 'ios' AND database = 'default'");
	my %rows = (latency => latency_rows(), segments => segment_rows(),
		    ios => io_rows(\@columns));
	for my $table (sort keys %rows) {
		spew("$TOP/$table.tsv", $rows{$table});
		$server->ask(0, "INSERT INTO $_ FORMAT TSV",
			     input => "$TOP/$table.tsv")
			for $table, $table eq 'latency' ? 'latency_10m_in' : ();
	}
	test_answers($server, basename($_), decode_json(slurp($_))) for @FILES;
}
done_testing();
