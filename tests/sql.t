#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The ready queries, and what is in a database beside tables.
#
#	make sql-programs; SQL=build/tests/sql prove tests/sql.t
#
# Recorded tables of three hosts (export/golden) are loaded by emit/sqlite and
# asked each ready query; answers are compared with those in sql/answers, which
# Python computed from the rows without any SQL.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename qw(basename dirname);
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew read_kept);
use Test::More;

my $HERE = $FindBin::Bin;
my $ASK = abs_path($ENV{SQL} || ($ENV{UNITS} ?
	dirname($ENV{UNITS}) . '/sql' : "$HERE/../build/tests/sql")) . '/ask';
my $TOP = tempdir('sql.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $NO_LIBRARY = 77;

# the recorded tables, unpacked
my @FILES = map {
	my $path = "$TOP/" . basename($_) =~ s/\.xz\z//r;
	spew($path, read_kept(s/\.xz\z//r));
	$path
} sort glob "$HERE/export/golden/*.{ios.csv,latency.tsv}.xz";

# what ask prints, as one text
sub ask
{
	my ($database, $question, @files) = @_;
	open my $in, '-|', $ASK, $database, $question, @files
		or die "$ASK: $!\n";
	local $/;
	my $text = <$in>;
	close $in or return "status $?";
	return $text;
}

system($ASK, '-', 'SELECT 1 WHERE 0') == $NO_LIBRARY << 8 and
	plan skip_all => 'built without SQLite';

my %answers = map { basename($_, '.tsv') => slurp($_) }
	glob "$HERE/sql/answers/*.tsv";
is(keys %answers, 12, 'twelve answers');

my $database = "$TOP/all.sqlite";
is(ask($database, 'SELECT count(*) FROM ios', @FILES), "1112\n",
	'three hosts in one file');

for my $name (sort keys %answers) {
	is(ask('-', $name, @FILES), $answers{$name}, "$name: in memory");
	is(ask('-', "SELECT * FROM ready_$name", @FILES), $answers{$name},
		"$name: the view of a file");
	is(ask('-', "-$name", @FILES), $answers{$name},
		"$name: of the columns that it names");
	my $text = ask('-', "=$name", @FILES);
	is(() = $text =~ /\n/g, 1 + (() = $answers{$name} =~ /\n/g),
		"$name: as a table with a heading");
}

# --- the file ---------------------------------------------------------------

# read by another program than wrote it
SKIP: {
	skip 'no python3', 1 if system('python3 -c "import sqlite3" 2>/dev/null');
	my $text = `python3 -c '
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for question in ("PRAGMA integrity_check", "PRAGMA user_version",
	"PRAGMA application_id", "SELECT count(*) FROM ios",
	"SELECT sum(count) FROM latency WHERE phase = \\"total\\"",
	"SELECT count(*) FROM requests"):
	print(*db.execute(question).fetchone())' $database`;
	is($text, "ok\n1\n1651272564\n1112\n1112\n939\n",
		'python reads the file');
}
is(ask('-', "SELECT count(*) FROM sqlite_master WHERE name IN ('ios_time',
	'requests', 'latency_percentiles', 'throughput', 'depth', 'slowest',
	'seeks')", @FILES), "7\n", 'its index and views are there');

# a view has what the query has that is about the same
my %VIEWS = (
	latency => 'SELECT * FROM latency_percentiles',
	throughput => 'SELECT host, trace, disk, second, op, ios, bytes
		FROM throughput',
	depth => 'SELECT * FROM depth',
	slowest => 'SELECT host, disk, op, process, sector, bytes, total_ns,
		time_ns, trace FROM slowest LIMIT 10',
);
for my $name (sort keys %VIEWS) {
	is(join('', sort split /^/, ask('-', $VIEWS{$name}, @FILES)),
		join('', sort split /^/, $answers{$name}),
		"the view for $name");
}
is(ask('-', 'SELECT host, disk, op, n, sequential FROM seeks
	ORDER BY 1, 2, 3', @FILES), $answers{seeks} =~ s/\t\d+$//mgr,
	'the view for seeks');
is(ask('-', 'SELECT count(*) FROM requests WHERE id != rq', @FILES), "0\n",
	'requests are rows of their own');

# --- two traces of one host --------------------------------------------------

# Answers about both at once: what is about the time of a trace or its depth has
# a row of each, what is about its I/Os has twice as many.
my ($gamma) = grep { /gamma\.ios/ } @FILES;
my $again = "$TOP/again.ios.csv";
spew($again, slurp($gamma) =~ s/gamma\.2026/gamma.2027/gr);
for my $name (qw(depth throughput heatmap)) {
	my @one = ask('-', $name, $gamma) =~ /^.*\n/mg;
	is(join('', sort split /^/, ask('-', $name, $gamma, $again)),
		join('', sort map { ($_, s/gamma\.2026/gamma.2027/r) } @one),
		"$name: of each of two traces of a host");
}
is(ask('-', 'SELECT count(*), count(DISTINCT trace || id) FROM ios',
	$gamma, $again), "322\t322\n", 'trace and id are a key');
is(ask('-', 'SELECT sum(ios) FROM ready_latency', $gamma, $again), "322\n",
	'latency: of both');

# --- for people -------------------------------------------------------------

is(ask('-', '=depth', @FILES), <<'END', 'a table for people');
host  trace                           disk most mean
alpha alpha.20261120T055354.922374920 vda     4 0.54
alpha alpha.20261120T055354.922374920 vdb     4 0.34
beta  beta.20261120T060644.832724930  vda     8 0.41
gamma gamma.20261120T055448.833830020 vda     4 0.38
END

done_testing();
