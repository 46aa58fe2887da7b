# SPDX-License-Identifier: GPL-2.0-only
# What the rig's tests say, in TAP: checks of their own, and those of a guest
# under their numbers.
package Tap;

use strict;
use warnings;
use Exporter 'import';

our @EXPORT_OK = qw(ok note relay_checks require_packages finish);

my $count = 0;
my $failed = 0;

# One check.  When it does not hold, standard error has what and WHY, as prove
# shows nothing else of it.
sub ok
{
	my ($good, $what, @why) = @_;
	printf "%s %d - %s\n", $good ? 'ok' : 'not ok', ++$count, $what;
	return $good if $good;
	print STDERR comments("failed: $what", @why);
	$failed++;
	return $good;
}

sub comments
{
	return map { '# ' . s/^# //r . "\n" } @_;
}

sub note
{
	print comments(@_);
}

# The guest's own TAP under our numbers, with what it said in between, which
# is why the check that follows has failed.
sub relay_checks
{
	my ($prefix, @log) = @_;
	my ($seen, @said) = (0);
	for my $line (@log) {
		if ($line =~ m{^(not )?ok \d+ - (.*)}) {
			ok(!$1, "$prefix: $2", @said);
			$seen++;
			@said = ();
		} elsif ($line !~ m{^1\.\.\d}) {
			note($line);
			push @said, $line;
		}
	}
	my ($planned) = map { m{^1\.\.(\d+)$} } @log;
	ok(($planned // 0) > 0 && $seen == $planned,
	   "$prefix: all checks were run");
}

# Skips it all where packages LACK, unless it must run here.
sub require_packages
{
	my (@lack) = @_;
	return unless @lack;
	die "please install @lack\n" if $ENV{VM_MUST};
	print "1..0 # SKIP please install @lack\n";
	exit 0;
}

# The plan, and the exit status.
sub finish
{
	print "1..$count\n";
	exit($failed ? 1 : 0);
}

1;
