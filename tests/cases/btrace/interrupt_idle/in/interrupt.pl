# Starts btrace as a job of its own, interrupts the job as a terminal would,
# and ends with the status that btrace ends with.
use strict;
use warnings;
use Time::HiRes 'sleep';

$SIG{INT} = 'DEFAULT';
my $pid = fork // die "fork: $!\n";
if ($pid == 0) {
	setpgrp 0, 0;
	exec './btrace', '/dev/sda' or die "btrace: $!\n";
}
sleep 0.05 until -e 'ready';
sleep 0.2;		# blktrace's trap, too
kill 'INT', -$pid;
waitpid $pid, 0;
print "btrace has ended\n";
exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
