#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btexport --follow on the directory of a collector: a run is exported once, when
# it has ended.
#
#	BIN=DIR prove tests/collected.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile", "$FindBin::Bin/server";
use Collector qw($PROGRAMS $TOP open_one send_data serve_here stop);
use File::Path 'make_path';
use Process 'patience';
use Suite::Files qw(files_below slurp spew unpack_set);
use Suite::Followed qw(cut end manifests start);
use Suite::Run 'run_command';
use Test::More;
use Time::HiRes qw(sleep time);
use Wire qw(ask connect_to finish open_acked $ANSWER $CLOSE);

my $FROM = "$TOP/from";
my ($ONE, $OTHER) = qw(smp4-mixed-procs ext4-fsync-meta);
my $BTEXPORT = "$PROGRAMS->{path}/btexport";

sub follow
{
	my ($server, $out) = @_;
	spew("$TOP/messages", '');
	return start("$TOP/messages", $BTEXPORT, "--follow=$server->{dir}", '-o',
		     "$out/", '--format=csv');
}

# A run of all files of a trace that has not ended: its connections.
sub begin_run
{
	my ($server, $trace) = @_;
	my @files = glob "$FROM/$trace/*.blktrace.[0-9]*";
	my @run;

	for my $file (@files) {
		my ($name, $cpu) = $file =~ m{([^/]+)\.blktrace\.(\d+)\z};
		my @fields = (name => $name, cpu => $cpu,
			      max_cpus => scalar @files);
		my $socket = open_one($server, @fields)
			or die "$name, CPU $cpu: refused\n";
		send_data($socket, slurp($file), @fields)
			or die "$name, CPU $cpu: not sent\n";
		push @run, [$socket, @fields];
	}
	return @run;
}

sub end_run
{
	for my $one (@_) {
		my ($socket, @fields) = @$one;
		(ask($socket, @fields, cpu => 0, len => $CLOSE) // 0) == $ANSWER
			or die "no answer\n";
		finish($socket);
	}
}

# what was exported of a table is what a whole export has
sub same
{
	my ($what, $out, $run) = @_;

	for my $table (qw(ios latency)) {
		my $got = join '', map { slurp("$out/$table/$_") }
			files_below("$out/$table");
		my $want = run_command("btexport --format=csv --table=$table"
			. " '$run'", $TOP, $PROGRAMS)->{out};
		ok(cut($got, 'segment') eq cut($want, 'segment'),
		   "$what: $table");
	}
}

sub test_run
{
	my ($what, @options) = @_;
	my $server = serve_here(@options);
	my $out = "$TOP/out-$what";
	my $pid = follow($server, $out);
	my @run = begin_run($server, $ONE);

	sleep 3;
	is(scalar manifests($out, 0), 0, "$what: a run is not read while it is"
	   . ' stored');
	my $begin = time;
	end_run(@run);
	is(scalar manifests($out, 1), 1, '... and exported when it has ended');
	cmp_ok(time - $begin, '<', 2 * patience(1), '... within 2 s');
	my ($dir) = glob "$server->{dir}/127.0.0.1-*";
	same($what, $out, $dir);
	ok(-d "$out/ios/host=127.0.0.1", '... as of its sender');
	end($pid, 'KILL');
	end_run(begin_run($server, $OTHER));
	$pid = follow($server, $out);
	is(scalar manifests($out, 2), 2, '... and the next one after a restart');
	is(end($pid, 'TERM'), 0, '... until a signal');
	is(slurp("$TOP/messages"), '', '... without a message');
	stop($server);
}

# Whose end the collector has not seen has ended with the collector, unless its
# sender may come back.
sub test_killed
{
	my $server = serve_here();
	my $out = "$TOP/out-killed";
	my $pid = follow($server, $out);
	my @run = begin_run($server, $ONE);
	my $socket = connect_to($server->{port});

	open_acked($socket, 'a' x 16, 0) or die "no acknowledged run\n";
	my $until = time + 10 * patience(1);
	sleep 0.05 until glob("$server->{dir}/.runs/*") &&
		@{[glob "$server->{dir}/127.*"]} == 2 || time > $until;
	$server->{run}->signal('KILL');
	$server->{run}->finish;
	is(scalar manifests($out, 1), 1, 'a collector that is killed: its run'
	   . ' is exported');
	sleep 2;
	is(scalar manifests($out, 0), 1, '... and not one that may be resumed');
	my ($known) = glob "$server->{dir}/.runs/*";
	spew($known, slurp($known) . "ended\n");
	is(scalar manifests($out, 2), 2, '... until it has ended');
	end($pid, 'TERM');
}

# What the collector removes in time is nobody's failure.
sub test_removed
{
	my $server = serve_here();
	my $out = "$TOP/out-removed";

	end_run(begin_run($server, $ONE));
	my ($dir) = glob "$server->{dir}/127.0.0.1-*";
	my $pid = follow($server, $out);
	manifests($out, 1);
	system('rm', '-rf', $dir) == 0 or die;
	sleep 2;
	end_run(begin_run($server, $OTHER));
	is(scalar manifests($out, 2), 2, 'a run that was removed: others are'
	   . ' exported');
	end($pid, 'TERM');
	is(slurp("$TOP/messages"), '', '... without a message');
	stop($server);
}

for my $trace ($ONE, $OTHER) {
	make_path("$FROM/$trace");
	unpack_set("$FindBin::Bin/data/$trace", "$FROM/$trace");
}
test_run('plain');
SKIP: {
	my $said = run_command('blktrace -l --pack --bind=nowhere', $TOP,
			       $PROGRAMS)->{err};
	skip 'built without libzstd', 8 if $said =~ /without libzstd/;
	test_run('packed', '--pack');
}
test_killed();
test_removed();
done_testing();
