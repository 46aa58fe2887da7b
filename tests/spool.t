#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# blktrace --spool and a collector that dies, is replaced, is full or cannot be
# reached: each record is stored once, and in order.
#
#	BIN=DIR UNITS=DIR prove tests/spool.t
#
# BIN and WRAP are server.t's.  bench/capture, which sends files as if the kernel
# had them, is beside the directory of UNITS.  FAULTS is how many connections are
# cut or servers killed (20).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile", "$FindBin::Bin/server";
use Collector qw($PROGRAMS $TOP $CAPTURE make_root free_port serve_here
		 new_dir serve_again stop stored unsealed);
use File::Temp 'tempdir';
use IO::Select;
use IO::Socket::IP;
use Process qw(deadline patience);
use Proxy qw(proxy end_proxy faults);
use Records 'trace';
use Suite::Files 'slurp';
use Test::More;
use Time::HiRes qw(sleep time);

my $FAULTS = $ENV{FAULTS} || 20;

my ($RECORDS, $MEAN) = (60000, 250000);	# bytes that a connection carries
my $TRACE = trace(1, $RECORDS);
my $ROOT = make_root('root', $TRACE);
my @HERE = ('--bind', '127.0.0.1');

# a sender of $ROOT: a Process
sub send_to
{
	my ($port) = @_;
	return Process->start([$CAPTURE, 'relay', $ROOT, 'spool', '127.0.0.1',
			       $port, $TOP], $TOP, $PROGRAMS->{path});
}

# The server has one run, and that of $ROOT.
sub is_exact
{
	my ($server, $name) = @_;
	my @dirs = glob "$server->{dir}/127*";

	is(@dirs, 1, "$name: one directory");
	ok(unsealed(stored($server, 'sda.blktrace.0')) eq $TRACE,
	   '... with each record once, in order');
}

# Kills the server as a loss of power would, and starts it again.
sub kill_server
{
	my ($server, @options) = @_;

	$server->{run}->signal('KILL');
	$server->{run}->finish;
	sleep rand 0.1;
	serve_again($server, @HERE, @options);
}

# --- tests -------------------------------------------------------------------

sub test_run
{
	my $server = serve_here();
	my $client = send_to($server->{port});

	is($client->finish(patience(30)), 0, 'a sender with acknowledgements');
	is($client->errors, "$RECORDS\n", '... says nothing');
	is_exact($server, '...');
	is(stop($server), 0, '... status 0');
	like($server->{run}->text, qr/end\ of\ run\ for\ 127\.0\.0\.1:sda\n.*
		^\ \ CPU\ \ 0:\ +60000\ events,\ +2813\ KiB/msx,
	     '... and totals');
	like(slurp(glob "$server->{dir}/.runs/*"), qr/\nended\n\z/,
	     '... the run has ended');
}

# Connections that are cut, and servers that are killed, until there were as many
# as wanted.
sub test_faults
{
	my ($dir, @options) = @_;
	my $server = { dir => $dir, port => free_port() };
	serve_again($server, @HERE, @options);
	my $proxy = proxy($server->{port}, $MEAN);
	my ($runs, $failed, $wrong, $kills, $cuts) = (0, 0, 0, 0, 0);

	while ($kills + $cuts < $FAULTS) {
		my $client = send_to($proxy->{port});
		while ($client->runs && $kills + $cuts < $FAULTS) {
			sleep rand 0.6;
			$cuts += faults($proxy);
			next unless $client->runs;
			kill_server($server, @options);
			$kills++;
		}
		$failed++ if $client->finish(patience(60));
		$runs++;
		$wrong++ if unsealed(stored($server, 'sda.blktrace.0')) ne
			$TRACE;
		system('sh', '-c', "rm -r $server->{dir}/127*");
		$cuts += faults($proxy);
	}
	end_proxy($proxy);
	is($failed, 0, "senders, $cuts connections cut, $kills servers killed"
	   . (@options ? " (@options)" : ''));
	is($wrong, 0, "... $runs runs have each record once, in order");
	is(stop($server), 0, '... status 0');
}

