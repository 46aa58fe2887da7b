#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Marks in made traces: who shows them, what is between two of them, and that
# their words, which may be any, stay words.
#
#	BIN=DIR prove tests/marks.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use Suite::Files qw(slurp spew);
use Suite::Made 'made_trace';
use Suite::Report 'page_of';
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('marks.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $HOSTILE = "</script><b>\e[31m\xff";

# an io every 10 ms from 0 to 0.99 s, of 1 ms before 0.5 s and 4 ms behind it
my @IOS = map { { time => $_ / 100, sector => 8 * $_, pid => 100,
		  op => $_ % 2 ? 'R' : 'W', took => $_ < 50 ? 0.001 : 0.004 } }
	0 .. 99;

sub mark
{
	my ($time, $text, %more) = @_;
	return { time => $time, text => $text, pid => 7, %more };
}

my @MARKS = (mark(0.205, 'begin'), mark(0.5, 'warm, at last'),
	     mark(0.752, "step\n"), mark(0.8, 'bfq1 dispatched'),
	     mark(0.85, $HOSTILE), mark(0.902, 'step'));

sub put_trace
{
	my ($name, @marks) = @_;
	spew("$TOP/$name.blktrace.0", made_trace(\@IOS, \@marks));
}

sub run
{
	my ($command) = @_;
	return run_command($command, $TOP, $PROGRAMS);
}

sub output
{
	my ($command) = @_;
	my $got = run($command);

	is("$got->{rc} $got->{err}", '0 ', $command);
	return $got->{out};
}

# --- btstat -------------------------------------------------------------------

sub test_list
{
	my $got = output('btstat sda');

	$got =~ s/\n {10}/ /g;
	ok(index($got, "\nmarks     0.205000 s begin; 0.500000 s warm, at last;"
		 . ' 0.752000 s step; 0.850000 s </script><b>\x1b[31m\xff;'
		 . " and 1 more (--marks)\n") >= 0,
	   '... the first are in the head');
	unlike($got, qr/bfq|\e/, '... none of a scheduler, no escapes');
	unlike(output('btstat nothing'), qr/^marks/m, '... no marks: no line');
	$got = output('btstat --marks sda');
	like($got, qr/^ +0\.500000 +0\.252000 +sda +7 +warm, at last$/m,
	     '... with the time to the next');
	like($got, qr/^ +0\.902000 +0\.092000 +sda +7 +step$/m,
	     '... or to the end');
	is(scalar(() = $got =~ /^ +0\.\d{6}/mg), 5, '... all of them');
	is((split /\n/, output('btstat --marks --format=csv sda'))[2],
	   '500000000,"warm, at last",sda,1,7', '... as csv');
	my $json = decode_json(output('btstat --format=json sda'));
	is_deeply($json->{trace}{marks}[0],
		  { time_ns => 205000000, text => 'begin', device => 'sda',
		    devices => 1, pid => 7 }, '... as json');
	is_deeply(decode_json(output('btstat --format=json nothing'))
		  ->{trace}{marks}, [], '... none');
}

# Each in its column, below all that happened then.
sub test_map
{
	my $got = output('btstat --heatmap --width=80 sda');
	my ($row) = $got =~ /^ *marks( +M.*)$/m;

	is(($row // '') =~ tr/M//, 5, '... marks are below the map');
	unlike(output('btstat --heatmap nothing'), qr/^ *marks/m,
	       '... if there are some');
}

# a row for each stretch, with the rates of its own time
sub test_by
{
	my $got = output('btstat --by=mark sda');
	my @rows = $got =~ /^(-|begin|warm, at last|step) +(\d+) +([\d.]+) /mg;

	is_deeply(\@rows, ['-', 21, 102, 'begin', 29, '98.3',
			   'warm, at last', 25, '99.2', 'step', 10, 102,
			   'step', 10, 109], '... in the order of time');
	is((split /\n/, output('btstat --by=mark,op --format=csv sda'))[1]
	   =~ /^(,(?:read|write),)/ ? 1 : 0, 1, '... as csv, too');
	is(scalar(() = output('btstat --by=mark nothing') =~ /^- +100 /mg), 1,
	   '... one row without marks');
}

# how many ios are counted, and of what time
sub span
{
	my ($options) = @_;
	my $got = run("btstat $options --format=json sda");
	my $json = decode_json($got->{out});
	my $ios = 0;

	$ios += $_->{ios} for @{$json->{tables}{sums}};
	return [$ios, @{$json->{trace}}{qw(from_ns length_ns)}, $got->{err}];
}

sub test_between
{
	is_deeply(span("--between='begin,warm, at last'"),
		  [29, 205000000, 294999999, ''], 'from mark to mark');
	is_deeply(span("--between='warm, at last,step'"),
		  [25, 500000000, 251999999,
		   'btstat: --between: "step" occurs 2 times; the first'
		   . " after the other mark is used\n"], '... the first one');
	is_deeply(span('--between=step,'),
		  [25, 752000000, 242000000, 'btstat: --between: "step"'
		   . " occurs 2 times; the first is used\n"], '... to the end');
	is_deeply(span('--between=,begin'), [21, 0, 204999999, ''],
		  '... from the beginning');
	like(output("btstat --between=,begin sda"),
	     qr/^window    0\.205 s from 0\.000 s, between ,begin$/m,
	     '... the head says so');
	my $before = span('--between=,begin')->[0];
	my $after = span('--between=begin,')->[0];
	is($before + $after, 100, '... no io is in two stretches, or in none');
}

sub refused
{
	my ($options, $why) = @_;
	my $got = run("btstat $options");

	is($got->{rc}, 1, "btstat $options is refused");
	like($got->{err}, $why, '... and it says why');
	is($got->{out}, '', '... and nothing else');
}

sub test_refused
{
	refused('--between=stop,begin sda',
		qr/no mark "stop"; did you mean "step"\?/);
	refused('--between=begin,zzzzzzz sda',
		qr/no mark "zzzzzzz"; the first of 5 is "begin"/);
	refused('--between=step,begin sda',
		qr/"begin" precedes the other mark/);
	refused('--between=a,b nothing', qr/"a": the trace has no marks/);
	refused("--between='\e[1m,b' sda", qr/no mark "\\x1b\[1m"/);
	refused('--between=begin sda', qr/takes two marks/);
	refused('--between=a,b -w 1 sda', qr/one is enough/);
	refused('--between=a,b -', qr/reads its input twice, and - is a pipe/);
	refused('--between=a,b none', qr/none: /);
	refused('--marks --top=1 sda', qr/--marks stands alone/);
	refused('--compare --marks sda -- sda', qr/table of its own/);
}

# The marks of each run are its own.
sub test_compare
{
	put_trace('early', mark(0.1, 'a'), mark(0.3, 'b'));
	put_trace('late', mark(0.6, 'a'), mark(0.9, 'b'));
	my $got = output('btstat --compare --between=a,b --percentiles=50'
			 . ' --format=json early -- late');
	my $text = output('btstat --compare --between=a,b early -- late');

	like($text, qr/1\.00ms.*4\.00ms/, '... one from each run');
	unlike($got, qr/"count":100\b/, '... and not all of them');
}

# --- others -------------------------------------------------------------------

sub test_report
{
	output('btreport -o x.html sda');
	my $html = slurp("$TOP/x.html");
	my $marks = page_of($html)->{meta}{marks};

	is_deeply($marks->[0], [205000000, 'begin', 'pid 7', 'sda'],
		  '... a mark of the page');
	is(scalar @$marks, 5, '... all of them');
	unlike($html, qr{</script><b>}, '... as text');
	like($marks->[3][1], qr{^</script><b>}, '... which is as it was');
	output('btreport -o x.html -w 0.4:0.6 sda');
	is_deeply(page_of(slurp("$TOP/x.html"))->{meta}{marks},
		  [[100000000, 'warm, at last', 'pid 7', 'sda']],
		  '... of a part, in its time');
}

sub test_export
{
	my $got = run('btexport --table=events -a notify'
		      . ' --fields=time_ns,disk,pid,text sda')->{out};

	like($got, qr/^205000000,sda,7,begin$/m, 'an export has marks');
	is(scalar(() = $got =~ /^\d+,sda,/mg), 6,
	   '... and all other messages, but no events');
}

# what blkparse prints is not ours to change: all messages, in their place
sub test_blkparse
{
	my $got = output('blkparse -q sda');

	like($got, qr/ 0\.205000000     7  m   N begin$/m, '... a line');
	like($got, qr/ m   N bfq1 dispatched$/m, '... and of others, too');
}

put_trace('sda', @MARKS);
put_trace('nothing');
test_list();
test_map();
test_by();
test_between();
test_refused();
test_compare();
test_report();
test_export();
test_blkparse();
done_testing();
