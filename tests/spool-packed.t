#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Packed runs over the network: any sender and any collector, also killed ones,
# store each record once and in order.
#
#	BIN=DIR UNITS=DIR prove tests/spool-packed.t
#
# BIN, WRAP and UNITS are spool.t's.  FAULTS is how many connections are cut or
# servers killed (12).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile", "$FindBin::Bin/server";
use Collector qw($PROGRAMS $TOP $CAPTURE make_root free_port serve_here
		 new_dir serve_again stop unsealed open_one send_data);
use IO::Select;
use IO::Socket::IP;
use Process 'patience';
use Proxy qw(proxy end_proxy faults);
use Records 'record';
use Suite::Files qw(slurp spew);
use Test::More;
use Time::HiRes qw(sleep time);
use Wire qw(ask connect_to finish frame hear_frame open_acked $ANSWER $CLOSE);

my $FAULTS = $ENV{FAULTS} || 12;
my ($RECORDS, $MEAN) = (40000, 60000);	# bytes that a connection carries

# As records are, no two alike: they shrink to a tenth, not to nothing.
sub make_trace
{
	my ($count) = @_;
	my $time = 0;

	srand 7;
	return join '', map {
		$time += int rand 20000;
		record(number => $_, time => $time, pid => int rand 9,
		       sector => 8 * int rand 1e6,
		       action => (0x00120001, 0x00410007)[rand 2])
	} 1 .. $count;
}

my $TRACE = make_trace($RECORDS);
my $ROOT = make_root('root', $TRACE);
srand;

plan skip_all => 'built without libzstd'
	if `$PROGRAMS->{dir}/blktrace --pack /dev/null 2>&1` =~ /libzstd/;

my @HERE = ('--bind', '127.0.0.1');

# a sender of $ROOT, which packs or not: a Process
sub send_to
{
	my ($port, $kind) = @_;
	return Process->start([$CAPTURE, 'relay', $ROOT, $kind, '127.0.0.1',
			       $port, $kind eq 'net' ? () : $TOP], $TOP,
			      $PROGRAMS->{path});
}

# The bytes of a CPU of sda in a packed file, without seals.
sub unpacked
{
	my ($file, $cpu) = @_;
	my $dir = new_dir();
	my $run = Process->start(['btpack', '-d', $file], $dir,
				 $PROGRAMS->{path});

	$run->finish(patience(30));
	my $bytes = "$dir/sda.blktrace." . ($cpu || 0);
	return -e $bytes ? unsealed(slurp($bytes)) : 'no such file';
}

# all that blkparse knows of the records that a name means
sub records_of
{
	my ($dir, $name) = @_;
	my $run = Process->start(['blkparse', '-q', '-i', "$dir/$name", '-f',
				  '%D %c %s %T.%t %p %a %d %S %n %N\n'], $TOP,
				 $PROGRAMS->{path});

	my $status = $run->finish(patience(30));
	return join '', "status $status\n",
		grep { /^ *\d+,\d+ .* \+?\d* ?\d+$/ } split /^/, $run->text;
}

mkdir "$TOP/want" or die "want: $!\n";
spew("$TOP/want/sda.blktrace.0", $TRACE);
my $WANT = records_of("$TOP/want", 'sda');

# The server has one run, that of $ROOT, in one packed file.
sub is_exact
{
	my ($server, $name) = @_;
	my @files = map { s{.*/}{}r } glob "$server->{dir}/127*/*";
	my ($dir) = glob "$server->{dir}/127*";

	is("@files", 'sda.btz', "$name: one packed file");
	my $have = unpacked("$dir/sda.btz");
	ok($have eq $TRACE, '... with each record once, in order')
		or diag length($have) . ' bytes, not ' . length $TRACE;
}

# --- both ends ----------------------------------------------------------------