# It is full; another one, in its place, is not.
sub test_upgrade
{
	my $server = serve_here('--max-bytes=300K/source');
	my $client = send_to($server->{port});

	$client->errors_until(qr/cannot store: --max-bytes is reached/);
	pass('a sender waits for a server that is full');
	is(stop($server), 0, '... which is replaced');
	serve_again($server, @HERE);
	is($client->finish(patience(60)), 0, '... and then all is delivered');
	like($client->errors, qr/connected again after [\d.]+ s, .* waited/,
	     '... as it says');
	is_exact($server, '...');
	stop($server);
}

# The server loses what it has acknowledged, as by a loss of power without
# --durable: that is missing, once, and nothing comes twice.
sub test_forgetful
{
	my ($server, $proxy, $client);

	# again if all had been sent by then
	for (1 .. 20) {
		$server = serve_here();
		$proxy = proxy($server->{port}, $MEAN);
		$client = send_to($proxy->{port});
		$client->errors_until(qr/connected again/);
		$server->{run}->signal('KILL');
		$server->{run}->finish;
		last if $client->runs;
		end_proxy($proxy);
	}
	my ($file) = glob "$server->{dir}/127*/sda.blktrace.0";
	my $seal = 48 + unpack 'x46 S', slurp($file);
	truncate $file, 0 or die "$file: $!\n";
	serve_again($server, @HERE);
	is($client->finish(patience(60)), 0, 'a server that forgets');
	end_proxy($proxy);
	my @said = $client->errors =~ /(\d+) bytes that it had acknowledged/g;
	is(@said, 1, '... the sender says so, once');
	my $have = unsealed(stored($server, 'sda.blktrace.0'));
	my $same = ($have ^ $TRACE) =~ /^(\0*)/ ? length $1 : 0;
	my $rest = substr $have, $same - $same % 48;
	my $short = length($TRACE) - length $have;
	ok($rest eq (length $rest ? substr $TRACE, -length $rest : ''),
	   '... the rest comes once');
	# with the first seal, and maybe the last
	ok(scalar(grep { $said[0] == $short + $_ * $seal } 1, 2),
	   '... as much is missing as it says');
	stop($server);
}

# What must be there at the start.
sub test_absent
{
	my $client = send_to(free_port());
	is($client->finish(patience(30)), 1, 'no server: the sender ends');
	like($client->errors, qr/Connection to 127\.0\.0\.1 refused/,
	     '... and says why');

	my $old = IO::Socket::IP->new(LocalHost => '127.0.0.1', Listen => 4)
		or die "listen: $@\n";
	$client = send_to($old->sockport);
	while ($client->runs) {
		close $old->accept if IO::Select->new($old)->can_read(0.1);
	}
	is($client->finish(patience(30)), 1,
	   'a server of another protocol: the sender ends');
	like($client->errors, qr/needs a sender without --spool/,
	     '... and says what helps');
}

# A run of somebody who does not come back stays, without half a record.
sub test_gone
{
	my $server = serve_here();
	my $proxy = proxy($server->{port}, $MEAN);
	my $client = send_to($proxy->{port});

	$client->errors_until(qr/connection lost/);
	$client->signal('KILL');
	$client->finish;
	$server->{run}->errors_until(qr{its run waits|connection dropped});
	end_proxy($proxy);
	is(stop($server), 0, 'a sender that does not come back: status 0');
	my $have = unsealed(stored($server, 'sda.blktrace.0'));
	ok($have eq substr($TRACE, 0, length $have) &&
	   length($have) % 48 == 0, '... what came is kept');
	unlike($server->{run}->text, qr/end of run/, '... without totals');
}

test_run();
test_faults(new_dir());
# in memory, as others may keep the disk busy
test_faults(tempdir('spool.XXXXXX', DIR => '/dev/shm', CLEANUP => 1),
	    '--durable');
test_upgrade();
test_forgetful();
test_absent();
test_gone();
done_testing();
