#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Options that would have no effect beside each other are refused, with a line
# that names them; each alone is not.
#
#	BIN=DIR prove tests/refused.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Names 'steering_trace';
use Suite::Files 'spew';
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('refused.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $DONE = $TOP . '/done';

# program, what does without, what does not go with it, and what is said
my @PAIRS = (
	['blktop', '-b sda', '--hold', qr/--hold.*-b/],
	['blktop', '--format=json sda', '--hold', qr/--hold.*--format=json/],
	['blktop', 'sda', '--hold', qr/--hold.*terminal/],
	['blktop', '-b sda', '--color=always', qr/--color.*-b/],
	['blktop', '--format=json sda', '--color=never', qr/--color.*json/],
	['blktop', '--format=json sda', '--width=90', qr/--width.*=text/],
	['blktop', '--format=json sda', '--ascii', qr/--ascii.*=text/],
	['blktop', '-b sda', '--steps=all', qr/--steps.*block devices/],
	['btexport', '--schema', '-o done', qr/-o.*--schema/],
	['btexport', '--queries=sqlite', '-o done', qr/-o.*--queries/],
	['btexport', '--query=list', '-o done', qr/-o.*--query=list/],
	['btexport', '--schema', '-w 1', qr/-w.*--schema/],
	['btexport', '--schema', '-a read', qr/-a.*--schema/],
	['btexport', '--schema', "--where 'op==read'", qr/--where.*--schema/],
	['btexport', '--schema', '--format=csv', qr/--schema is text/],
	['btexport', '--schema', '--no-header', qr/--schema is text/],
	['btexport', '--schema', '--strict', qr/--schema is text/],
	['btexport', '--queries=duckdb', '--table=ios', qr/--table.*--queries/],
	['btexport', '--schema', '--query=depth', qr/--query=depth.*--schema/],
	['iowatcher', '-t sda -o done', '--size=1M', qr/--size.*--html/],
	map { ['iowatcher', '-t sda --html=done', $_,
	       qr/^iowatcher: @{[substr $_, 0, 2]}:.*--html/] }
		'-F log', '-l text', '-O io', '-N io', '-y 1:2', '-a D', '-P',
		'-r 2',
);

sub run
{
	my ($command) = @_;

	unlink $DONE;
	return run_command($command, $TOP, $PROGRAMS);
}

spew("$TOP/sda.blktrace.0", steering_trace(0));
for my $pair (@PAIRS) {
	my ($program, $fine, $added, $words) = @$pair;
	my $got = run("$program $fine $added");

	is("$got->{rc} $got->{out}", '1 ', "$program $fine $added: refused");
	like($got->{err}, $words, '... with both named');
	is(() = $got->{err} =~ /\n/g, 1, '... in a line');
	ok(!-e $DONE, '... before anything is written');
	is(run("$program $fine")->{rc}, 0, "$program $fine: is fine");
}
for my $option ('-w 300', '-h 300', '-c 2') {
	my $got = run("iowatcher $option -t sda --html=done");
	like($got->{err}, qr/^iowatcher: -w, -h and -c: /,
	     "iowatcher $option --html: refused");
	is(run("iowatcher $option -t sda --html=done -o picture")->{rc}, 0,
	   '... unless there is a picture');
}
done_testing();
