# SPDX-License-Identifier: GPL-2.0-only
# Test lines in order from work done in any order.
#
# Each item is worked on by a forked child, a few at a time; what the child
# has to complain about travels back in a file.  The parent speaks TAP, in the
# order of the items, as soon as the next one is known.
package Suite::Tap;

use strict;
use warnings;
use Exporter 'import';
use File::Path 'remove_tree';
use File::Temp 'tempdir';
use POSIX ();
use Suite::Files qw(slurp spew);

our @EXPORT_OK = qw(work_in_order run_named test_line note);

# a diagnostic line longer than this is cut
my $WIDTH = 160;

sub job_count
{
	return $ENV{JOBS} if ($ENV{JOBS} || '') =~ /^[1-9]\d*\z/;
	my $cpus = `getconf _NPROCESSORS_ONLN 2>/dev/null` || 1;
	return $cpus + 0;
}

# work->(item, empty directory) runs in a child and returns lines of
# complaint, or none; show->(item, lines) runs here, item after item.
sub work_in_order
{
	my ($items, $work, $show) = @_;
	my $top = tempdir('cases.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my ($next, $shown, %running, %done) = (0, 0);
	local $SIG{INT} = sub { exit 130 };	# so that $top is cleaned up
	local $SIG{TERM} = sub { exit 143 };

	while ($shown < @$items) {
		while ($next < @$items && keys %running < job_count()) {
			my $pid = start($items->[$next], $work, "$top/$next");
			$running{$pid} = $next++;
		}
		my $pid = waitpid -1, 0;
		my $index = delete $running{$pid};
		next unless defined $index;
		$done{$index} = [result($?, "$top/$index")];
		while (my $lines = delete $done{$shown}) {
			$show->($items->[$shown++], @$lines);
		}
	}
}

# Tests of their own names: do maps each to what returns complaints.  Prints the
# plan and a line for each; how many failed.
sub run_named
{
	my ($do, @names) = @_;
	my ($number, $failed) = (0, 0);

	print '1..', scalar @names, "\n";
	work_in_order(\@names, sub { $do->{$_[0]}->() }, sub {
		my ($name, @complaints) = @_;
		test_line(++$number, $name, @complaints);
		$failed++ if @complaints;
	});
	return $failed;
}

sub start
{
	my ($item, $work, $base) = @_;
	my $pid = fork;
	die "fork: $!\n" unless defined $pid;
	return $pid if $pid;

	my $fine = eval {
		mkdir "$base.dir" or die "$base.dir: $!\n";
		spew("$base.said", join '', map { "$_\n" }
			map { split /\n/ } $work->($item, "$base.dir"));
		remove_tree("$base.dir");
		1;
	};
	warn $@ unless $fine;
	# the parent's clean-up handlers are not ours to run
	POSIX::_exit($fine ? 0 : 1);
}

sub result
{
	my ($status, $base) = @_;
	return ("the test itself failed, status $status") if $status;
	my @lines = split /\n/, slurp("$base.said");
	unlink "$base.said";
	return @lines;
}

# one line of TAP; complaints make it fail and follow as diagnostics
sub test_line
{
	my ($number, $name, @complaints) = @_;
	$| = 1;
	print @complaints ? 'not ' : '', "ok $number - $name\n";
	note(@complaints);
}

sub note
{
	for my $line (@_) {
		my $clean = substr $line, 0, $WIDTH;
		$clean =~ tr/\t\x20-\x7e/?/c;
		print "# $clean\n";
	}
}

1;
