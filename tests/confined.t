#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Programs that read traces give up other files before the first byte of one;
# what they do for their users stays as it was.
#
#	BIN=DIR [REFUSE=PROGRAM] prove tests/confined.t
#
# REFUSE is tests/live/refuse, built: a kernel without Landlock.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Records 'trace';
use Suite::Files qw(slurp spew);
use Test::More;

my $BIN = abs_path($ENV{BIN} || '.');
my $TOP = tempdir('confined.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $REFUSE = $ENV{REFUSE} && abs_path($ENV{REFUSE});
my @READERS = qw(blkparse btstat);

plan skip_all => 'a checker makes calls of its own'
	if $ENV{WRAP} || $ENV{BLKTRACE_NO_SANDBOX};
chdir $TOP or die "$TOP: $!\n";
$ENV{PATH} = "$BIN:$ENV{PATH}";
$ENV{LC_ALL} = 'C';
mkdir $_ or die "$_: $!\n" for qw(here there);
spew('here/sda.blktrace.0', trace(1, 50));
spew('there/one', trace(1, 50));
symlink '../there/one', 'here/linked.blktrace.0' or die "symlink: $!\n";

# standard output, or what went wrong
sub text_of
{
	my ($command) = @_;
	my $text = `$command 2>errors`;
	return $? ? "status $?: " . slurp('errors') : $text;
}

# Before the first byte of the trace: strace(1) shows the order.
sub test_order
{
	my ($reader) = @_;
	grep { -x "$_/strace" } split /:/, $ENV{PATH} or return;
	my $calls = text_of("strace -o calls -e trace=openat,prctl,"
			    . "landlock_restrict_self $reader here/sda"
			    . ' >/dev/null; cat calls');
	SKIP: {
		skip "$reader: no Landlock here, or a sanitizer", 1
			unless $calls =~ /NO_NEW_PRIVS/;
		my ($before) = split /^openat.*here\/sda\.blktrace\.0.*/m,
			$calls;
		like($before, qr/^landlock_restrict_self\(.* = 0$/m,
		     "$reader: confined before its trace is opened");
	}
}

# Whatever names there are for files, the text is that of a process which may
# open any.
sub test_same
{
	my ($reader) = @_;
	my %ways = (
		'a name' => "$reader here/sda",
		'a directory' => "$reader here",
		'-D' => "$reader -D here sda",
		'..' => "cd here && $reader ../here/sda",
		'a link' => "$reader here/linked",
		'standard input' => "$reader - <here/sda.blktrace.0",
		'a file' => "$reader -o text here/sda; cat text; rm text",
		'a file elsewhere' => "$reader -o there/text here/sda;"
			. ' cat there/text; rm there/text',
		'/dev/stdout' => "$reader -o /dev/stdout here/sda >text;"
			. ' cat text; rm text',
		'a pipe' => "$reader -o /dev/stdout here/sda | cat",
	);

	for my $way (sort keys %ways) {
		my $free = text_of("export BLKTRACE_NO_SANDBOX=1; $ways{$way}");
		isnt($free, '', "$reader, $way: there is a text");
		is(text_of($ways{$way}), $free, '... the same when confined');
	}
	SKIP: {
		skip 'REFUSE is not given', 1 unless $REFUSE;
		is(text_of("$REFUSE 38 landlock 0,1 $reader here/sda"),
		   text_of("$reader here/sda"),
		   "$reader: the same without Landlock");
	}
}

for my $reader (@READERS) {
	test_order($reader);
	test_same($reader);
}
done_testing();
