#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Every recorded trace, exported in each format that has rows.
#
#	make request-programs; BIN=DIR REQUESTS=build/tests/requests \
#		prove tests/tables.t
#	... prove tests/tables.t :: 'tables/dm-*'
#
# csv = tsv = jsonl = parquet = sqlite, value by value, in each table; ios are
# those of the joiner; SQLite and awk find the same sums of each column.
# So with texts that hurt.  export/same-tables (python3) compares.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use Encode 'decode';
use File::Basename 'dirname';
use File::Temp 'tempdir';
use JSON::PP;
use Names qw(hostile_names hostile_trace);
use Suite::Case 'match';
use Suite::Files qw(files_below slurp spew);
use Suite::Run qw(find_programs has_sqlite run_command);
use Suite::Tap qw(note test_line work_in_order);
use Suite::Traces 'unpack_traces';

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $REQUESTS = abs_path($ENV{REQUESTS} ||
	($ENV{UNITS} ? dirname($ENV{UNITS}) . '/requests' :
	"$HERE/../build/tests/requests"));
my $TOP = tempdir('tables.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my @TABLES = qw(ios latency events meta);
my @FORMATS = qw(csv tsv jsonl parquet);

# in seconds, for a million values on a busy machine
my $PATIENCE = 600;

# The exports that are compared of TRACE, a folder, to DIR; complaints.
sub export_faults
{
	my ($trace, $dir, $with_sqlite) = @_;
	my $input = -e "$trace/pipe.bin" ? "$trace/pipe.bin" : $trace;
	my $tables = join ',', @TABLES;
	my @to = ((map { "--format=$_ -o $_/" } @FORMATS),
		  $with_sqlite ? '-o all.sqlite' : ());
	my %ended;

	for my $to (@to) {
		my $got = run_command("btexport --table=$tables $to '$input'",
				      $dir, $PROGRAMS);
		push @{$ended{$got->{rc}}}, "$to: status $got->{rc}", $got->{err};
	}
	# 1: a damaged trace, exported as far as it can be read
	return map { @$_ } values %ended if keys %ended > 1 ||
		grep { $_ > 1 } keys %ended;
	return ();
}

# what same-tables has to say of the files of a trace
sub compare
{
	my ($dir) = @_;
	local $ENV{TIMEOUT} = $PATIENCE;
	my $got = run_command("'$HERE/export/same-tables' . @TABLES", $dir,
			      $PROGRAMS);
	return "same-tables: $got->{err}" if $got->{rc} || $got->{err} ne '';
	return split /\n/, $got->{out};
}

sub trace_faults
{
	my ($trace, $dir, $with_sqlite) = @_;
	my @faults = export_faults($trace, $dir, $with_sqlite);

	return @faults if @faults;
	my $records = run_command("'$REQUESTS/records' '$trace'", $dir,
				  $PROGRAMS);
	return "records: status $records->{rc}" if $records->{rc};
	spew("$dir/records", $records->{out});
	return compare($dir);
}

# --- names --------------------------------------------------------------------

# What hurts as a text, a host, a disk is the same in all, and is what it was.
sub names_faults
{
	my ($dir, $with_sqlite) = @_;
	my $host = "$TOP/a b,c";

	mkdir $host or die "$host: $!\n";
	spew("$host/sd\xff.blktrace.0", hostile_trace());
	my @faults = trace_faults($host, $dir, $with_sqlite);
	my ($ios) = glob "$dir/jsonl/ios/host=a_b_c/*/*";
	return @faults, 'other names of files' unless $ios;
	my @names = map { $_->{process} } map { decode_json($_) }
		split /\n/, slurp($ios);
	my @wanted = map { decode('UTF-8', $_) } hostile_names();
	return @faults, "@names" eq "@wanted" ? () : "names: @names";
}

# --- the comparison itself --------------------------------------------------

# One that accepts anything would show nothing: a digit of each text, or a value
# of the database, is another one.
sub changed_faults
{
	my ($trace, $dir, $with_sqlite) = @_;
	my @faults = trace_faults($trace, $dir, $with_sqlite);

	for my $path (grep { !m{/manifest/|(?:parquet|sqlite)\z} }
	     files_below($dir)) {
		my $whole = slurp("$dir/$path");
		spew("$dir/$path", $whole =~
		     s/(\d)(?=\D*\z)/($1 + 1) % 10/er);
		push @faults, "$path: another digit" if !compare($dir);
		spew("$dir/$path", $whole);
	}
	return @faults unless $with_sqlite;
	my $changed = run_command("python3 -c '
import sqlite3
db = sqlite3.connect(\"all.sqlite\")
db.execute(\"UPDATE ios SET total_ns = total_ns + 1 WHERE id = rq\")
db.commit()'", $dir, $PROGRAMS);
	push @faults, $changed->{err} if $changed->{rc};
	push @faults, 'SQLite: other values, or other sums, are the same'
		if grep({ /ios sqlite: row/ } compare($dir)) == 0 ||
		grep({ /ios: sums of total_ns/ } compare($dir)) == 0;
	return @faults;
}

# ----------------------------------------------------------------------------

sub bytes_of
{
	my ($dir) = @_;
	my $sum = 0;
	$sum += -s "$dir/$_" for files_below($dir);
	return $sum;
}

sub main
{
	my @globs = @_;
	my $where = unpack_traces($HERE, $SHARED, $TOP);
	my $with_sqlite = has_sqlite($TOP, $PROGRAMS);
	# what takes longest begins first
	my @names = sort { bytes_of($where->{$b}) <=> bytes_of($where->{$a}) }
		keys %$where;
	my @items = match([(map { "tables/$_" } @names), 'names/hostile',
			   'changed/digits'],
			  @globs);
	my ($number, $failed) = (0, 0);

	print '1..', scalar @items, "\n";
	note('built without SQLite: no databases') unless $with_sqlite;
	work_in_order(\@items, sub {
		my ($what, $name) = split m{/}, $_[0];
		return names_faults($_[1], $with_sqlite) if $what eq 'names';
		return changed_faults($where->{'cgroup-mqdl'}, $_[1],
				      $with_sqlite) if $what eq 'changed';
		return trace_faults($where->{$name}, $_[1], $with_sqlite);
	}, sub {
		my ($name, @faults) = @_;
		test_line(++$number, $name, @faults);
		$failed++ if @faults;
	});
	return $failed;
}

exit(main(@ARGV) ? 1 : 0);