sub test_ends
{
	like($WANT, qr/^status 0\n(?:.*\n){$RECORDS}\z/, 'what is to come');
	for my $kind (qw(net spool spool-pack)) {
		my $server = serve_here('--pack');
		my $client = send_to($server->{port}, $kind);
		is($client->finish(patience(30)), 0, "a sender: $kind");
		is($client->errors, "$RECORDS\n", '... says nothing');
		is(stop($server), 0, '... status 0');
		is_exact($server, '...');
		my ($dir) = glob "$server->{dir}/127*";
		ok(records_of($dir, 'sda') eq $WANT, '... as readers see it');
		my $size = -s (glob "$server->{dir}/127*/sda.btz")[0];
		cmp_ok($size, '<', length($TRACE) / 5,
		       '... a fifth of the size at most');
		like($server->{run}->text, qr/^\ \ CPU\ \ 0:\ +$RECORDS\ events/mx,
		     '... and totals');
	}
	my $server = serve_here();
	my $client = send_to($server->{port}, 'spool-pack');
	is($client->finish(patience(30)), 0, 'it packs, the collector does not');
	stop($server);
	my ($dir) = glob "$server->{dir}/127*";
	ok(records_of($dir, 'sda') eq $WANT, '... each record once, in order');
}

# A client of release 1.3.0 sends what it likes where it likes: two devices in one
# file, and half a record is cut off.
sub test_old
{
	my $server = serve_here('--pack');
	my $a = open_one($server, name => 'sda', run => 7, cpu => 0);
	my $b = open_one($server, name => 'sdb', run => 7, cpu => 1);

	send_data($a, substr($TRACE, 0, 48 * 100 + 5), name => 'sda', run => 7);
	my $data = join '', map { record(number => $_, time => 1000 * $_,
					 cpu => 1, device => 8 << 20 | 16) }
		1 .. 10;
	send_data($b, $data, name => 'sdb', run => 7, cpu => 1);
	for ([$a, 'sda'], [$b, 'sdb']) {
		my ($socket, $name) = @$_;
		is(ask($socket, name => $name, run => 7, cpu => 0,
		       len => $CLOSE), $ANSWER, "1.3.0: the close of $name");
		ok(finish($socket), '... ends it');
	}
	like($server->{run}->errors, qr/half a record at the end, 5 bytes/,
	     '... half a record is cut off');
	my ($file) = glob "$server->{dir}/127*/blktrace.btz";
	ok($file, '... one packed file');
	my ($dir) = glob "$server->{dir}/127*";
	my @lines = split /^/, records_of($dir, 'blktrace.btz');
	is(@lines, 1 + 110, '... with all records');
	stop($server);
}

# --- a server that we are -----------------------------------------------------

# The kinds of frames with records that a packing sender sends to a server whose
# welcome has this lane, and their bytes; and what it says.
sub sent_to
{
	my ($takes) = @_;
	my $listener = IO::Socket::IP->new(LocalHost => '127.0.0.1',
					   Listen => 4) or die "listen: $@\n";
	my $client = send_to($listener->sockport, 'spool-pack');
	my $socket = $listener->accept;
	my ($blocks, $bytes, $asked, %kinds) = (0, 0, undef);

	while (my ($kind, $lane, undef, $content, $extra) =
	       hear_frame($socket)) {
		$asked = $extra if $kind eq 'b';
		Wire::say($socket, frame('w', $takes, 0, '')) if $kind eq 's';
		if ($kind =~ /[dp]/) {
			$kinds{$kind}++;
			$bytes += length $content;
			Wire::say($socket, frame('a', 0, ++$blocks, ''));
		}
		last if $kind eq 'e';
	}
	Wire::say($socket, frame('y', 0, 0, ''));
	is($client->finish(patience(30)), 0, 'a packing sender: status 0');
	is($asked, 1, '... asks whether it may');
	return (join('', sort keys %kinds), $bytes, $client->errors);
}

