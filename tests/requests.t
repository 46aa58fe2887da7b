#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Joining: the ios that request/ makes of traces.
#
#	make request-programs; BIN=. REQUESTS=build/tests/requests \
#		prove tests/requests.t
#	... prove tests/requests.t :: rows 'holds/k612*'
#
# The rows are those of requests/golden, and all that hold for any trace:
# requests/check.h, blkparse's summary, damage, loss, the cost of what is
# meant to be slow.  With ../shared (SHARED) more traces are at hand, and random
# ones are joined by the model there, too.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Cwd 'abs_path';
use File::Basename qw(basename dirname);
use File::Temp 'tempdir';
use Suite::Case 'match';
use Suite::Files qw(slurp read_kept);
use Suite::Run 'find_programs';
use Suite::Tap 'run_named';
use Suite::Traces 'unpack_traces';

my $HERE = $FindBin::Bin;
my $SHARED = $ENV{SHARED} || "$HERE/../../shared";
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || "$HERE/.."));
my $REQUESTS = abs_path($ENV{REQUESTS} ||
	($ENV{UNITS} ? dirname($ENV{UNITS}) . '/requests' :
	"$HERE/../build/tests/requests"));
my $TOP = tempdir('requests.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $DIFF_MAX = 6;

# a batch takes seconds
my ($DAMAGED, $DAMAGED_BATCH) = (1000, 100);
my ($RANDOM, $RANDOM_BATCH) = (50, 25);

# So many completed records may be wrong (of 295,000, or of 95,000 without
# ../shared), and none of them without gap where holes show what is missing.
my ($LOSS_SEEDS, $WRONG) = (4, 5);

# the 37 traces that were recorded as files and have the most events of a CPU
my @LONG = qw(busy-nullblk-long cgroup-mqdl database derived-badmagic
	derived-bigendian derived-nocpu0 derived-skips derived-truncated
	discard-zeroes dm-linear-3dev ext4-fsync-meta k612-devsfile
	k612-dm-errors k612-ext4-journal-bfq k612-loop-xfs-dio
	k612-scsi-2lun k612-virtio-none-uring loop-ext4-2dev
	mask-issue-complete md-raid1-3dev net-2dev net-smallbuf
	nullblk-mq-randrw nvme-part-remap overflow-b4n2 readahead-seq
	scsidbg-passthru scsidbg-transport smp4-merges-kworker
	smp4-mixed-procs split-large v8-ext4 v8-zoneplug
	virtio-bfq-mixed virtio-kyber-seqmerge virtio-mqdl-mixed
	zoned-basic);

# How much more than an ordinary event one of a pattern may cost here, where
# time is all that there is to measure: what grows with what is open would cost
# thousands of times as much.  bench/instr counts.
my ($HOSTILE, $SLOWER) = (1 << 18, 400);

# --- programs ---------------------------------------------------------------

# what a program of ours prints, and its status
sub output_of
{
	my @command = @_;

	open my $in, '-|', @command or die "$command[0]: $!\n";
	local $/;
	my $text = <$in> // '';
	close $in;
	return ($text, $?);
}

sub program
{
	my ($name, @args) = @_;
	return output_of("$REQUESTS/$name", @args);
}

# --- rows -------------------------------------------------------------------

# the first lines that differ
sub line_faults
{
	my ($got, $want) = @_;
	my @got = split /\n/, $got;
	my @want = split /\n/, $want;
	my @faults;

	for my $i (0 .. ($#got > $#want ? $#got : $#want)) {
		my ($g, $w) = ($got[$i] // '', $want[$i] // '');
		next if $g eq $w;
		push @faults, "line @{[$i + 1]}:", "is:    $g", "wants: $w";
		last if @faults >= $DIFF_MAX;
	}
	return @faults;
}

sub rows_faults
{
	my ($where, $want) = @_;
	my ($got, $status) = program('records', $where);

	return "status $status" if $status;
	return () if $got eq $want;
	return line_faults($got, $want);
}

# name => its lines of counts.tsv, as records --counts has them
sub golden_counts
{
	my %counts;

	for my $line (split /\n/, slurp("$HERE/requests/golden/counts.tsv")) {
		my ($name, $rest) = split /\t/, $line, 2;
		$counts{$name} .= "$rest\n";
	}
	return \%counts;
}

sub counts_faults
{
	my ($where, $want) = @_;
	my ($got, $status) = program('records', '--counts', $where);

	return "status $status" if $status;
	return line_faults($got, $want);
}

# tests of the recorded rows: [name, what to do]
sub golden_tests
{
	my ($where) = @_;
	my $counts = golden_counts();
	my @tests;

	for my $path (glob "\Q$HERE\E/requests/golden/*.tsv.xz") {
		my $name = basename($path, '.tsv.xz');
		my $trace = $where->{$name} // die "no trace $name\n";
		push @tests, ["rows/$name", sub {
			rows_faults($trace, read_kept($path =~ s/\.xz\z//r));
		}], ["counts/$name", sub {
			counts_faults($trace, $counts->{$name} // '');
		}];
	}
	return @tests;
}

# --- what always holds ------------------------------------------------------

sub check_faults
{
	my ($where) = @_;
	my ($said, $status) = program('records', '--check', $where);

	chomp $said;
	return $status || $said ne 'holds' ? "status $status: $said" : ();
}

# The sums of blkparse's last block for each device.
sub blkparse_summary
{
	my ($where) = @_;
	my %devices = map { basename($_) =~ s/\.blktrace\.\d+\z//r => 1 }
		glob "\Q$where\E/*.blktrace.*";
	my @inputs = map { ('-i', "$where/$_") } sort keys %devices;
	my ($text) = output_of('sh', '-c', 'exec "$@" 2>/dev/null', 'sh',
		"$PROGRAMS->{dir}/blkparse", '-f', '',
		@inputs ? @inputs : ('-i', "$where/pipe.bin"));
	return summed(split /\n/, $text);
}

sub summed
{
	my (%said, %block);

	for my $line (@_) {
		%block = () if $line =~ /^Total \(/;
		while ($line =~ /([A-Z][A-Za-z. ]+?):\s+([\d,]+)/g) {
			my ($name, $n) = ($1, $2 =~ tr/,//dr);
			$block{$name} += $n;
		}
		next unless $line =~ /^Events \(/;
		$said{$_} += $block{$_} for keys %block;
		%block = ();
	}
	return \%said;
}

sub summary_faults
{
	my ($where) = @_;
	my ($said) = program('records', '--summary', $where);
	my $theirs = blkparse_summary($where);
	my $want = join '', map {
		my ($name, $of) = @$_;
		"$name\t" . (($theirs->{"Read$of"} // 0) +
			($theirs->{"Write$of"} // 0)) . "\n"
	} ['Queued', 's Queued'], ['Dispatches', ' Dispatches'],
		['Requeued', 's Requeued'];

	return line_faults($said, $want);
}

sub trace_tests
{
	my ($where) = @_;
	return map {
		my $trace = $where->{$_};
		(["holds/$_", sub { check_faults($trace) }],
		 ["summary/$_", sub { summary_faults($trace) }])
	} sort keys %$where;
}

# --- damage, loss -----------------------------------------------------------

# the largest are left out: a damaged stream is read from end to end
sub damage_tests
{
	my ($where) = @_;
	my @traces = map { $where->{$_} } grep { -d "$HERE/data/$_" }
		sort keys %$where;

	my $batch = sub {
		my ($first, $count, @names) = @_;
		return sub {
			my ($said, $status) = program('damaged', $first,
				$count, @names);
			return $status ? "status $status: $said" : ();
		};
	};
	# what joins a request in part done, without an event: its bytes
	return (["damaged/hot-lossy 926",
		 $batch->(926, 1, $where->{'hot-lossy'})],
		map { ["damaged/from $_",
		       $batch->($_, $DAMAGED_BATCH, @traces)] }
		map { $_ * $DAMAGED_BATCH }
		0 .. $DAMAGED / $DAMAGED_BATCH - 1);
}

# the sums of one way, by column
sub loss_sums
{
	my ($way, @lines) = @_;
	my @columns = split /\t/, shift @lines;

	for my $line (@lines) {
		my %row;
		@row{@columns} = split /\t/, $line;
		return \%row if $row{trace} eq 'all' && $row{way} eq $way;
	}
	die "no sums for $way\n";
}

sub loss_faults
{
	my @traces = @_;
	my ($said, $status) = program('loss', $LOSS_SEEDS, @traces);
	my @faults;

	return "status $status" if $status;
	for my $way (qw(holes dropped)) {
		my $sums = loss_sums($way, split /\n/, $said);
		my $wrong = $sums->{wrong} + $sums->{wrong_gap};
		my $all = $wrong + $sums->{right};
		push @faults, "$way: $wrong of $all are wrong"
			if $wrong > $WRONG;
		push @faults, "holes: $sums->{wrong} wrong without gap"
			if $way eq 'holes' && $sums->{wrong};
		push @faults, "$way: nothing was right" unless $sums->{right};
	}
	return @faults;
}

sub loss_tests
{
	my ($where) = @_;
	my @traces = map { $where->{$_} // () } @LONG;
	return ["loss/" . @traces . " traces", sub { loss_faults(@traces) }];
}

# --- cost -------------------------------------------------------------------

# ns of CPU time per event
sub cost_of
{
	my ($pattern) = @_;
	my ($said, $status) = program('hostile', $pattern, $HOSTILE);
	my (undef, $ns) = split ' ', $said;

	die "$pattern: status $status\n" if $status;
	return $ns;
}

sub cost_faults
{
	my ($pattern) = @_;
	my ($allowed, $ns) = ($SLOWER * cost_of('ordinary'));

	local $SIG{ALRM} = sub { die "late\n" };
	alarm 600;
	$ns = cost_of($pattern);
	alarm 0;
	return $ns > $allowed ? "$ns ns an event, $allowed are allowed" : ();
}

sub cost_tests
{
	my ($patterns) = program('hostile', '--list');
	return map { my $p = $_; ["cost/$p", sub { cost_faults($p) }] }
		split /\n/, $patterns;
}

# --- the model --------------------------------------------------------------

sub model_tests
{
	my ($where) = @_;
	my $model = "$SHARED/model/requests";
	my @traces = map { $where->{$_} } grep { -d "$HERE/data/$_" }
		sort keys %$where;

	return () unless -d $model;
	return map {
		my $first = $_ * $RANDOM_BATCH;
		["model/from $first", sub {
			my ($said, $status) = output_of(
				"$HERE/requests/against-model",
				"$REQUESTS/records", $model, $first,
				$RANDOM_BATCH, @traces);
			return $status ? split /\n/, $said : ();
		}]
	} 0 .. $RANDOM / $RANDOM_BATCH - 1;
}

# ----------------------------------------------------------------------------

sub main
{
	my @globs = @_;
	my $where = unpack_traces($HERE, $SHARED, $TOP);
	my @tests = (golden_tests($where), trace_tests($where),
		     damage_tests($where), loss_tests($where), cost_tests(),
		     model_tests($where));
	my %do = map { @$_ } @tests;

	return run_named(\%do, match([map { $_->[0] } @tests], @globs));
}

exit(main(@ARGV) ? 1 : 0);
