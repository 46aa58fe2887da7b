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
use Suite::Run 'find_programs';
use Test::More;

my $HERE = $FindBin::Bin;
my $ASK = abs_path($ENV{SQL} || ($ENV{UNITS} ?
	dirname($ENV{UNITS}) . '/sql' : "$HERE/../build/tests/sql")) . '/ask';
my $TOP = tempdir('sql.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $NO_LIBRARY = 77;
my $PROGRAM = find_programs(abs_path($ENV{BIN} || "$HERE/.."))->{path} . '/btexport';

# the recorded tables, unpacked
my @FILES = map {
	my $path = "$TOP/" . basename($_) =~ s/\.xz\z//r;
	spew($path, read_kept(s/\.xz\z//r));
	$path
} sort glob "$HERE/export/golden/*.{ios.csv,latency.tsv}.xz";

# what they cover, as the table segments has it
sub covered
{
	my ($to, @files) = @_;
	my %covers;

	for my $file (grep { /\.ios\.csv\z/ } @files) {
		my ($names, @rows) = map { [split /,/, $_, -1] }
			split /\n/, slurp($file);
		my %at = map { $names->[$_] => $_ } 0 .. $#$names;
		for my $r (@rows) {
			my ($host, $trace, $dev, $from, $total) = @$r[@at{
				qw(host trace dev unix_ns total_ns)}];
			my $its = $covers{"$host\t$trace\t$dev"} //=
				[$from, 0];
			my $until = $from + ($total || 0);
			$its->[0] = $from if $from < $its->[0];
			$its->[1] = $until if $until > $its->[1];
		}
	}
	spew($to, "host\ttrace\tdev\tfrom_unix_ns\tto_unix_ns\n" . join '',
	     map { "$_\t$covers{$_}[0]\t$covers{$_}[1]\n" } sort keys %covers);
	return $to;
}

push @FILES, covered("$TOP/all.segments.tsv", @FILES);

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
	"SELECT sum(count) FROM latency WHERE phase != \\"d2c\\"",
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
	throughput => 'SELECT host, disk, at_unix_ns, op, ios, bytes
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

# --- traces of one host -----------------------------------------------------

my ($gamma) = grep { /gamma\.ios/ } @FILES;
my ($names, @ROWS) = map { [split /,/, $_, -1] } split /\n/, slurp($gamma);
my %AT = map { $names->[$_] => $_ } 0 .. $#$names;

# rows of gamma, as of another trace that began ns later
sub moved
{
	my ($name, $trace, $ns, @rows) = @_;
	my @moved = map { [@$_] } @rows;

	for my $row (@moved) {
		$row->[$AT{unix_ns}] += $ns;
		$row->[$AT{trace}] = $trace;
	}
	spew("$TOP/$name.ios.csv", join '', map { join(',', @$_) . "\n" }
	     $names, @moved);
	return "$TOP/$name.ios.csv";
}

# One a day later: answers about time have the rows of both.
my $DAY = 86_400_000_000_000;
my $again = moved('again', 'f' x 16, $DAY, @ROWS);
for my $name (qw(throughput heatmap)) {
	my @one = ask('-', $name, $gamma) =~ /^.*\n/mg;
	is(join('', sort split /^/, ask('-', $name, $gamma, $again)),
		join('', sort map { ($_, s/\b(\d{19})\b/$1 + $DAY/er) } @one),
		"$name: of both traces of a host");
}
is(ask('-', 'depth', $gamma, $again), ask('-', 'depth', $gamma),
	'depth: of both, while they were traced');
is(ask('-', 'SELECT count(*), count(DISTINCT trace || id) FROM ios',
	$gamma, $again), "322\t322\n", 'trace and id are a key');
is(ask('-', 'SELECT sum(ios) FROM ready_latency', $gamma, $again), "322\n",
	'latency: of both');

# The same time again: a second tracer, which saw all a microsecond later, and a
# third from the middle on.
my $later = moved('later', 'f' x 16, 1000, @ROWS);
my @sorted = sort { $a->[$AT{unix_ns}] <=> $b->[$AT{unix_ns}] } @ROWS;
my $half = moved('half', 'e' x 16, 2000, @sorted[80 .. $#sorted]);
for my $name (grep { $_ ne 'merged' } sort keys %answers) {
	is(ask('-', $name, $gamma, $later, $half), ask('-', $name, $gamma),
		"$name: of three traces that overlap, as of one");
}

# The first part, and a second tracer from before its end on.
my ($A, $B) = ('a' x 16, 'b' x 16);
my @parts = (moved('first', $A, 0, @sorted[0 .. 99]),
	     moved('rest', $B, 0, @sorted[60 .. $#sorted]));
my $sums = 'SELECT count(*), sum(total_ns), sum(sector) FROM';
is(ask('-', "$sums ios_once", @parts),
	ask('-', "$sums ios WHERE trace = '$A' OR unix_ns > (SELECT
	max(unix_ns + total_ns) FROM ios WHERE trace = '$A')", @parts),
	'... of two that overlap in part, of the later one what comes after');

# Histograms, to the minute: of two traces that overlap those of the first, of
# two that follow each other all.
my ($cells) = grep { /gamma\.latency/ } @FILES;
my $second = "$TOP/second.latency.tsv";
my $id = $ROWS[0][$AT{trace}];
spew($second, slurp($cells) =~ s/\b$id\b/'f' x 16/ger);
my @first = ($cells, covered("$TOP/one.segments.tsv", $gamma));
is(ask('-', 'merged', $cells, $second, covered("$TOP/two.segments.tsv", $gamma,
	$later)), ask('-', 'merged', @first),
	'merged: of two traces that overlap, as of one');
is(ask('-', 'SELECT sum(ios) FROM ready_merged', $cells, $second,
	covered("$TOP/two.segments.tsv", $gamma, $again)), "322\n",
	'... of two that follow each other, all');

# --- tables of schema 1 -------------------------------------------------------

# A database that an older btexport made, upgraded as --upgrade says, has the
# tables and views of a new one, and the same answers.
SKIP: {
	skip 'no python3', 8 if system('python3 -c "import sqlite3" 2>/dev/null');
	my @old = map {
		my $path = "$TOP/old." . basename($_) =~ s/\.xz\z//r;
		spew($path, read_kept(s/\.xz\z//r));
		$path
	} sort glob "$HERE/sql/schema-1/*.xz";
	my @new = grep { /gamma/ } @FILES;
	spew("$TOP/upgrade.py", <<'END');
import csv, sqlite3, subprocess, sys
btexport, fresh, to, *files = sys.argv[1:]
schema = subprocess.run([btexport, "--schema=sqlite"], check=True,
	stdout=subprocess.PIPE, text=True).stdout
upgrade = subprocess.run([btexport, "--upgrade=sqlite"], check=True,
	stdout=subprocess.PIPE, text=True).stdout
def tables(db):
	names = [r[0] for r in db.execute("SELECT name FROM sqlite_master ORDER BY 1")
		if r[0] not in ("events", "meta")]
	return [(n, [tuple(c[1:4]) for c in db.execute("PRAGMA table_info(" + n + ")")])
		for n in names]
new = sqlite3.connect(fresh)
new.executescript(schema)
db = sqlite3.connect(to)
for path in files:
	tab = path.endswith(".tsv")
	with open(path) as f:
		rows = list(csv.reader(f, delimiter="\t" if tab else ","))
	kind = "latency" if tab else "ios"
	new_columns = {c[1]: c for c in new.execute("PRAGMA table_info(" + kind + ")")}
	db.execute("CREATE TABLE " + kind + " (" + ",".join('"%s" %s%s' % (n,
		new_columns[n][2], " NOT NULL" if new_columns[n][3] else "")
		for n in rows[0]) + ") STRICT")
	db.executemany("INSERT INTO " + kind + " VALUES (" +
		",".join("?" * len(rows[0])) + ")",
		[[None if v == "" else v for v in r] for r in rows[1:]])
db.commit()
db.executescript(upgrade)
print("schema", db.execute("PRAGMA user_version").fetchone()[0])
for a, b in zip(tables(new), tables(db)):
	if a != b:
		print("differs:", a, b)
for name in ("latency", "depth", "throughput", "heatmap", "slo", "merged"):
	print(name, *db.execute("SELECT * FROM ready_" + name))
print(*db.execute("SELECT ios, sum_bytes, io_rows, dev FROM segments"))
END
	my $text = `python3 $TOP/upgrade.py $PROGRAM $TOP/new.sqlite $TOP/old.sqlite @old`;
	like($text, qr/\Aschema 2\nlatency /, 'schema 1, upgraded, is schema 2');
	for my $name (qw(latency depth throughput heatmap slo merged)) {
		my ($got) = $text =~ /^$name (.*)$/m;
		my $want = join ' ', map { '(' . join(', ', map { /\A-?\d+\z/ ? $_ :
			"'$_'" } split /\t/) . ')' } split /\n/,
			ask('-', $name, @new, covered("$TOP/g.segments.tsv", @new));
		is($got, $want, "... $name: answered alike");
	}
	like($text, qr/^\(161, \d+, 161, '254:0'\)$/m, '... what was covered');
}

# --- for people -------------------------------------------------------------

is(ask('-', '=depth', @FILES), <<'END', 'a table for people');
host  disk most mean
alpha vda     4 0.54
alpha vdb     4 0.34
beta  vda     8 0.41
gamma vda     4 0.38
END

done_testing();