sub test_offer
{
	my ($kinds, $bytes, $errors) = sent_to(0);
	is($kinds, 'd', '... an older server gets plain blocks');
	cmp_ok($bytes, '>=', length $TRACE, '... all of them');
	is($errors, "capture: 127.0.0.1 does not take packed records: they are"
	   . " sent plain\n$RECORDS\n", '... as the sender says');

	($kinds, $bytes, $errors) = sent_to(1);
	# a seal stays plain
	is($kinds =~ tr/d//dr, 'p', '... a newer one packed ones');
	cmp_ok($bytes, '<', length($TRACE) / 4, '... a quarter of the bytes');
	is($errors, "$RECORDS\n", '... and the sender says nothing');
}

# --- faults -------------------------------------------------------------------

# Kills the server as a loss of power would, and starts it again.
sub kill_server
{
	my ($server, @options) = @_;

	$server->{run}->signal('KILL');
	$server->{run}->finish;
	sleep rand 0.1;
	serve_again($server, @HERE, @options);
}

# What a killed server has left can be read, and a next one goes on with it.
sub test_killed
{
	my $server = { dir => new_dir(), port => free_port() };
	serve_again($server, @HERE, '--pack');
	my $proxy = proxy($server->{port}, 6 * $MEAN);
	my $client = send_to($proxy->{port}, 'spool');

	$client->errors_until(qr/connected again|connection lost/);
	sleep 1;
	kill_server($server);
	my ($file) = glob "$server->{dir}/127*/sda.btz";
	if ($file) {
		my $have = unpacked($file);
		ok($have eq substr($TRACE, 0, length $have),
		   'what a killed collector has left are its first records');
	}
	is($client->finish(patience(60)), 0, '... the sender continues');
	end_proxy($proxy);
	is(stop($server), 0, '... with a collector that does not pack');
	is_exact($server, '...');
}

# A server that is killed when it has just acknowledged something has that.
sub test_acknowledged
{
	my ($right, $runs) = (0, 4);

	for my $run (1 .. $runs) {
		my $server = serve_here('--pack');
		my $socket = connect_to($server->{port});
		my ($sent, @ends) = (0);
		open_acked($socket, pack('a16', $run), 0) or die "no run\n";
		for (1 .. 5 * $run) {
			my $len = 48 * int 1 + rand 500;
			Wire::say($socket, frame('d', 0, $sent, substr $TRACE,
						 $sent, $len));
			push @ends, $sent += $len;
		}
		my ($kind, undef, $blocks) = hear_frame($socket);
		$server->{run}->signal('KILL');
		$server->{run}->finish;
		my ($file) = glob "$server->{dir}/127*/sda.btz";
		my $have = $file ? unpacked($file) : '';
		$right++ if $kind eq 'a' &&
			length $have >= $ends[$blocks - 1] &&
			$have eq substr $TRACE, 0, length $have;
	}
	is($right, $runs, 'what is acknowledged survives a killed collector');
}

# Connections that are cut, and servers that are killed, until there were as many
# as wanted.
sub test_faults
{
	my ($kind, @options) = @_;
	my $server = { dir => new_dir(), port => free_port() };
	serve_again($server, @HERE, @options);
	my $proxy = proxy($server->{port}, $kind eq 'spool' ? 6 * $MEAN :
			  $MEAN);
	my ($runs, $failed, $wrong, $kills, $cuts) = (0, 0, 0, 0, 0);

	while ($kills + $cuts < $FAULTS) {
		my $client = send_to($proxy->{port}, $kind);
		while ($client->runs && $kills + $cuts < $FAULTS) {
			sleep rand 1.2;
			$cuts += faults($proxy);
			next unless $client->runs;
			kill_server($server, @options);
			$kills++;
		}
		$failed++ if $client->finish(patience(60));
		$runs++;
		my ($dir) = glob "$server->{dir}/127*";
		$wrong++ if unpacked("$dir/sda.btz") ne $TRACE;
		system('sh', '-c', "rm -r $server->{dir}/127*");
		$cuts += faults($proxy);
	}
	end_proxy($proxy);
	is($failed, 0, "$kind, @options: $cuts connections cut, $kills servers"
	   . ' killed');
	is($wrong, 0, "... $runs runs have each record once, in order");
	is(stop($server), 0, '... status 0');
}

# It is full; another one, in its place, is not.
sub test_full
{
	my $server = serve_here('--pack', '--max-bytes=40K/source');
	my $client = send_to($server->{port}, 'spool-pack');

	$client->errors_until(qr/cannot store: --max-bytes is reached/);
	pass('a sender waits for a server that is full');
	is(stop($server), 0, '... which is replaced');
	my ($file) = glob "$server->{dir}/127*/sda.btz";
	cmp_ok(-s $file, '<=', 40 << 10, '... within its limit')
		if $file;
	serve_again($server, @HERE, '--pack');
	is($client->finish(patience(60)), 0, '... and then all is delivered');
	stop($server);
	is_exact($server, '...');
}

test_ends();
test_old();
test_offer();
test_killed();
test_acknowledged();
test_faults('spool', '--pack');
test_faults('spool-pack', '--pack', '--durable');
test_full();
done_testing();
