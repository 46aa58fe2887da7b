#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# The collector's units of doc/examples under a real systemd, which is process 1 of
# namespaces of its own: started by its socket, restarted while a sender waits,
# reloaded, ended where it does not answer.
#
#	BIN=DIR UNITS=DIR prove tests/live/systemd.t
#
# Nothing of this machine's own is touched: /run, /var/lib and /srv are new there.
# SYSTEMD_MUST=1: it is an error if systemd does not start.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile",
	"$FindBin::Bin/../server";
use Collector qw($PROGRAMS $TOP $CAPTURE make_root free_port good_run);
use Process qw(deadline patience);
use Records 'trace';
use Suite::Files qw(slurp spew);
use Test::More;
use Time::HiRes qw(sleep time);

my $SYSTEMD = '/lib/systemd/systemd';
my $EXAMPLES = "$FindBin::Bin/../../doc/examples";
my $UNIT = 'blktrace-collector';
my $PORT = free_port();
my $WATCHDOG = 3;	# s, in place of 30

plan skip_all => 'needs root' if $>;
plan skip_all => 'no systemd' unless -x $SYSTEMD;
plan skip_all => 'no namespaces'
	if system 'unshare -m -p -f -u -i true 2>/dev/null';

my $PID;	# of systemd, as we see it

# --- systemd ------------------------------------------------------------------

# the units with our program and port, and targets that do nothing
sub make_units
{
	mkdir "$TOP/units" or die "$TOP/units: $!\n";
	for my $kind (qw(service socket)) {
		my $text = slurp("$EXAMPLES/$UNIT.$kind");
		$text =~ s{/usr/sbin/blktrace}{/srv/blktrace};
		$text =~ s/^ListenStream=.*/ListenStream=$PORT/m;
		$text =~ s/^WatchdogSec=.*/WatchdogSec=$WATCHDOG/m;
		spew("$TOP/units/$UNIT.$kind", $text);
	}
	spew("$TOP/units/$_.target", "[Unit]\nDefaultDependencies=no\n")
		for qw(basic sysinit sockets shutdown default);
}

sub start_systemd
{
	spew("$TOP/begin", <<"END");
mount --make-rprivate /
mount -t tmpfs -o mode=755 tmpfs /run && mount -t tmpfs -o mode=755 tmpfs /srv &&
	mount -t tmpfs -o mode=755 tmpfs /var/lib && mount -t proc proc /proc &&
	cp -r $TOP/units /run/units && cp $PROGRAMS->{dir}/blktrace /srv || exit
export SYSTEMD_UNIT_PATH=/run/units container=test
exec $SYSTEMD --system --unit=default.target --log-target=console --show-status=no
END
	my $run = fork // die "fork: $!\n";
	if (!$run) {
		open STDOUT, '>', "$TOP/log" and open STDERR, '>&', \*STDOUT
			and exec 'unshare', '-m', '-p', '-f', '-u', '-i',
			'--kill-child', 'sh', "$TOP/begin";
		die "unshare: $!\n";
	}
	my $end = deadline(30);
	while (time < $end) {
		($PID) = split ' ', slurp("/proc/$run/task/$run/children");
		return $run if $PID && system("nsenter -t $PID -m -p -u -i" .
			' systemctl is-active -q default.target 2>/dev/null') == 0;
		sleep 0.2;
	}
	kill KILL => $run;
	my $why = 'systemd does not start here: ' . slurp("$TOP/log");
	die "$why\n" if $ENV{SYSTEMD_MUST};
	plan skip_all => $why =~ s/\n.*//sr;
}

# a command where systemd is: its output; $? is its status
sub inside
{
	my ($command) = @_;
	return `nsenter -t $PID -m -p -u -i sh -c '$command' 2>&1`;
}

sub property
{
	my ($name) = @_;
	my $text = inside("systemctl show -P $name $UNIT.service");
	chomp $text;
	return $text;
}

# until the property has that value; what it has in the end
sub property_becomes
{
	my ($name, $want, $seconds) = @_;
	my $end = deadline($seconds);
	my $have;

	while (($have = property($name)) ne $want && time < $end) {
		sleep 0.1;
	}
	return $have;
}

# the stored file of that device
sub stored_there
{
	my ($device) = @_;
	return inside("cat /var/lib/blktrace/127*/$device.blktrace.0");
}

my $RUN;
my $MAIN = $$;
END {
	my $status = $?;
	kill KILL => $PID if $PID && $$ == $MAIN;
	waitpid $RUN, 0 if $RUN && $$ == $MAIN;
	$? = $status;
}

# --- tests --------------------------------------------------------------------

my $TRACE = trace(1, 1000);

# a good sender, and what has come of it
sub is_served
{
	my ($device, $name) = @_;
	ok(good_run({ port => $PORT }, $TRACE, name => $device,
		    run => 1 + rand 1e6), $name);
	ok(stored_there($device) eq $TRACE, '... its trace is stored');
}

sub test_socket
{
	inside("systemctl start $UNIT.socket");
	is($?, 0, 'systemd has the port');
	is(property('ActiveState'), 'inactive', '... no collector runs');
	is_served('first', 'a sender starts it');
	is(property('ActiveState'), 'active', '... it said that it is ready');
	my $status = inside('cat /proc/' . property('MainPID') . '/status');
	unlike($status, qr/^Uid:\s+0\s/m, '... it is not root');
	like($status, qr/^NoNewPrivs:\s+1$/m, '... gets no rights');
	like($status, qr/^Seccomp:\s+2$/m, '... and few system calls');
}

sub test_restart
{
	my $root = make_root('root', trace(1, 100000));
	my $before = property('MainPID');
	ok($before, 'a collector runs');
	my $client = Process->start([$CAPTURE, 'relay', $root, 'spool',
				     '127.0.0.1', $PORT, $TOP], $TOP,
				    $PROGRAMS->{path});

	inside("systemctl restart $UNIT.service");
	is($?, 0, '... it is restarted');
	is($client->finish(patience(30)), 0, '... a sender with --spool waits');
	isnt(property('MainPID'), $before, '... for another one');
	is_served('second', '... which serves');
}

sub test_reload
{
	my $before = property('MainPID');

	inside("systemctl reload $UNIT.service");
	is($?, 0, 'it is reloaded');
	is_served('third', '... and serves');
	is(property('MainPID'), $before, '... the same one');
}

sub test_watchdog
{
	my $before = property('MainPID');

	sleep $WATCHDOG + 1;
	is(property('MainPID'), $before, 'it says that it lives');
	inside("kill -STOP $before");
	is(property_becomes('NRestarts', 1, 20), 1,
	   '... where it does not, systemd starts another one');
	is(property_becomes('ActiveState', 'active', 20), 'active',
	   '... which is ready');
	is_served('fourth', '... and serves');
}

sub test_stop
{
	inside("systemctl stop $UNIT.service $UNIT.socket");
	is($?, 0, 'it is stopped');
	is(property('Result'), 'success', '... as it should be');
}

make_units();
$RUN = start_systemd();
test_socket();
test_restart();
test_reload();
test_watchdog();
test_stop();
done_testing();
