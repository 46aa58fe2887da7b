#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A new action of the kernel's is one row of BLK_ACTIONS in blktrace.h: programs
# built with one more know its letters, its line, its name and what to do.
#
#	UNITS=DIR prove tests/actions.t
#
# Compiles the sources that have a column of that table, and links them with the
# other objects of the build that UNITS is in.
use strict;
use warnings;
use Cwd 'abs_path';
use File::Temp 'tempdir';
use FindBin;
use lib "$FindBin::Bin/lib";
use Suite::Files qw(slurp spew);
use Suite::Made 'made_ios';
use Test::More;

my $TOP = abs_path("$FindBin::Bin/..");
my $BUILD = abs_path(($ENV{UNITS} || "$TOP/build/tests/unit") . '/../..');
my $DIR = tempdir('actions.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $CC = ($ENV{CC} || 'cc') . " -std=c11 -O0 -D_GNU_SOURCE"
	. ' -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64';
my $NEW = 20;			# the first number that no kernel has
my $MENTIONED = qr/\bBLK_ACTIONS\b|\bBLK_TA_COUNT\b/;

sub run
{
	my ($command) = @_;
	my $said = `$command 2>&1`;
	return $? == 0 || (diag("$command: $said"), 0);
}

# the table with a row more
sub add_row
{
	my $header = slurp("$TOP/blktrace.h");
	my $rows = $header =~ s{^(\tX\(ZONE_UNPLUG,.*)$}
		{$1 \\\n\tX(THROTTLE, "TH", NO, generic, MERGED, sleep, NO)}m;
	spew("$DIR/blktrace.h", $header);
	return $rows;
}

# Compiles SOURCE anew, beside the table where it would find the old one first.
sub compile
{
	my ($source) = @_;
	my $object = "$DIR/" . $source =~ tr{/}{-}r . '.o';
	my $from = "$TOP/$source";

	if ($source !~ m{/}) {
		spew("$DIR/$source", slurp($from));
		$from = "$DIR/$source";
	}
	return run("$CC -I$DIR -I$TOP -c -o $object $from") ? $object : ();
}

# PROGRAM of its own objects and the rooms', those of CHANGED anew
sub link_program
{
	my ($program, %changed) = @_;
	my @own = map { s{^\Q$TOP/\E}{}r } grep { -f } "$TOP/$program.c",
		glob "$TOP/tools/$program/*.c";
	my @objects = map { $changed{$_} // "$BUILD/" . s/\.c$/.o/r } @own;
	my @rooms = map { $changed{$_} } grep { !m{^tools/} } sort keys %changed;

	for my $libraries ('-ljansson -lzstd', '-ljansson', '-lzstd', '') {
		return 1 if run("$CC -o $DIR/$program @objects @rooms"
			. " $BUILD/rooms.a -lz -lpthread -lm $libraries");
	}
	return 0;
}

# A trace in which the second event has the new number, and is no later than the
# first, as blkrawverify does not like.
sub trace
{
	my $bytes = made_ios({ time => 0.1, sector => 800, op => 'W' });
	substr $bytes, 48 + 28, 4, pack 'L', $NEW | 1 << 17 | 1 << 24;
	return $bytes;
}

ok(add_row(), 'a row is added');
my @sources = grep { slurp("$TOP/$_") =~ $MENTIONED } map {
	s{^\Q$TOP/\E}{}r
} glob("$TOP/*.c $TOP/record/*.c $TOP/emit/*.c $TOP/request/*.c"
	. " $TOP/tools/blkparse/*.c $TOP/tools/blkrawverify/*.c");
my %changed = map { $_ => compile($_) } @sources;
is_deeply([grep { !$changed{$_} } @sources], [],
	  'all that have a column of it are compiled');
for my $program (qw(blkparse blkrawverify)) {
	ok(link_program($program, %changed), "$program is linked");
}

spew("$DIR/sda.blktrace.0", trace());
my $text = `cd $DIR && ./blkparse sda`;
like($text, qr/ TH +W 800 \+ 8 \[/, 'blkparse has its line');
like($text, qr/Write Merges: +1, +4KiB/, '... and counts what the row says');
system("cd $DIR && ./blkrawverify sda >/dev/null 2>&1");
like(slurp("$DIR/sda.verify.out"), qr/__BLK_TA_THROTTLE/,
     'blkrawverify has its name');
done_testing();
