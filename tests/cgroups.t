#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Names of cgroups: a recorded trace whose records carry ids, and cards that say
# what these are called, shown by every program that shows cgroups.
#
#	BIN=DIR prove tests/cgroups.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Suite::Files qw(slurp spew unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir(CLEANUP => 1);
my $DIGITS = '0123456789ab' . 'cdef' x 13;
my $CONTAINER = "/system.slice/docker-$DIGITS.scope";
my $SERVICE = '/system.slice/reader.service';

# what a program prints, which has to end well
sub out
{
	my ($command, $dir) = @_;
	my $got = run_command($command, $dir || $TOP, $PROGRAMS);

	is($got->{rc}, 0, $command) or diag($got->{err});
	return $got->{out};
}

# a directory with the trace, in which 23 and 1 are the ids of cgroups
sub trace
{
	my ($name, %card) = @_;
	mkdir "$TOP/$name" or die "$TOP/$name: $!\n";
	unpack_set("$HERE/data/cgroup-mqdl", "$TOP/$name");
	spew("$TOP/$name/vda.blktrace.json",
	     JSON::PP->new->canonical->utf8->encode({ schema => 1, %card }))
		if %card;
}

# the first column of a table by keys, and how many ios
sub rows
{
	my ($text) = @_;
	my ($table) = $text =~ /\n\n\s*\S+ +I.Os .*?\n(.*)\z/s;
	return { map { /^\s*(\S+) +(\d+)/ } split /\n/, $table // '' };
}

# --- btstat -----------------------------------------------------------------

sub test_btstat
{
	is_deeply(rows(out('btstat --by=cgroup plain/vda')),
		  { 23 => 150, 1 => 11 }, '... by id, without a card');
	is_deeply(rows(out('btstat --by=cgroup named/vda')),
		  { 'docker:0123456789ab' => 150, $SERVICE => 11 },
		  '... by path, in short');
	is_deeply(rows(out('btstat --by=container named/vda')),
		  { 'docker:0123456789ab' => 150, '-' => 11 },
		  '... by container');
	my $json = decode_json(out('btstat --by=cgroup --format=json'
				   . ' named/vda'));
	is_deeply({ map { $_->{cgroup} => $_->{ios} }
		    @{$json->{tables}{sums}} },
		  { $CONTAINER => 150, $SERVICE => 11 }, '... in full');
	$json = decode_json(out('btstat --by=cgroup --format=json plain/vda'));
	is_deeply({ map { $_->{cgroup} => $_->{ios} }
		    @{$json->{tables}{sums}} }, { 23 => 150, 1 => 11 },
		  '... as numbers');
	like(out('btstat --by=container --format=csv --phases=q2c named/vda'),
	     qr/^$DIGITS,q2c,150,.*^,q2c,11,/ms, '... all digits');
	like(out("btstat --where 'cgroup==\"$SERVICE\"' named/vda"),
	     qr/^vda read +11 /m, '... of one');
	like(out("btstat --where 'cgroup!=\"*0123456789ab*\"' named/vda"),
	     qr/^vda read +11 /m, '... of the others');
	unlike(out("btstat --where 'cgroup==\"*\"' plain/vda"),
	       qr/^vda read/m, '... of none that has a name');
	unlike(out('btstat --by=cgroup hostile/vda'), qr/[^ -~\n]/,
	       '... harmless for a terminal');
}

# cgroups of one path, and of two machines with the same ids
sub test_paths
{
	is_deeply(rows(out('btstat --by=cgroup again/vda')),
		  { '/again' => 161 }, '... two ids of a path are a row');
	is_deeply(rows(out('btstat --by=cgroup named again')),
		  { 'docker:0123456789ab' => 150, $SERVICE => 11,
		    '/again' => 161 }, '... each machine has its own');
	is_deeply(rows(out('btstat --by=container below/vda')),
		  { 'docker:0123456789ab' => 161 },
		  '... what is below a container is its');
	is_deeply(rows(out('btstat --by=cgroup below/vda')),
		  { 'docker:0123456789ab' => 150,
		    'docker:0123456789ab/init' => 11 }, '... and is told of');
}

# --- blktrace --card --------------------------------------------------------

sub test_card
{
	like(out('blktrace --card named/vda'),
	     qr/^cgroup 23 +\Q$CONTAINER\E$/m, '... has their names');
	unlike(out('blktrace --card hostile/vda'), qr/[^ -~\n]/,
	       '... harmless for a terminal');
}

# --- btexport, blktop -------------------------------------------------------

sub test_btexport
{
	my $csv = out('btexport --fields=cgroup,cgroup_path named/vda');
	my %rows;

	$rows{$_}++ for split /\n/, $csv;
	is_deeply(\%rows, { 'cgroup,cgroup_path' => 1,
			    "23,$CONTAINER" => 150, "1,$SERVICE" => 11 },
		  '... cgroup_path');
	%rows = ();
	$rows{$_}++ for split /\n/,
		out('btexport --fields=cgroup,container named/vda');
	is_deeply(\%rows, { 'cgroup,container' => 1, "23,$DIGITS" => 150,
			    '1,' => 11 }, '... container');
	unlike(out('btexport --fields=cgroup,cgroup_path plain/vda'), qr{/},
	       '... null without a card');
	like(out('btexport --table=meta named/vda'),
	     qr/^\w+,card\.vda\.cgroups\.23,\Q$CONTAINER\E,/m, '... in meta');
}

sub test_blktop
{
	like(out('blktop -b --by=cgroup named/vda'),
	     qr/^docker:0123456789ab +926 /m, '... in short');
	like(out('blktop --format=json --by=cgroup named/vda'),
	     qr/"cgroup":"\Q$CONTAINER\E"/, '... in full');
	like(out('blktop --format=json --by=cgroup plain/vda'),
	     qr/"cgroup":23,/, '... a number');
}

# --- btreport ---------------------------------------------------------------

# its tables: what stands in the column of names, and the ios
sub cgroup_rows
{
	my ($html) = @_;
	my ($table) = $html =~ /<section id="t-cgroups">(.*?)<\/section>/s;
	return { map { /<th scope="row"([^>]*)>(.*?)<\/th><td[^>]*>(\d+)/
			? ("$2$1" => $3) : () } split /\n/, $table // '' };
}

sub test_btreport
{
	is_deeply(cgroup_rows(out('btreport -o - plain/vda')),
		  { 23 => 150, 1 => 11 }, '... by id');
	is_deeply(cgroup_rows(out('btreport -o - named/vda')),
		  { "docker:0123456789ab title=\"$CONTAINER\"" => 150,
		    "$SERVICE title=\"$SERVICE\"" => 11 },
		  '... by path, in short, with all of it as a title');
	my $html = out('btreport -o - hostile/vda');
	unlike($html, qr/\e|<script>alert/, '... harmless for a browser');
	out('btreport -o x.html --csv=csv --json=x.json named/vda');
	like(slurp("$TOP/csv/cgroups.csv"), qr/^\Q$CONTAINER\E,150,/m,
	     '... whole paths in csv');
	my $json = decode_json(slurp("$TOP/x.json"));
	is_deeply({ map { $_->{path} => $_->{cgroup} }
		    @{$json->{tables}{cgroups} || []} },
		  { $CONTAINER => undef, $SERVICE => undef },
		  '... and in its data');
	# the other way round, so that numbers of paths differ
	$html = out('btreport --compare -o - named/vda turned/vda');
	my ($table) = $html =~ /<section id="t-cgroups">(.*?)<\/section>/s;
	is(() = $table =~ /rowspan="3"/g, 2, '... two sides, by path');
	like($table, qr/docker:0123456789ab/, '... with its name');
}

trace('plain');
trace('named', host => 'db1',
      cgroups => { 23 => $CONTAINER, 1 => $SERVICE, 99 => '/unused' });
trace('again', host => 'db2', cgroups => { 23 => '/again', 1 => '/again' });
trace('below', cgroups => { 23 => "/docker/$DIGITS",
			    1 => "/docker/$DIGITS/init" });
trace('turned', cgroups => { 7 => '/x', 1 => $CONTAINER, 23 => $SERVICE });
trace('hostile', cgroups => { 23 => "/\e[31m\x{85}<script>alert(1)</script>" . 'x' x 100,
			      1 => '/' . "\n/\t" x 2000 });
test_btstat();
test_paths();
test_card();
test_btexport();
test_blktop();
test_btreport();
done_testing();
