#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Every option of every program that is built: in its --help, in its manual
# page, in the completion of its command line, and in a test; and what --help and
# --version print, and where.
#
#	BIN=DIR prove tests/options.t
#
# Cases of a program are tests of the options in their commands; for the rest a
# list below names the test, which has to have the option in it.
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
	(map { $_ => { '--no-progress' => 'progress.t' } }
	 qw(blkrawverify btrecord verify_blkparse)),
	(map { $_ => { '--no-progress' => 'progress.t',
		       '--threads' => 'threads.t' } } qw(blkparse btt)),
	btexport => { '--no-progress' => 'progress.t', '--keep' => 'devices.t',
		'--threads' => 'threads.t',
		'--shift' => 'hosts.t', '--align' => 'hosts.t',
		(map { $_ => 'btexport.t' }
		 qw(-i --input -D --input-directory --table --fields -w
		    --stopwatch -a --act-mask -A --set-mask --where --format
		    -o --output --no-header --null --compress
		    --target --at --every
		    --strict --schema --ttl --queries --upgrade --verify --query)),
		    '--follow' => 'follow.t',
		    '--to' => 'ship.t', '--spool' => 'ship.t',
		    '--status' => 'ship.t' },
	iowatcher => { '--no-progress' => 'iowatcher.t', '--keep' => 'devices.t',
		(map { $_ => 'live/iowatcher.t' }
		 qw(-d --device -D --blktrace-destination -p --prog)),
		(map { $_ => 'iowatcher.t' }
		 qw(-t --trace -F --fio-trace -l --label -O --only-graph -N
		    --no-graph -x --xzoom -y --yzoom -a --io-plot-action -P --per-process-io
		    -r --rolling -o --output -T --title -w --width -h --height
		    -c --columns --html --size --json --csv -m --movie -C --codec -K
		    --keep-movie-svgs)) },
	btreport => { '--no-progress' => 'progress.t', '--keep' => 'devices.t',
		'--threads' => 'threads.t',
		'--shift' => 'hosts.t', '--align' => 'hosts.t',
		(map { $_ => 'btreport.t' }
		 qw(-w --stopwatch -d --devices -t --title --size -o --output
		    --json --csv --theme --cache --compare)),
		    '--capacity' => 'capacity.t' },
	btimport => { '--no-progress' => 'progress.t',
		(map { $_ => 'btimport.t' } qw(-o --output --from --columns)),
		'--format' => 'import-blkparse.t' },
	btpack => { '--no-progress' => 'progress.t',
		(map { $_ => 'btpack.t' }
		 qw(-o --output --gunzip -w --stopwatch --between -a --act-mask
		    -A --set-mask --anonymise -d --restore -D --directory -f --force
		    -l --list -t --test)) },
	blktop => { '--hold' => 'screen.t', '--color' => 'screen.t',
		    '--steps' => 'blktop.t' },
	btstat => { '--no-progress' => 'progress.t', '--keep' => 'devices.t',
		    '--threads' => 'threads.t',
		    '--cache' => 'cache.t', '--block' => 'cache.t',
		    '--capacity' => 'capacity.t',
		'--between' => 'marks.t', '--marks' => 'marks.t',
		'--shift' => 'hosts.t', '--align' => 'hosts.t' },
	blktrace => {
		'-D' => 'live/capture.t', '-l' => 'server.t',
		'-r' => 'live/capture.t', '--check' => 'live/doctor.t',
		'--card' => 'card.t', '--no-serial' => 'vm/guest/card',
		'--mark' => 'live/marks.t', '--cgroup' => 'live/cgroups.t',
		'--joined' => 'live/joined.t',
		'--ca' => 'tls.t',
	},
	iotracer => {
		'-s' => 'vm/guest/iotracer', '-a' => 'live/iotracer.t',
		'-x' => 'live/iotracer.t', '-b' => 'live/iotracer.t',
		'-v' => 'live/iotracer.t', '-d' => 'live/iotracer.t',
		'--commits' => 'live/commits.t',
	},
	btreplay => {
		'-N' => 'live/replay.t', '-W' => 'live/replay.t',
		'--dry-run' => 'live/replay.t', '--report' => 'live/replay.t',
		'--no-flush' => 'live/replay.t',
		'--no-discard' => 'live/replay.t',
	},
);

# what every program has, and this test looks at
my %STANDARD = map { $_ => 1 } '--help', '--version', '--completion';

my ($VERSION) = slurp("$ROOT/cli/version.h") =~
	/^#define SUITE_VERSION "(.*)"/m;

