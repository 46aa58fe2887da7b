#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# What is found in recorded traces: data/findings.txt, which a person has read.
#
#	BIN=DIR prove tests/findings.t
#	BIN=DIR tests/findings.t --hold
#
# A line "== NAME" begins a trace: a folder of data/, or of ../shared/traces
# (SHARED), which a fresh clone does not have: those are skipped then.  A trace
# in which nothing is found has that line only.  --hold rewrites the file; read
# what it has become.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename 'basename';
use File::Temp 'tempdir';
use Suite::Files qw(slurp spew unpack_set);
use Suite::Tap qw(work_in_order test_line);

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $BTSTAT = abs_path($ENV{BIN} || "$HERE/..") . '/btstat';
my $TOP = tempdir('findings.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $GOLDEN = "$HERE/data/findings.txt";

# the folder of a trace, undef when it is not at hand
sub folder_of
{
	my ($name) = @_;
	my ($found) = grep { -d } "$HERE/data/$name", "$SHARED/traces/$name";
	return $found;
}

# all traces that are at hand
sub names
{
	my %names = map { basename($_) => 1 }
		grep { -d } glob("\Q$HERE\E/data/*"), glob "\Q$SHARED\E/traces/*";
	delete $names{import};	# what other programs recorded
	return grep { my @files = glob folder_of($_) . '/*.xz'; @files }
		sort keys %names;
}

# what is found in a trace, which is unpacked into DIR
sub found_in
{
	my ($name, $dir) = @_;

	unpack_set(folder_of($name), $dir);
	my $input = -f "$dir/pipe.bin" ? "$dir/pipe.bin" : $dir;
	# damage is reported, and status 1
	my $text = Suite::Files::output_of('sh', '-c',
		'"$0" --explain --width=80 --ascii "$1" 2>/dev/null; ' .
		'test $? -le 1', $BTSTAT, $input);
	$text =~ s/\A.*?\n\n//s;	# about the trace as a whole
	return $text =~ s/\Anothing that .*\n\z//r;
}

# NAME => what is found, of the golden file
sub expected
{
	my (undef, %text) = split /^== (\S+)\n/m, slurp($GOLDEN), -1;
	return \%text;
}

# complaints about a trace
sub judge
{
	my ($name, $dir, $want) = @_;
	my $got = found_in($name, $dir);

	return () if $got eq $want;
	return ('expected:', split(/\n/, $want), 'found:', split /\n/, $got);
}

sub hold
{
	my $text = '';

	for my $name (names()) {
		mkdir "$TOP/$name";
		$text .= "== $name\n" . found_in($name, "$TOP/$name");
	}
	spew($GOLDEN, $text);
}

die "no $BTSTAT\n" unless -x $BTSTAT;
if (@ARGV && $ARGV[0] eq '--hold') {
	hold();
	exit;
}
my $expected = expected();
my @names = sort keys %$expected;
my ($number, $failed) = (0, 0);
print '1..' . (@names + 1) . "\n";
work_in_order(\@names,
	sub { folder_of($_[0]) ? judge(@_, $expected->{$_[0]}) : '# SKIP' },
	sub {
		my ($name, @complaints) = @_;
		my $skipped = "@complaints" eq '# SKIP';
		test_line(++$number, "findings of $name" .
			($skipped ? ' # SKIP no such trace here' : ''),
			$skipped ? () : @complaints);
		$failed = 1 if @complaints && !$skipped;
	});

# the manual page is what the rules say now: "make doc/btstat-findings.7"
my $page = Suite::Files::output_of('sh', '-c',
	'cat "$1.head" && "$0" --explain=all | awk -f "$1.awk"', $BTSTAT,
	"$HERE/../doc/btstat-findings");
my $current = $page eq slurp("$HERE/../doc/btstat-findings.7");
test_line(++$number, 'btstat-findings(7) is current',
	$current ? () : 'run: make doc/btstat-findings.7');
exit($failed || !$current);
