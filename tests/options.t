#!/usr/bin/perl
# Every option of every program that is built: in the program's table, in its
# --help, in its manual page, and in a test.
#
#	BIN=DIR prove tests/options.t
#
# Where a program has no --help, its usage line is taken.  Cases of a program
# are tests of the options in their commands; for the rest a list below names
# the test, which has to have the option in it.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Suite::Case qw(find_cases one_line);
use Suite::Files 'slurp';
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $ROOT = "$HERE/..";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));

# Tests that are no cases, by program and option.
my %ELSEWHERE = (
	blktrace => {
		'-D' => 'live/capture.t', '-l' => 'server.t',
		'-r' => 'live/capture.t', '--check' => 'live/doctor.t',
	},
	btrace => {},
	iotracer => {
		'-s' => 'vm/guest/iotracer', '-a' => 'live/iotracer.t',
		'-x' => 'live/iotracer.t', '-b' => 'live/iotracer.t',
		'-v' => 'live/iotracer.t',
	},
	btreplay => {
		'-N' => 'live/replay.t', '-W' => 'live/replay.t',
		'--dry-run' => 'live/replay.t', '--report' => 'live/replay.t',
	},
);

# --- what a program says of itself -------------------------------------------

# The part of a line that spells an option: between brackets, behind the
# program's name, or up to what is said of it.
sub head_of
{
	my ($line) = @_;
	return $1 if $line =~ /^\s*\[ +(-.*)\]/ ||
		$line =~ /^\w+ (-\w <.*\|.*)/ ||
		$line =~ /^\s+(\[?-.*?)(?:\s{2}|$)/;
	return ();
}

# The options in a text of help or usage: { names => [spellings], takes => it
# wants an argument }.  A usage line counts where there is no list.
sub options_in
{
	my ($text) = @_;
	my @options = map { { names => [spellings($_)],
			      takes => scalar(/[=<]| [A-Z]/) } }
		map { head_of($_) } split /\n/, $text;
	my ($usage) = $text =~ /^Usage:(.*)/m;

	while (!@options && $usage =~ /\[(--?\w[\w-]*)( [^\]]+)?\]/g) {
		push @options, { names => [$1], takes => defined $2 };
	}
	return grep { @{$_->{names}} } @options;
}

# Behind one dash every letter is an option.
sub spellings
{
	my ($text) = @_;
	return map { /^-(\w+)/ ? map { "-$_" } split //, $1 : $_ }
		$text =~ /(?<![\w-])(--?[A-Za-z][\w-]*)/g;
}

sub options_of
{
	my ($program) = @_;
	my $got = run_command("$program --help",
			      tempdir(CLEANUP => 1), $PROGRAMS);
	return options_in($got->{rc} ? $got->{err} : "$got->{out}$got->{err}");
}

# --- tables ------------------------------------------------------------------

# the source that has the program's table, if it is in C
sub table_of
{
	my ($program) = @_;
	my @places = map { "$ROOT/tools/$program/$_" } 'options.c',
		"$program.c";
	my ($path) = grep { -e } @places;
	return $path;
}

# The long options in a table.  Names of a letter or two are there to keep a
# prefix's meaning, and are nobody's business.
sub long_names
{
	my ($source) = @_;
	return grep { length > 2 }
		slurp($source) =~ /^\s*\{ "([\w-]+)", \w+_argument,/mg;
}

sub test_table
{
	my ($program, @options) = @_;
	my $source = table_of($program) or return;
	my %said = map { $_ => 1 } map { @{$_->{names}} } @options;
	my @silent = grep { !$said{"--$_"} } long_names($source);

	is("@silent", '', "$program: --help has all that the table has");
}

# --- manual pages ------------------------------------------------------------

# The spellings that stand at the head of a paragraph.
sub described
{
	my ($page) = @_;
	my ($text, %found) = (slurp($page));

	while ($text =~ /^\.T[PQ][^\n]*\n([^\n]*)/mg) {
		my $head = $1 =~ s/\\-/-/gr =~ s/\\f.//gr =~ s/[" ]/ /gr;
		$found{$_} = 1 for spellings($head);
	}
	return \%found;
}

sub test_manual
{
	my ($program, @options) = @_;
	my ($page) = glob "$ROOT/doc/$program.[18]";
	my $found = $page ? described($page) : {};
	my @missing = grep { !$found->{$_} } map { @{$_->{names}} } @options;

	is("@missing", '', "$program: the manual page has every option");
}

# --- tests -------------------------------------------------------------------

# the words that follow the program's name in a line for the shell
sub words_for
{
	my ($program, $line) = @_;
	return map { split } $line =~
		m{(?:^|[\s/;|&(])\Q$program\E\s+([^|;&]*)}g;
}

# What a word of the command line sets: a bundle of letters, or a long name
# or a prefix of it.
sub set_by
{
	my ($word, $letters, $longs) = @_;
	return grep { index($_, $1) == 0 } @$longs if $word =~ /^(--[\w-]+)/;
	my @found;
	my ($bundle) = $word =~ /^-(\w.*)/ or return;
	while ($bundle =~ /(\w)/g) {
		my $option = $letters->{"-$1"} or last;
		push @found, "-$1";
		last if $option->{takes};
	}
	return @found;
}

# all spellings that the cases of a program use
sub used_in_cases
{
	my ($program, @options) = @_;
	my (%letters, %used);

	for my $option (@options) {
		$letters{$_} = $option for grep { /^-\w$/ } @{$option->{names}};
	}
	my @longs = grep { /^--/ } map { @{$_->{names}} } @options;
	my @cases = find_cases("$HERE/cases", $program, 'trace');
	for my $line (map { one_line("$HERE/cases/$_/cmd") } @cases) {
		$used{$_} = 1 for map { set_by($_, \%letters, \@longs) }
			words_for($program, $line);
	}
	return \%used;
}

# whether the test that is said to have it does
sub used_elsewhere
{
	my ($program, $name) = @_;
	my $file = $ELSEWHERE{$program}{$name} or return 0;
	return slurp("$HERE/$file") =~ /(?<![\w-])\Q$name\E(?![\w-])/;
}

sub test_tests
{
	my ($program, @options) = @_;
	my $used = used_in_cases($program, @options);
	my @untested = map { join '/', @{$_->{names}} } grep {
		my $option = $_;
		!grep { $used->{$_} || used_elsewhere($program, $_) }
			@{$option->{names}}
	} @options;

	is("@untested", '', "$program: every option has a test");
}

# -----------------------------------------------------------------------------

# all that are built: those in C, and scripts that have cases
sub programs
{
	my ($names) = slurp("$ROOT/Makefile") =~ /^NAMES = ((?:.*\\\n)*.*)/m;
	my %all = map { $_ => 1 } grep { $_ ne '\\' } split(' ', $names),
		map { s{.*/}{}r } glob "$HERE/cases/*";
	return grep { -f "$PROGRAMS->{dir}/$_" } sort keys %all;
}

my @programs = programs();
cmp_ok(scalar @programs, '>=', 3, 'there are programs');
for my $program (@programs) {
	my @options = options_of($program);
	ok(@options > 0, "$program: tells its options");
	test_table($program, @options);
	test_manual($program, @options);
	test_tests($program, @options);
}
done_testing();
