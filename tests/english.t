#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The habits of language that make a sentence hard to read, counted in what
# people see: --help, recorded output, findings, a page, manual pages, README and
# doc/.  Each must be 0.  doc/glossary.md has the words to use.
#
#	prove tests/english.t		programs at the top
#	BIN=DIR prove tests/english.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Files qw(slurp unpack_set);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $TOP = abs_path("$FindBin::Bin/..");
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $DIR = tempdir('english.XXXXXX', TMPDIR => 1, CLEANUP => 1);

# what each is called, and how it is found
my %HABITS = (
	'"behind" for order or time' => qr/\b(?:behind\b(?!-)|the one behind)/,
	'"told" and "tells"' => qr/\b(?:is|are|was|be|been) told\b|\btells\b(?! the kernel)/,
	'"is said", "is asked for"' =>
		qr/\b(?:is|are) said\b|\b(?:is|are|was|were) asked for\b/,
	'"is to be"' => qr/\b(?:is|are) to be\b/,
	'"under way"' => qr/\bunder way\b/,
	'"wants", "gives up", "lives", "whom"' =>
		qr/\bwants\b|\bgiv(?:es|en?) up\b|\blives\b|\bwhom\b/,
	'"goes on", "stands behind"' => qr/\b(?:goes|went) on\b/,
	'"such a"' => qr/\bsuch an?\b/,
	'"of its own"' => qr/\bof (?:its|their|his) own\b/,
	'"so many"' => qr/\bso many\b/,
	'"riders", "people", "stretches"' =>
		qr/\briders?\b|\bpeople\b|\bstretch(?:es)?\b/,
	'"ghosts"' => qr/\bghosts?\b(?!-)/,
	'"conspicuous"' => qr/\bconspicuous\b/,
	'a blank before %' => qr/\d %/,
	'MB for MiB' => qr/\d ?[KMG]B\b/,
);

# what is another's word, or a name that programs read
my @ALLOWED = (
	qr/asked for, \d+|s asked for/,	# btreplay's totals
	qr/people know as/,
	qr/\bleft behind\b|\bleaves? .{1,40} behind\b/,
);

my %TEXTS;

# --- what is printed ---------------------------------------------------------

sub output
{
	my ($command) = @_;
	my $got = run_command($command, $DIR, $PROGRAMS);

	return $got->{out} . $got->{err};
}

sub programs
{
	return map { m{/([^/]+)\.[18]\z} } glob "$TOP/doc/*.[18]";
}

sub read_help
{
	for my $program (grep { !/^blktrace-/ } programs()) {
		$TEXTS{"$program --help"} = output("$program --help");
	}
}

# what our own programs print in the recorded cases; json has names
sub read_cases
{
	for my $path (glob "$TOP/tests/cases/{btstat,blktop}/*/{out,err}") {
		my ($name) = $path =~ m{cases/(.*)};
		my $text = slurp($path);

		$TEXTS{$name} = $text unless $text =~ /\A\{/;
	}
}

sub read_programs
{
	unpack_set("$TOP/tests/data/smp4-mixed-procs", $DIR);
	$TEXTS{'btstat --explain'} = output('btstat --explain vda');
	for my $rule ($TEXTS{'btstat-findings'} =~ /^\.SS ([\w\\-]+) \(/mg) {
		$rule =~ s/\\//g;
		$TEXTS{"--explain=$rule"} = output("btstat --explain=$rule vda");
	}
	$TEXTS{'a page'} = output('btreport -o - vda') =~
		s{<(script|style)\b.*?</\1>}{}gsr =~ s/<[^>]*>/ /gr;
}

# --- what is written ---------------------------------------------------------

# without comments, macros and what is printed letter by letter
sub page_text
{
	my ($text) = @_;

	$text =~ s/^\.EX\n.*?^\.EE\n//msg;
	$text =~ s/^\.\\".*\n//mg;
	# words in bold are names
	$text =~ s/^\.B[IR]? .*\n//mg;
	$text =~ s/^\.[A-Z]{1,2} //mg;
	return $text =~ s/\\//gr;
}

# without blocks and words of programs
sub document_text
{
	my ($text) = @_;

	$text =~ s/^\t.*\n//mg;
	return $text =~ s/`[^`]*`//gr;
}

sub read_documents
{
	for my $path (glob "$TOP/doc/*.[1-8]") {
		my ($name) = $path =~ m{([^/]+)\.\d\z};
		$TEXTS{$name} = page_text(slurp($path));
	}
	for my $path ("$TOP/README", glob "$TOP/{CONTRIBUTING,doc/*}.md") {
		my ($name) = $path =~ m{([^/]+)\z};
		$TEXTS{$name} = document_text(slurp($path));
	}
	# its last column has the words that it replaces
	$TEXTS{'glossary.md'} =~ s/[^|\n]*\|\n/\n/g;
}

# --- counting ----------------------------------------------------------------

sub places
{
	my ($habit) = @_;
	my @places;

	for my $name (sort keys %TEXTS) {
		for my $line (split /\n/, $TEXTS{$name}) {
			next unless $line =~ $habit;
			next if grep { $line =~ $_ } @ALLOWED;
			push @places, "$name: $line";
		}
	}
	return @places;
}

read_documents();
read_help();
read_cases();
read_programs();
cmp_ok(scalar keys %TEXTS, '>', 130, 'texts are read');
for my $name (sort keys %HABITS) {
	my @places = places($HABITS{$name});

	is(scalar @places, 0, $name) or diag(join "\n", @places[0 ..
		($#places < 20 ? $#places : 20)]);
}
# each of them is found where it is
like('two stand behind, and are told of', $HABITS{$_}, "$_ is found") for
	'"behind" for order or time', '"told" and "tells"';
done_testing();
