# SPDX-License-Identifier: GPL-2.0-only
# One run of a script in the virtual machine, as a test sees it.
package Guest;

use strict;
use warnings;
use Exporter 'import';
use File::Temp 'tempdir';
use FindBin;
use Tap 'note';
use Vm 'lines_of';

our @EXPORT_OK = qw(in_guest stood_still);

my $LEAPT = 123;	# run's status when the guest's clock leapt
my $LATE = 124;		# and when time was out
my $TRIES = 3;

# Runs SCRIPT with run's options: its status, and the directory of its results.
# A machine whose clock leapt, or that stood still of itself, is started again,
# and that is told; but not when it stood still while one of the programs under
# test, whose names are OURS, was there.
sub in_guest
{
	my ($ours, $script, @options) = @_;
	my ($out, $status);
	for my $try (1 .. $TRIES) {
		$out = tempdir('guest.XXXXXX', TMPDIR => 1, CLEANUP => 1);
		$status = system("$FindBin::Bin/run", @options, $script,
				 $out) >> 8;
		last unless $status == $LEAPT ||
			stood_still($status, $out, @$ours);
		note(($status == $LEAPT ? 'the clock leapt' :
			"the machine stood still without @$ours") .
		     " (try $try)");
	}
	return ($status, $out);
}

# Whether the machine stood still and it was not us.  A script that is only
# late is ended in the guest; else the kernel has told of every task, through
# the host's directory or, when nothing else went on, on the console.  Without
# that word it may have been us.
sub stood_still
{
	my ($status, $out, @ours) = @_;
	return 0 unless $status == $LATE && !-e "$out/status";
	my %task = map { m{\btask:(\S+)} ? ($1 => 1) : () }
		map { lines_of("$out/$_") } qw(stuck.txt console.log);
	return $task{script} && !grep { $task{$_} } @ours;
}

1;
