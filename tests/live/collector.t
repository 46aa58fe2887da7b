#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# A collector for minutes, under as much as senders can do: what takes too long for
# tests/server.t.
#
#	BIN=DIR prove tests/live/collector.t
#
# TRIALS is how often a flood is ended by SIGTERM (5).
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib", "$FindBin::Bin/../hostile",
	"$FindBin::Bin/../server";
use Collector qw($TOP serve_here stop stored open_one send_data good_run is_well
		 flooder take_turns);
use Process qw(deadline patience);
use Records 'trace';
use Suite::Files 'spew';
use Test::More;
use Time::HiRes qw(sleep time);
use Wire qw(connect_to hear ask $CLOSE $ANSWER);

# Two floods, and SIGTERM: how long the longest end has taken.
sub test_stops
{
	my $trials = $ENV{TRIALS} || 5;
	my ($longest, $good) = (0, 0);

	for (1 .. $trials) {
		my $server = serve_here();
		my @flooders = map { flooder($server, run => $_, name => "f$_") }
			1, 2;
		sleep 0.1;
		my $start = time;
		$good++ if stop($server) == 0;
		my $took = time - $start;
		$longest = $took if $took > $longest;
		waitpid $_, 0 for @flooders;
		system('rm', '-r', $server->{dir});
	}
	is($good, $trials, "SIGTERM under two floods, $trials times: status 0");
	cmp_ok($longest, '<', patience(2), '... within 2 s');
	diag(sprintf 'the longest took %.2f s', $longest);
}

# Eight connections with 4,096 lanes each, which keep the server as busy as they can.
sub test_turns
{
	my $server = serve_here();
	my $bytes = trace(1, 1000);
	my ($connected, $right, @took) = take_turns($server, 4096, 20, $bytes);

	ok($connected, 'eight connections with 4,096 lanes each');
	is($right, 20, '... others are served');
	cmp_ok($took[10], '<', patience(0.05), '... 1,000 events within 50 ms');
	diag(sprintf 'half took %.1f ms, the longest %.1f ms',
	     1000 * $took[10], 1000 * $took[-1]);
	is(stored($server, 'n30.blktrace.0'), $bytes, '... to the byte');
	is(stop($server), 0, '... status 0');
}

# Networks are read anew 200 times while senders come and go.
sub test_renewals
{
	my $file = "$TOP/networks";
	spew($file, "127.0.0.0/8\n");
	my $server = serve_here('--allow-file', $file);
	my $bytes = trace(1, 200);
	my $long = open_one($server, name => 'long', run => 1);
	my $right = 0;

	for my $round (1 .. 200) {
		spew("$file.new", $round % 5 ? "127.0.0.0/8\n" : "nonsense\n");
		rename "$file.new", $file or die "$file: $!\n";
		$server->{run}->signal('HUP');
		send_data($long, $bytes, name => 'long', run => 1);
		$right += good_run($server, $bytes, name => "s$round",
				   run => 1 + $round) ? 1 : 0;
	}
	is($right, 200, '200 SIGHUPs, some of a faulty file: all are served');
	is(ask($long, name => 'long', run => 1, len => $CLOSE), $ANSWER,
	   '... and who was connected goes on');
	is(stored($server, 'long.blktrace.0'), $bytes x 200, '... to the byte');
	is(scalar(grep { stored($server, "s$_.blktrace.0") eq $bytes } 1 .. 200),
	   200, '... as are the others');
	is(stop($server), 0, '... status 0');
}

# Connections that say nothing cost nobody anything.
sub test_silent
{
	my $server = serve_here();
	my @silent = map {
		connect_to($server->{port}, undef, '127.0.0.' . (2 + $_ % 8))
	} 1 .. 4000;

	is(scalar(grep { defined } @silent), 4000, '4,000 silent connections');
	my $start = time;
	is_well($server, '...');
	cmp_ok(time - $start, '<', patience(0.5), '... at once');
	close $_ for @silent;
	is(stop($server), 0, '... status 0');
}

test_stops();
test_turns();
test_renewals();
test_silent();
done_testing();
