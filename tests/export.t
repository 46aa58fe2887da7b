#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The tables that btexport has, before any format.
#
#	make export-programs request-programs; \
#		EXPORT=build/tests/export REQUESTS=build/tests/requests \
#		prove tests/export.t
#
# golden: what was recorded of three traces that stand for three hosts.  joined:
# on every trace (more of them with ../shared, SHARED) rows of ios are what
# request/ made, value by value, latency adds up to them, and a few columns in
# another order are the same.  names: hostile ones.  doc: doc/schema.md has each
# column.  With UPDATE set (make goldens) that page and what is recorded are
# written anew.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Basename qw(basename dirname);
use File::Temp 'tempdir';
use JSON::PP;
use Records qw(record);
use Suite::Files qw(slurp spew read_kept write_kept unpack_set);
use Suite::Tap qw(work_in_order test_line);
use Suite::Traces 'every_trace';

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PAGE = "$HERE/../doc/schema.md";
my $TOP = tempdir('export.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# where the programs of a kind are
sub programs
{
	my ($kind) = @_;
	return abs_path($ENV{uc $kind} ||
		($ENV{UNITS} ? dirname($ENV{UNITS}) . "/$kind" :
		"$HERE/../build/tests/$kind"));
}

my $told = 0;

sub result
{
	my ($name, @faults) = @_;
	test_line(++$told, $name, @faults);
}

my ($EXPORT, $REQUESTS) = (programs('export'), programs('requests'));

my %HOSTS = (alpha => 'dm-linear-3dev', beta => 'smp4-mixed-procs',
	gamma => 'cgroup-mqdl');

# what a record calls a column of ours otherwise, and has instead of 0
my (%RECORDED, %ZERO);
for (grep { !/^#/ } split /\n/, slurp("$HERE/export/recorded.tsv")) {
	my ($column, $name, $empty) = split /\t/;

	$RECORDED{$column} = $name;
	$ZERO{$column} = defined $empty;
}

# where few columns are held against all: with parts, remaps, flushes, commands
my %CHOSEN = map { $_ => 1 } qw(cgroup-mqdl dm-stripe ext4-fsync-meta
	md-raid1-3dev scsidbg-passthru);

# --- tables -----------------------------------------------------------------

# the lines that a program prints, each a list; dies when it fails
sub rows_of
{
	my @command = @_;

	open my $in, '-|', @command or die "$command[0]: $!\n";
	my @rows = map { chomp; [split /\t/, $_, -1] } <$in>;
	close $in or die "@command: status $?\n";
	return @rows;
}

# names of columns, and rows in which null is an empty text
sub table
{
	my ($kind, $where, @columns) = @_;
	my ($names, @rows) = rows_of("$EXPORT/rows", $kind, $where, @columns);

	return ($names, map { [map { $_ eq '\N' ? '' : $_ } @$_] } @rows);
}

# rows of a text without quotes
sub recorded
{
	my ($name, $separator) = @_;
	my $text = read_kept("$HERE/export/golden/$name") // die "no $name\n";
	my ($names, @rows) = map { [split /$separator/, $_, -1] }
		split /\n/, $text;

	return ($names, @rows);
}

# writes that: nothing is wrong then
sub keep
{
	my ($name, $separator, @rows) = @_;

	write_kept("$HERE/export/golden/$name",
		join '', map { join($separator, @$_) . "\n" } @rows);
	return;
}

sub in_order
{
	my ($names, $key, @rows) = @_;
	my ($column) = grep { $names->[$_] eq $key } 0 .. $#$names;

	return sort { $a->[$column] <=> $b->[$column] } @rows;
}

# what is wrong, row by row, of rows that have a number of their own
sub row_faults
{
	my ($names, $got, $want, $key) = @_;
	my ($column) = grep { $names->[$_] eq $key } 0 .. $#$names;
	my %by_key = map { $_->[$column] => $_ } @$got;
	my @faults;

	push @faults, scalar(@$got) . ' rows, wants ' . scalar(@$want)
		if @$got != @$want;
	for my $row (@$want) {
		my $its = $by_key{$row->[$column]} // [];
		for my $i (0 .. $#$names) {
			next if ($its->[$i] // 'none') eq $row->[$i];
			push @faults, "$key $row->[$column]: $names->[$i] " .
				($its->[$i] // 'none') . ", wants $row->[$i]";
		}
	}
	return @faults[0 .. ($#faults < 5 ? $#faults : 5)];
}

# --- golden -----------------------------------------------------------------

# one host's directory
sub unpack_host
{
	my ($host) = @_;

	mkdir "$TOP/$host" or die "$TOP/$host: $!\n";
	unpack_set("$HERE/data/$HOSTS{$host}", "$TOP/$host");
	return "$TOP/$host";
}

sub golden_faults
{
	my ($where, $kind, $key) = @_;
	my $name = basename($where) . ".$kind.csv";
	my ($names, @want) = recorded($name, ',');
	my ($columns, @got) = table($kind, $where);
	my @faults = "@$columns" ne "@$names" ? "columns: @$columns" :
		row_faults($names, \@got, \@want, $key);

	return @faults unless @faults && $ENV{UPDATE};
	return keep($name, ',', $columns, in_order($columns, $key, @got));
}

sub latency_faults
{
	my ($where) = @_;
	my $name = basename($where) . '.latency.tsv';
	my @want = recorded($name, "\t");
	my @got = table('latency', $where);
	my @lines = map { join "\n", sort map { "@$_" } @$_ } \@got, \@want;

	return if $lines[0] eq $lines[1];
	return $ENV{UPDATE} ? keep($name, "\t", @got) : 'other rows';
}

sub test_golden
{
	for my $host (sort keys %HOSTS) {
		my $where = unpack_host($host);
		result("golden/$host.ios", golden_faults($where, 'ios', 'id'));
		result("golden/$host.latency", latency_faults($where));
	}
	result('golden/gamma.events',
		golden_faults("$TOP/gamma", 'events', 'event'));
}

# --- every trace ------------------------------------------------------------

sub its_name
{
	my ($column) = @_;

	return $RECORDED{$column} // $column;
}

# a record's value as the export has it
sub as_exported
{
	my ($name, $value) = @_;

	return $value =~ tr/,/:/r if $name =~ /dev\z/;
	return $value eq '' && $ZERO{$name} ? 0 : $value;
}

sub joined_faults
{
	my ($where) = @_;
	my ($names, @got) = table('ios', $where);
	my ($their, @records) = rows_of("$REQUESTS/records", $where);
	my %at = map { $their->[$_] => $_ } 0 .. $#$their;
	my @common = grep { exists $at{its_name($names->[$_])} } 0 .. $#$names;
	my @want = map { my $r = $_; [map { as_exported($names->[$_],
		$r->[$at{its_name($names->[$_])}]) } @common] } @records;

	@got = map { [@$_[@common]] } @got;
	return row_faults([@$names[@common]], \@got, \@want, 'id');
}

# numbers that follow from others of the row
sub added_faults
{
	my ($where) = @_;
	my @faults;
	my (undef, @rows) = table('ios', $where, qw(id rq time_ns total_ns
		complete_ns issue_ns issues seek_sectors unix_ns age_ns ended));
	my (undef, @meta) = table('meta', $where);
	my ($last) = map { $_->[2] } grep { $_->[1] eq 'end_ns' } @meta;
	my %starts;

	for my $r (@rows) {
		my ($id, $rq, $time, $total, $complete, $issue, $issues, $seek,
			$unix, $age, $ended) = @$r;
		my $end = $total eq '' ? '' : $time + $total;
		push @faults, "$id: complete_ns $complete" if $complete ne $end;
		push @faults, "$id: issue_ns $issue"
			if ($issue ne '') != ($issues > 0);
		push @faults, "$id: seek_sectors $seek"
			if $seek ne '' && $id ne $rq;
		push @faults, "$id: age_ns $age" if ($age eq '') !=
			($total ne '') || $ended eq 'open' &&
			$time + $age != $last;
		$starts{$unix eq '' ? '' : $unix - $time} = 1;
	}
	push @faults, 'several times of day' if keys %starts > 1;
	return @faults[0 .. ($#faults < 5 ? $#faults : 5)];
}

# an operation as btstat names it
sub op_of
{
	my ($op, $kind, $bytes) = @_;

	return $kind eq 'pass' ? 'passthrough' :
		$op eq 'read' && !$bytes ? 'other' :
		$op =~ /^(?:append|reset|reset-all|finish|open|close)\z/ ?
			'zone' : $op eq 'zeroes' ? 'zero' : $op;
}

# Counts and sums of the table latency, by device, operation and phase: of I/Os
# that ended without a gap.  Parts and the kernel's own flush requests are none.
sub sum_faults
{
	my ($where) = @_;
	my (undef, @ios) = table('ios', $where, qw(disk op total_ns d2c_ns
		kind birth gap bytes));
	my (undef, @cells) = table('latency', $where);
	my (%sums, @faults);

	for my $r (grep { $_->[4] =~ /^(?:io|pass)\z/ && !$_->[6] } @ios) {
		my ($disk, $its_op, $total, $d2c, $kind, $birth, undef,
			$bytes) = @$r;
		my $op = op_of($its_op, $kind, $bytes);
		my %took = ($birth eq 'Q' ? 'q2c' : 'total' => $total,
			    d2c => $d2c);
		for my $phase (grep { $took{$_} ne '' } keys %took) {
			my $its = $sums{"$disk $op $phase"} //= [0, 0, 0];
			$its->[0]++;
			$its->[1] += $took{$phase};
			$its->[2] += $bytes;
		}
	}
	for my $c (@cells) {
		my ($low, $high, $n, $sum, $bytes, $min, $max) =
			@$c[4 .. 6, 11 .. 14];
		my $its = $sums{"$c->[1] $c->[2] $c->[3]"} //= [0, 0, 0];
		$its->[0] -= $n;
		$its->[1] -= $sum;
		$its->[2] -= $bytes;
		push @faults, "a cell from $low: @$c" if $min < $low ||
			$max > $high || $min * $n > $sum || $max * $n < $sum;
	}
	return (@faults, map { "$_: @{$sums{$_}}" }
		grep { "@{$sums{$_}}" ne '0 0 0' } sort keys %sums);
}

# as many as there were, numbered, and those of the table meta
sub event_faults
{
	my ($where) = @_;
	my (undef, @events) = table('events', $where, 'event');
	my (undef, @meta) = table('meta', $where);
	my %meta = map { $_->[1] => $_->[2] } @meta;
	my %counts = map { @$_ } rows_of("$REQUESTS/records", '--counts', $where);

	return ((map { "event $_" } grep { $events[$_]->[0] != $_ + 1 }
			0 .. $#events),
		(@events == $counts{events} ? () : 'events'),
		($meta{events} == $counts{events} ? () : "meta: events"),
		($meta{ios} == $counts{records} ? () : "meta: ios"));
}

# any columns, in any order, have what they have among all
sub choice_faults
{
	my ($where) = @_;
	my @faults;

	for my $kind (qw(ios events)) {
		my ($names, @all) = table($kind, $where);
		for my $first (0 .. 2) {
			my @wanted = reverse grep { $_ % 3 == $first }
				0 .. $#$names;
			my (undef, @some) = table($kind, $where,
				@$names[@wanted]);
			my $cut = join ' ', map { "@$_[@wanted]" } @all;
			push @faults, "$kind: every third from $first"
				if $cut ne join ' ', map { "@$_" } @some;
		}
	}
	return @faults;
}

sub trace_faults
{
	my ($item, $dir) = @_;

	unpack_set($item->[1], $dir);
	return (joined_faults($dir), added_faults($dir), sum_faults($dir),
		event_faults($dir),
		$CHOSEN{$item->[0]} ? choice_faults($dir) : ());
}

# --- names ------------------------------------------------------------------

my ($NAME, $MESSAGE) = (0x04000000, 0x04000002);

# what hurts somewhere: as a name of at most 15 bytes, and as the table has it
my @NAMES = (
	["a,b\"c'd", "a,b\"c'd"],
	["a\\b\tc\nd", 'a\\\\b\tc\nd'],
	["\x01x\x7f", "\x01x\x7f"],
	["\xff\xfe", "\xef\xbf\xbd" x 2],
	["\xc3\xa4\xe2\x82", "\xc3\xa4" . "\xef\xbf\xbd" x 2],
	['', '\N'],
);

# a trace of a Q for each of them, with a message of the same text
sub name_trace
{
	my $bytes = '';
	my $number = 0;

	for my $i (0 .. $#NAMES) {
		my %f = (pid => 100 + $i, time => 1000 * ++$number);
		$bytes .= record(%f, number => 0, action => $NAME,
			payload => pack('a16', $NAMES[$i][0]));
		$bytes .= record(%f, number => $number);
		$bytes .= record(%f, number => 0, action => $MESSAGE,
			payload => $NAMES[$i][0]);
	}
	return $bytes;
}

sub name_faults
{
	my $dir = "$TOP/bad host,1";
	my @faults;

	mkdir $dir or die "$dir: $!\n";
	spew("$dir/sd\xff.blktrace.0", name_trace());
	my (undef, @ios) = rows_of("$EXPORT/rows", 'ios', $dir, 'process');
	my (undef, @texts) = rows_of("$EXPORT/rows", 'events', $dir, 'text',
		'action');
	my (undef, $one) = rows_of("$EXPORT/rows", 'ios', $dir, 'host', 'disk');
	@texts = grep { $_->[1] eq 'm' } @texts;
	for my $i (0 .. $#NAMES) {
		push @faults, "process $i: $ios[$i][0]"
			if $ios[$i][0] ne $NAMES[$i][1];
		push @faults, "text $i: $texts[$i][0]"
			if $texts[$i][0] ne $NAMES[$i][1];
	}
	push @faults, "@$one" if "@$one" ne "bad_host_1 sd\xef\xbf\xbd";
	return @faults;
}

# what a collector calls a directory
sub host_faults
{
	my @faults;
	my %hosts = ('db1-2026-11-20-05:53:54' => 'db1', 'db1-2026' => 'db1-2026',
		'-2026-11-20-05:53:54' => '-2026-11-20-05_53_54');

	for my $name (sort keys %hosts) {
		mkdir "$TOP/$name" or die "$TOP/$name: $!\n";
		spew("$TOP/$name/sda.blktrace.0", record(number => 1));
		my (undef, $row) = rows_of("$EXPORT/rows", 'ios',
			"$TOP/$name", 'host');
		push @faults, "$name: $row->[0]" if $row->[0] ne $hosts{$name};
	}
	return @faults;
}

# sectors, processes and times that no column has
sub number_faults
{
	my $dir = "$TOP/numbers";
	my $record = record(number => 1, pid => 0xfffffffe);

	substr($record, 16, 8) = pack 'Q', 1 << 63;
	mkdir $dir or die "$dir: $!\n";
	spew("$dir/sda.blktrace.0", $record);
	my (undef, $io) = rows_of("$EXPORT/rows", 'ios', $dir, 'sector', 'pid');
	my (undef, $event) = rows_of("$EXPORT/rows", 'events', $dir, 'sector',
		'pid');
	return (("@$io" eq '9223372036854775807 2147483647' ? () : "ios: @$io"),
		("@$event" eq '\N 2147483647' ? () : "events: @$event"));
}

# --- doc/schema.md ------------------------------------------------------------

sub page_tables
{
	my $text = join '', map { join("\t", @$_) . "\n" }
		rows_of("$EXPORT/rows", 'schema', 'json');
	my $page = '';

	for my $t (@{decode_json($text)->{tables}}) {
		$page .= "\n## $t->{name}\n\n\u$t->{meaning}.\n\n" .
			"| name | type | null | unit | meaning |\n" .
			"|---|---|---|---|---|\n";
		$page .= sprintf "| %s | %s | %s | %s | %s |\n", $_->{name},
			$_->{type}, $_->{null} ? 'yes' : '', $_->{unit} // '',
			$_->{meaning} for @{$t->{columns}};
	}
	return $page;
}

sub page_faults
{
	return slurp($PAGE) =~ /\Q@{[page_tables()]}\E\z/ ? () :
		'its tables are others: make goldens';
}

# what --schema prints for people names them all, too
sub text_faults
{
	my $text = join "\n", map { "@$_" } rows_of("$EXPORT/rows", 'schema');

	return grep { $text !~ /^\Q$_\E +(?:text|int32|int64) /m }
		page_tables() =~ /^\| (\w+) \| (?!type)/mg;
}

if ($ENV{UPDATE}) {
	my $page = slurp($PAGE) =~ s/\n*\n## .*//sr =~ s/\n*\z/\n/r;
	spew($PAGE, $page . page_tables());
}

test_golden();
work_in_order([every_trace($HERE, $SHARED)], \&trace_faults, sub {
	my ($item, @faults) = @_;
	result("joined/$item->[0]", @faults);
});
result('names/texts', name_faults());
result('names/hosts', host_faults());
result('numbers', number_faults());
result('doc/schema.md', page_faults());
result('schema', text_faults());
print "1..$told\n";