sub run
{
	my ($command) = @_;
	return run_command($command, tempdir(CLEANUP => 1), $PROGRAMS);
}

# --- what a program says of itself -------------------------------------------

# The options in a text of help: { names => [spellings], takes => it wants an
# argument }.
sub options_in
{
	my ($text) = @_;
	my @heads = $text =~ /^(?: {2}| {6})(-.*?)(?: {2}|$)/mg;
	return map { { names => [spellings($_)],
		       takes => scalar(/[=]| [A-Z]/) } } @heads;
}

# Behind one dash every letter is an option.
sub spellings
{
	my ($text) = @_;
	return map { /^-(\w+)/ ? map { "-$_" } split //, $1 : $_ }
		$text =~ /(?<![\w-])(--?[A-Za-z][\w-]*)/g;
}

sub test_help
{
	my ($program, $got) = @_;

	is("$got->{rc}, $got->{err}", '0, ', "$program: --help is an answer");
	like($got->{out}, qr{\AUsage:\ \Q$program\E\ .*\n
			     (?:\ \ \ or:\ .*\n)*
			     \n(?:\S.*\n)+
			     (?:\n[A-Z].*:\n(?:\ .*\n)+)+
			     \nExamples:\n(?:\ .*\n){2,3}
			     \nExit\ status:\ .*\n(?:\ .*\n)*
			     Manual:\ man\ [18]\ $program\n
			     Version:\ .*\b$VERSION\b.*\n\z}x,
	     "$program: --help is laid out as all are");
	my @wide = grep { length > 80 } split /\n/, $got->{out};
	is("@wide", '', "$program: --help fits a terminal");
}

# the spellings of an option that is named so, if the program has it
sub spelt
{
	my ($name, @options) = @_;
	return grep { /^--|^-V/ } map { @{$_->{names}} }
		grep { grep { $_ eq $name } @{$_->{names}} } @options;
}

sub test_version
{
	my ($program, @options) = @_;

	for my $spelling (spelt('--version', @options)) {
		my $got = run("$program $spelling");
		is($got->{rc}, 0, "$program $spelling is an answer");
		like("$got->{out}$got->{err}", qr/^.*\b\Q$VERSION\E\b/m,
		     "$program $spelling has the suite's version");
	}
}

# What is asked for and cannot be printed is a failure.
sub test_full
{
	my ($program, @options) = @_;

	for my $spelling (map { spelt($_, @options) } '--help', '--version') {
		my $got = run("$program $spelling >/dev/full");
		is($got->{rc}, 1, "$program $spelling >/dev/full is a failure");
		like($got->{err}, qr/^\S.*: .*standard output/m,
		     "$program $spelling >/dev/full says so");
	}
}

# --- completion --------------------------------------------------------------

# All spellings that bash's script offers, "=" taken off.
sub offered
{
	my ($script) = @_;
	my ($words) = $script =~
		/^\tif \[\[ \$word == -\* .*\n.*compgen -W '(.*)'/m;
	return map { s/=\z//r } split ' ', $words // '';
}

sub test_completion
{
	my ($program, @options) = @_;
	return unless spelt('--completion', @options);
	my $got = run("$program --completion=bash");

	is(join(' ', sort(offered($got->{out}))),
	   join(' ', sort map { @{$_->{names}} } @options),
	   "$program: completion offers what --help has");
	is(run("$program --completion=csh")->{rc}, 1,
	   "$program: there are three shells");
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
	my %found = map { %{described($_)} }
		glob "$ROOT/doc/{$program,$program-*}.[18]";
	my @missing = grep { !$found{$_} } map { @{$_->{names}} } @options;

	is("@missing", '', "$program: its manual pages have every option");
}

# what it costs to read a long trace, or to take one
sub test_limits
{
	my ($program) = @_;
	my ($page) = glob "$ROOT/doc/$program.[18]";
	my ($limits) = ($page ? slurp($page) : '') =~
		/^\.SH LIMITS\n(.*?)^\.SH /ms;

	like($limits, qr/\btime\b.*\bmemory\b/is,
	     "$program: the manual page says what time and memory grow with");
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
	} grep { !grep { $STANDARD{$_} } @{$_->{names}} } @options;

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
	my $help = run("$program --help");
	my @options = options_in($help->{out});
	test_help($program, $help);
	test_version($program, @options);
	test_full($program, @options);
	test_completion($program, @options);
	test_manual($program, @options);
	test_limits($program);
	test_tests($program, @options);
}
done_testing();
