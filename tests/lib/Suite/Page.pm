# SPDX-License-Identifier: GPL-2.0-only
# Pages that tests/page.t looks at, and the script by which it asks them.
package Suite::Page;

use strict;
use warnings;
use Exporter 'import';
use File::Basename 'dirname';
use File::Spec;
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew unpack_set);
use Suite::Made qw(made_ios made_sealed made_trace);

our @EXPORT_OK = qw(pages_found page_js trace_of);

my $TOP = dirname(__FILE__) . '/../..';

# Pages that are made where none are given: the set of tests/data, options of
# btreport, what is done to a file of it before.
my %MADE = (
	'single' => ['readahead-seq'],
	'md' => ['md-raid1-3dev'],
	'dm' => ['dm-linear-3dev'],
	'ext4' => ['ext4-fsync-meta'],
	'masked' => ['mask-issue-complete'],
	'holes' => ['derived-skips'],
	'truncated' => ['derived-truncated'],
	'errors' => ['scsidbg-mediumerr'],
	'zoned' => ['zoned-basic'],
	'discard' => ['discard-zeroes'],
	'v8' => ['v8-ext4'],
	'procs' => ['smp4-merges-kworker'],
	'lossy' => ['overflow-b4n2'],
	'lossy-binned' => ['overflow-b4n2', '--size=64K'],
	'window' => ['md-raid1-3dev', '-w', '0.05:0.1'],
	'empty' => ['md-raid1-3dev', '-w', '1000:1001'],
	'hostile' => ['md-raid1-3dev', '-t', '</title><script>x()</script>',
		      \&rename_process],
);
# a name of a process, as long as names are
my $HOSTILE = "</script><img\0\0\0";
# I/Os of the pages that are large, by events of a made trace
my $EVENTS = '1100k';

# I/Os that never complete, of the pages of a disk that hangs
my $HANGS = 5;

# what each page was made of, by its path: a trace
my %TRACES;

sub pages_of
{
	my ($dir) = @_;
	return sort map { File::Spec->rel2abs($_) } glob "$dir/*.html";
}

# gives the processes called fio a name that would end a script
sub rename_process
{
	my ($path) = @_;
	spew($path, slurp($path) =~ s/fio\0{13}/$HOSTILE/gr);
}

sub run_or_die
{
	my @command = @_;
	system(@command) == 0 or die "'@command' fails: $?\n";
}

# One page of MADE into dir.  Of damaged traces it is made, too, but btreport
# ends with another status and says why: not here.
sub make_page
{
	my ($program, $name, $dir) = @_;
	my ($set, @options) = @{ $MADE{$name} };
	my $trace = tempdir('trace.XXXXXX', TMPDIR => 1, CLEANUP => 1);

	unpack_set("$TOP/data/$set", $trace);
	if (ref $options[-1]) {
		my $change = pop @options;
		$change->($_) for glob "$trace/*";
	}
	my @command = ($program, @options, '-o', "$dir/$name.html", $trace);

	open my $quiet, '-|', 'sh', '-c', 'exec "$@" 2>&1', 'sh', @command
		or die "sh: $!\n";
	my @said = <$quiet>;
	close $quiet;
	die "'@command' makes no page: @said\n" unless -s "$dir/$name.html";
	$TRACES{"$dir/$name.html"} = $trace;
}

# pages of a made trace that is too long for a small budget, or just not, if
# there is bench/mktrace to make it
sub make_large
{
	my ($program, $dir) = @_;
	my $maker = "$TOP/../bench/mktrace";
	my $trace = tempdir('trace.XXXXXX', TMPDIR => 1, CLEANUP => 1);

	return unless -x $maker;
	run_or_die($maker, '-c', 4, '-n', $EVENTS, '-d', 'sda', '-o', $trace);
	run_or_die($program, '-o', "$dir/large.html", $trace);
	run_or_die($program, '--size=1M', '-o', "$dir/large-binned.html",
		   $trace);
	$TRACES{$_} = $trace for "$dir/large.html", "$dir/large-binned.html";
}

# Pages of a disk that hangs: of $HANGS I/Os that never complete the oldest waits
# for four seconds, all I/Os as rows and as bins.
sub make_hanging
{
	my ($program, $dir) = @_;
	my $trace = tempdir('trace.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my @ios = map { { time => 0.0004 * $_, op => $_ % 3 ? 'R' : 'W',
			  sector => 8 * ($_ * 17 % 6007), pid => 100 + $_ % 2,
			  took => 0.00005 * (1 + $_ % 7) } } 0 .. 6000;

	push @ios, map { { time => 2.5 + 0.2 * $_, sector => 9000 * $_,
			   op => 'W', pid => 100, hangs => 1 } } 1 .. $HANGS;
	@ios[0, 1] = map { { %{$ios[$_]}, name => qw(postgres walwrite)[$_] } } 0, 1;
	spew("$trace/sda.blktrace.0", made_sealed(made_ios(@ios), 0, 1, 6.7));
	run_or_die($program, '-o', "$dir/hang.html", $trace);
	run_or_die($program, '--size=64K', '-o', "$dir/hang-binned.html",
		   $trace);
	$TRACES{$_} = $trace for "$dir/hang.html", "$dir/hang-binned.html";
}

# A page with marks between which discards come in bursts.
sub make_marked
{
	my ($program, $dir) = @_;
	my $trace = tempdir('trace.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my @ios = map { { time => 0.001 * $_, op => 'R', pid => 100,
			  sector => 8 * ($_ * 17 % 6007),
			  took => 0.0001 * (1 + $_ % 7) } } 0 .. 3000;
	my @marks = map { { time => $_->[0], text => $_->[1], pid => 100 } }
		[1.00, 'trim starts'], [1.04, 'trim ends'], [2, 'after'];

	push @ios, map { { time => 3 * $_ / 4000 + 0.002 * sin($_ / 20),
			   op => 'D', pid => 101, sector => 8 * $_,
			   took => 0.00002 } } 4 .. 3999;
	spew("$trace/sda.blktrace.0", made_trace([@ios], \@marks));
	run_or_die($program, '-o', "$dir/marked.html", $trace);
	$TRACES{"$dir/marked.html"} = $trace;
}

# the trace that a page was made of here, if it was
sub trace_of
{
	my ($path) = @_;
	return $TRACES{$path};
}

# pages made by the btreport of BIN
sub pages_made
{
	my $program = ($ENV{BIN} // "$TOP/..") . '/btreport';
	my $dir = tempdir('pages.XXXXXX', TMPDIR => 1, CLEANUP => 1);

	return unless -x $program;
	make_page($program, $_, $dir) for sort keys %MADE;
	make_large($program, $dir);
	make_hanging($program, $dir);
	make_marked($program, $dir);
	return pages_of($dir);
}

# paths of all pages, absolute
sub pages_found
{
	return $ENV{PAGES} ? pages_of($ENV{PAGES}) : pages_made();
}

# what is asked of a page: window.page, which tests/page/*.js make
sub page_js
{
	return join '', map { slurp($_) } sort glob "$TOP/page/*.js";
}

1;
