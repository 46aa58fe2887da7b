#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Three servers of ClickHouse, a recorded trace on each as on a host of its own.
#
#	BIN=DIR prove tests/clickhouse.t
#
# The tables of doc/sql take btexport's TSV and give back the same values, hostile
# names too.  The ready queries have the same answers over the cluster and on one
# server, and SQLite has them for other traces.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Basename 'basename';
use File::Temp 'tempdir';
use Names qw(hostile_names hostile_trace);
use Suite::ClickHouse;
use Suite::Files qw(slurp spew read_kept unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('clickhouse.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my $why = Suite::ClickHouse::hindrance();
plan skip_all => $why if $why;
$SIG{$_} = sub { exit 1 } for qw(INT TERM HUP);

my @TABLES = qw(ios latency events meta segments commits capacity cache);
my @HOSTS = qw(alpha beta gamma);
my %TRACES = (alpha => 'dm-linear-3dev', beta => 'smp4-mixed-procs',
	gamma => 'cgroup-mqdl');

# asked by SQLite, too: merges, flushes, discards, errors, a mirror's parts
my @OTHERS = qw(md-raid1-3dev ext4-fsync-meta discard-zeroes k612-dm-errors);

mkdir "$TOP/servers" or die "$TOP/servers: $!\n";
my $servers = Suite::ClickHouse->start("$TOP/servers", scalar @HOSTS);

# --- tables -----------------------------------------------------------------

# a file of statements, without its comments
sub statements
{
	return grep { /\S/ } split /;/, $_[0] =~ s/^--.*\n//mgr;
}

# those for every server, and those for the one that is asked
my ($own, $common) = map { [statements($_)] } split /^-- On the node that.*\n/m,
	slurp("$HERE/../doc/sql/clickhouse-tables.sql");

sub output
{
	my ($command) = @_;
	my $got = run_command($command, $TOP, $PROGRAMS);

	is($got->{rc}, 0, $command) or diag($got->{err});
	return $got->{out};
}

sub unpack_host
{
	my ($host, $trace) = @_;
	mkdir "$TOP/$host" or die "$TOP/$host: $!\n";
	unpack_set("$HERE/data/$trace", "$TOP/$host");
}

# a table of an input to a server, as README says; its file
sub load
{
	my ($number, $table, $input, %how) = @_;
	my $file = "$TOP/" . basename($input) . ".$table.tsv";

	output("btexport --table=$table -o '$file' '$input'")
		unless -e $file;
	$servers->ask($number, "INSERT INTO $table FORMAT TSVWithNames", %how,
		      input => $file);
	return $file;
}

# what is asked of all servers, of one that has everything itself
sub of_one
{
	my ($statement) = @_;
	return $statement =~ s/\b(ios|latency|segments)_all\b/$1/gr;
}

# as on every server; in a database of its own with the views, too
sub make_tables
{
	my ($number, %how) = @_;

	$servers->ask($number, $_, %how) for @$own;
	return unless $how{database};
	$servers->ask($number, of_one($_), %how) for grep { /CREATE VIEW/ }
		@$common;
}

# rows in an order that all have, with what is escaped as it was
sub rows
{
	my %back = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t",
		    0 => "\0", N => '\N');
	my @lines = split /\n/, $_[0];
	return join "\n", sort map { s/\\(.)/$back{$1} \/\/ $1/ger } @lines;
}

sub test_values
{
	for my $number (0 .. $#HOSTS) {
		my $host = $HOSTS[$number];
		unpack_host($host, $TRACES{$host});
		make_tables($number);
		for my $table (@TABLES) {
			my $file = load($number, $table, $host);
			my $got = $servers->ask($number,
				"SELECT * FROM $table FORMAT TSVWithNames");
			is(rows($got), rows(slurp($file)),
			   "$host: what comes out of $table went in");
		}
	}
}

# The same rows as RowBinary, those with names that hurt, too.
sub test_rowbinary
{
	mkdir "$TOP/hostile" or die "hostile: $!\n";
	spew("$TOP/hostile/sda.blktrace.0", hostile_trace());
	$servers->ask(0, 'CREATE DATABASE binary');
	make_tables(0, database => 'binary');
	for my $host ('alpha', 'hostile') {
		for my $table (@TABLES) {
			my $file = "$TOP/$host.$table.rowbinary";
			output("btexport --table=$table -o '$file' '$host'");
			$servers->ask(0, "TRUNCATE TABLE $table",
				      database => 'binary');
			-s $file and $servers->ask(0,
				"INSERT INTO $table FORMAT RowBinary",
				      database => 'binary', input => $file);
			is(rows($servers->ask(0, "SELECT * FROM $table
				FORMAT TSVWithNames", database => 'binary')),
			   rows(output("btexport --table=$table --format=tsv"
				. " '$host'")), "$host: $table as rowbinary");
		}
	}
}

# --- ready queries ----------------------------------------------------------

# name => statement
sub queries
{
	my (undef, %found) = split /^-- name: (\w+)\n/m,
		output('btexport --queries=clickhouse');
	return map { $_ => join '', statements($found{$_}) } keys %found;
}

my %queries = queries();
my %of_gamma;			# answers about gamma alone

# only a ranking has an order: others sort what is unknown differently
sub answer
{
	my ($name, $text) = @_;
	return $name eq 'slowest' ? $text : join '', sort split /^/, $text;
}

# what a server says that has all rows itself
sub alone
{
	my ($number, $name, $database) = @_;
	return answer($name, $servers->ask($number, of_one($queries{$name}),
					   database => $database));
}

sub test_answers
{
	my %answers = map { basename($_, '.tsv') => slurp($_) }
		glob "$HERE/sql/answers/*.tsv";

	is(join(' ', sort keys %queries), join(' ', sort keys %answers),
	   'twelve queries');
	$servers->ask(0, $_) for @$common;
	$servers->ask(0, 'CREATE DATABASE alone');
	make_tables(0, database => 'alone');
	for my $host (@HOSTS) {
		load(0, $_, $host, database => 'alone') for qw(ios latency segments);
	}
	for my $name (sort keys %answers) {
		my $expected = answer($name, $answers{$name});
		is(answer($name, $servers->ask(0, $queries{$name})), $expected,
		   "$name: of three servers");
		is(alone(0, $name, 'alone'), $expected, "$name: of one");
	}
}

# the same answers as in the program
sub test_others
{
	for my $i (0 .. $#OTHERS) {
		my ($number, $trace) = ($i % @HOSTS, $OTHERS[$i]);
		my $database = $trace =~ tr/-/_/r;
		unpack_host($trace, $trace);
		$servers->ask($number, "CREATE DATABASE $database");
		make_tables($number, database => $database);
		load($number, $_, $trace, database => $database)
			for qw(ios latency segments);
		for my $name (sort keys %queries) {
			my $expected = output("btexport --query=$name" .
				" --format=tsv --no-header $trace");
			is(alone($number, $name, $database),
			   answer($name, $expected), '... in ClickHouse');
		}
	}
}

# rows of a file, as of another trace that saw all ns later
sub moved
{
	my ($file, $ns) = @_;
	my ($names, @rows) = map { [split /\t/, $_, -1] } split /\n/,
		slurp($file);
	my %at = map { $names->[$_] => $_ } 0 .. $#$names;

	for my $row (@rows) {
		$row->[$at{trace}] = 'f' x 16;
		$row->[$at{$_}] += $ns for grep { exists $at{$_} }
			qw(unix_ns from_unix_ns to_unix_ns);
	}
	spew("$TOP/moved.tsv", join '', map { join("\t", @$_) . "\n" }
	     $names, @rows);
	return "$TOP/moved.tsv";
}

# Two traces of one device in a table: at the same time, they have the answers
# of one.
sub test_two_traces
{
	my @tables = qw(ios latency segments);

	$servers->ask(0, 'CREATE DATABASE two');
	make_tables(0, database => 'two');
	my %files = map { $_ => load(0, $_, 'gamma', database => 'two') }
		@tables;
	%of_gamma = map { $_ => alone(0, $_, 'two') } keys %queries;
	$servers->ask(0, "INSERT INTO $_ FORMAT TSVWithNames",
		database => 'two', input => moved($files{$_}, 1000))
		for @tables;
	is(alone(0, $_, 'two'), $of_gamma{$_},
	   "$_: of two that overlap, as of one") for sort keys %of_gamma;
}

# Tables of schema 1, upgraded as --upgrade says, are those of schema 2, and the
# queries have the same answers.
sub test_upgrade
{
	my %how = (database => 'old');
	my ($old) = split /^-- On the node that.*\n/m,
		slurp("$HERE/sql/schema-1/clickhouse.sql");
	my $shape = 'SELECT table, name, type FROM system.columns WHERE database';

	$servers->ask(0, 'CREATE DATABASE old');
	$servers->ask(0, $_, %how) for statements($old);
	for my $table (qw(ios latency)) {
		my ($kept) = glob "$HERE/sql/schema-1/gamma.$table.*.xz";
		my $file = "$TOP/old.$table";
		my $format = $kept =~ /\.csv\b/ ? 'CSVWithNames' : 'TSVWithNames';
		# an empty field of CSV would be 0
		spew($file, read_kept($kept =~ s/\.xz\z//r));
		spew($file, join '', map { my $l = $_; chomp $l; join("\t", map {
			length ? $_ : '\N' } split /,/, $l, -1) . "\n" }
			split /^/, slurp($file)) if $format eq 'CSVWithNames';
		$servers->ask(0, "INSERT INTO $table FORMAT TSVWithNames", %how,
			      input => $file);
	}
	$servers->ask(0, of_one($_), %how) for grep { !/_all\b/ || /CREATE VIEW/ }
		statements(output('btexport --upgrade=clickhouse'));
	is($servers->ask(0, "$shape = 'old' AND table NOT LIKE '%overlap'
		ORDER BY table, name"),
	   $servers->ask(0, "$shape = 'alone' AND table NOT LIKE '%overlap'
		ORDER BY table, name"), 'upgraded tables are as new ones');
	for my $name (grep { !/slowest|open/ } sort keys %queries) {
		is(alone(0, $name, 'old'), $of_gamma{$name},
		   "... $name: answered alike");
	}
}

# --- names ------------------------------------------------------------------

sub test_names
{
	mkdir "$TOP/a host" or die "a host: $!\n";
	spew("$TOP/a host/sda.blktrace.0", hostile_trace());
	$servers->ask(0, 'CREATE DATABASE names');
	make_tables(0, database => 'names');
	load(0, $_, 'a host', database => 'names') for qw(ios events);
	my $names = join '', map { uc(unpack 'H*', $_) . "\n" } hostile_names();
	is($servers->ask(0, 'SELECT hex(process) FROM ios ORDER BY pid',
			 database => 'names'), $names, 'names that hurt');
	is($servers->ask(0, "SELECT hex(text) FROM events WHERE action = 'm'
			 ORDER BY pid", database => 'names'), $names,
	   'messages that hurt');
	is($servers->ask(0, 'SELECT DISTINCT host FROM ios',
			 database => 'names'), "a_host\n", 'a host with a blank');
}

test_values();
test_rowbinary();
test_answers();
test_two_traces();
test_upgrade();
SKIP: {
	my $got = run_command('btexport --query=depth alpha', $TOP, $PROGRAMS);
	skip 'built without SQLite', 1 if $got->{err} =~ /without SQLite/;
	test_others();
}
test_names();
done_testing();
