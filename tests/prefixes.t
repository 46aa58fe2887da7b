#!/usr/bin/perl
# Every prefix of a long option that release 1.3.0 accepts still means the
# same: it does exactly what the short option does, and without it something
# else happens.
#
#	BIN=DIR prove tests/prefixes.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Records qw(record trace);
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('prefixes.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# Long name, short letter, argument (undef: takes none), the rest of the
# command.  In each, leaving the option out changes what happens.
my @OPTIONS = (
	['act-mask', 'a', 'issue', 'x'],
	['set-mask', 'A', '40', 'x'],
	['batch', 'b', '1', 'x'],
	['input-directory', 'D', 'sub', 'z'],
	['dump-binary', 'd', 'made', 'x'],
	['format', 'f', '%a %S\n', 'x'],
	['format-spec', 'F', 'Q,%a %S\n', 'x'],
	['hash-by-name', 'h', undef, '-s x'],
	['input', 'i', 'y', 'x'],
	['no-msgs', 'M', undef, '-d made x'],
	['output', 'o', 'made', 'x'],
	['no-text-output', 'O', undef, 'x'],
	['quiet', 'q', undef, 'x'],
	['per-program-stats', 's', undef, 'x'],
	['sort-program-stats', 'S', 'W', 'x'],
	['track-ios', 't', undef, 'x'],
	['stopwatch', 'w', '0.000002', 'x'],
	['verbose', 'v', undef, 'x'],
	['version', 'V', undef, 'x'],
);

# How many prefixes the rules below must give: written down so that a mistake
# there is not a test that cannot fail.
my $PREFIXES = 145;

my ($ISSUE, $NAME, $MESSAGE) = (0x00420007, 0x04000000, 0x04000002);

# A trace in which every option above has something to do.
sub make_traces
{
	my ($dir) = @_;
	my ($n, @records) = (0);
	# -b: at batch 1 a name that comes late is not yet known; -v: a hole
	my @parts = (
		[action => $NAME, pid => 7, payload => 'twin'],
		[action => $NAME, pid => 8, payload => 'twin'],
		[pid => 7], [pid => 8], [pid => 7, action => $ISSUE],
		[pid => 9, number => 90],
		[pid => 9, action => $ISSUE, number => 91],
		[action => $MESSAGE, payload => 'a message'],
		[pid => 6], [action => $NAME, pid => 6, payload => 'late'],
	);

	for my $part (@parts) {
		$n++;
		push @records, record(number => $n, time => $n * 1000,
				      @$part);
	}
	spew("$dir/x.blktrace.0", join '', @records);
	spew("$dir/y.blktrace.0", trace(1, 3, time => 5));
	mkdir "$dir/sub" or die "mkdir: $!\n";
	spew("$dir/sub/z.blktrace.0", trace(1, 3));
}

# What getopt_long() accepts for NAME among all names: prefixes of it alone,
# and itself.
sub prefixes
{
	my ($name) = @_;
	my @others = grep { $_ ne $name } map { $_->[0] } @OPTIONS;

	return grep {
		my $prefix = $_;
		$prefix eq $name ||
			!grep { index($_, $prefix) == 0 } @others
	} map { substr $name, 0, $_ } 1 .. length $name;
}

# everything a run with these arguments does, as one text
my $runs = 0;
sub deeds
{
	my ($arguments) = @_;
	my $dir = "$TOP/" . $runs++;

	mkdir $dir or die "mkdir: $!\n";
	make_traces($dir);
	my $got = run_command("blkparse $arguments", $dir, $PROGRAMS);
	my $made = -e "$dir/made" ? slurp("$dir/made") : 'nothing';
	return "$got->{rc}\n$got->{out}\n$got->{err}\n$made";
}

sub quote
{
	my ($text) = @_;
	return "'$text'";
}

# An option that takes an argument is tried as --name=arg and --name arg.
sub ways
{
	my ($prefix, $argument) = @_;

	return "--$prefix" unless defined $argument;
	return ("--$prefix=" . quote($argument),
		"--$prefix " . quote($argument));
}

sub test_option
{
	my ($name, $letter, $argument, $rest) = @_;
	my $short = "-$letter" . (defined $argument ? ' ' . quote($argument) :
				  '');
	my $want = deeds("$short $rest");

	isnt($want, deeds($rest), "-$letter does something");
	for my $prefix (prefixes($name)) {
		my @wrong = grep { deeds("$_ $rest") ne $want }
			ways($prefix, $argument);
		is("@wrong", '', "--$prefix is -$letter");
	}
}

is(scalar(map { prefixes($_->[0]) } @OPTIONS), $PREFIXES,
   'the prefixes are as many as they should be');
test_option(@$_) for @OPTIONS;
done_testing();
