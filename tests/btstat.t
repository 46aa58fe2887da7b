#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# btstat's numbers against a second program: this one, which computes them from
# the records that joining must give (requests/golden), by sorting.  Counts,
# sums, least and greatest are the same, percentiles are at most 0.4 % off.
# Then what must hold of its own numbers: the depth of intervals adds up to that
# of the whole, and what is saved in parts and merged is what is saved at once.
#
#	BIN=DIR prove tests/btstat.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use File::Temp 'tempdir';
use JSON::PP;
use List::Util qw(max min sum0);
use Process 'deadline';
use Suite::Files qw(read_kept slurp spew unpack_set);
use Suite::Made qw(made_ios made_sealed);
use Suite::Run qw(find_programs run_command);
use Test::More;
use Time::HiRes qw(sleep time);

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my @PHASES = qw(q2a lower a2c q2x x2c q2g q2m preflush g2m g2i g2d i2d m2d
		requeue d2c postflush rest);
my @PERCENTILES = (50, 90, 99, 99.9);

# traces that are in the tree with the records they must give
sub traces
{
	my @names = map { m{([^/]+)\.tsv\.xz\z} }
		glob "\Q$HERE\E/requests/golden/*.tsv.xz";
	return grep { -d "$HERE/data/$_" } sort @names;
}

# the rows of a table, { column => text } each
sub rows_of
{
	my ($text, $between) = @_;
	my ($head, @lines) = split /\n/, $text;
	my @names = split /$between/, $head;
	return map {
		my @values = split /$between/, $_, -1;
		my %row;
		@row{@names} = @values;
		\%row
	} @lines;
}

sub records
{
	my ($name) = @_;
	return rows_of(read_kept("$HERE/requests/golden/$name.tsv"), "\t");
}

# the devices of a trace, as words for the shell
sub devices
{
	my ($dir) = @_;
	my %names = map { m{([^/]+)\.blktrace\.\d+\z} ? ($1 => 1) : () }
		glob "\Q$dir\E/*";
	return join ' ', sort keys %names;
}

sub output
{
	my ($command, $dir) = @_;
	my $got = run_command($command, $dir, $PROGRAMS);

	is("$got->{rc} $got->{err}", '0 ', $command);
	return $got->{out};
}

# --- what is expected --------------------------------------------------------

sub operation
{
	my ($r) = @_;
	return 'passthrough' if $r->{kind} eq 'pass';
	return 'flush' if $r->{kind} eq 'flush' || $r->{op} eq 'flush';
	return 'other' if $r->{op} eq 'read' && !$r->{bytes};
	return { zeroes => 'zero' }->{$r->{op}} // $r->{op}
		if $r->{op} =~ /^(?:read|write|discard|zeroes)\z/;
	return 'zone';
}

# { op => { phase => [times, ascending] } } of what was measured
sub spans
{
	my (@records) = @_;
	my %spans;

	for my $r (@records) {
		next if $r->{end} !~ /^(?:C|below)\z/ || $r->{gap};
		my $of = $spans{operation($r)} //= {};
		push @{$of->{q2c}}, $r->{total_ns} if $r->{birth} eq 'Q';
		push @{$of->{total}}, $r->{total_ns};
		for my $phase (@PHASES) {
			my $ns = $r->{"${phase}_ns"};
			push @{$of->{$phase}}, $ns if length $ns;
		}
	}
	for my $of (values %spans) {
		@$_ = sort { $a <=> $b } @$_ for values %$of;
	}
	return \%spans;
}

# the k-th of them, k = p n / 100 rounded up; undef: it would be the last
sub percentile
{
	my ($p, @times) = @_;
	my $thousandths = @times * int($p * 1000 + 0.5);

	return undef if @times * 100000 - $thousandths < 100000;
	return $times[int(($thousandths + 99999) / 100000) - 1];
}

sub close_to
{
	my ($got, $want) = @_;
	return $got eq '' unless defined $want;
	return length $got && abs($got - $want) <= 0.004 * $want + 0.5;
}

# the kernel's own flush requests are no ios
sub ios_of
{
	return grep { $_->{kind} ne 'flush' } @_;
}

# --- a trace -----------------------------------------------------------------

# what is wrong with a row of csv
sub row_faults
{
	my ($row, $times) = @_;
	my %want = (count => scalar @$times, sum_ns => sum0(@$times),
		    min_ns => min(@$times), max_ns => max(@$times));
	my $name = "$row->{op} $row->{phase}";
	my @faults = map { "$name $_: $row->{$_}, not $want{$_}" }
		grep { $row->{$_} ne $want{$_} } sort keys %want;

	for my $p (@PERCENTILES) {
		my $got = $row->{'p' . $p =~ s/\./_/r . '_ns'};
		my $want = percentile($p, @$times);
		push @faults, "$name p$p: $got, not " . ($want // 'none')
			unless close_to($got, $want);
	}
	return @faults;
}

sub test_phases
{
	my ($name, $csv, @records) = @_;
	my $spans = spans(ios_of(@records));
	my (@faults, %seen);

	for my $row (rows_of($csv, ',')) {
		my $times = $spans->{$row->{op}}{$row->{phase}};
		$seen{"$row->{op} $row->{phase}"} = 1;
		push @faults, row_faults($row, $times) if $times;
		push @faults, "$row->{op} $row->{phase}: $row->{count}"
			if !$times && $row->{count};
	}
	for my $op (sort keys %$spans) {
		push @faults, map { "$op $_ is missing" }
			grep { $_ ne 'total' && !$seen{"$op $_"} }
			sort keys %{$spans->{$op}};
	}
	is(join("\n", @faults), '', "$name: phases are those of its records");
}

sub test_sums
{
	my ($name, $json, @records) = @_;
	my (%want, %next);

	for my $r (sort { $a->{id} <=> $b->{id} } ios_of(@records)) {
		my $of = $want{operation($r)} //= {
			map { $_ => 0 } qw(ios bytes errors merged sequential) };
		my $next = \$next{operation($r)};
		my $bytes = $r->{bytes} || 0;

		$of->{ios}++;
		$of->{bytes} += $bytes;
		$of->{errors}++ if $r->{error};
		$of->{merged}++ if length $r->{merge};
		next unless $bytes && $r->{kind} ne 'pass';
		$of->{sequential}++ if defined $$next &&
			$$next == $r->{sector};
		$$next = $r->{sector} + $bytes / 512;
	}
	my %got = map {
		my $row = $_;
		$row->{op} => { map { $_ => $row->{$_} }
				qw(ios bytes errors merged sequential) }
	} grep { $_->{ios} } @{$json->{tables}{sums}};
	is_deeply(\%got, \%want, "$name: sums are those of its records");
}

sub test_coverage
{
	my ($name, $json, @records) = @_;
	my @ios = ios_of(@records);
	my @done = grep { $_->{end} =~ /^(?:C|below)\z/ && !$_->{gap} } @ios;
	my @without = grep { $_->{kind} eq 'io' && $_->{birth} ne 'Q' } @done;
	my $measured = @without < @done ? @done - @without : @done;
	my $got = $json->{coverage};

	is("$got->{measured} of " . ($got->{ios} - $got->{ghosts}),
	   "$measured of " . @ios, "$name: so many are measured");
	is($got->{flushes}, scalar(@records) - scalar(@ios),
	   "$name: the kernel's own flushes are apart");
}

# Without loss the depth is the sum of the times at the device.
sub test_depth
{
	my ($name, $dir, $json) = @_;
	my $devices = devices($dir);
	my $whole = sum0(map { $_->{depth_ns} } @{$json->{tables}{sums}});
	my $csv = output("btstat --interval=10ms --format=csv $devices", $dir);
	my @rows = rows_of($csv, ',');

	is(sum0(map { $_->{depth_ns} } @rows), $whole,
	   "$name: depth of intervals adds up");
	is(sum0(map { $_->{length_ns} } @rows), $json->{trace}{length_ns},
	   "$name: so does their length");
}

sub test_trace
{
	my ($name) = @_;
	my $dir = tempdir('btstat.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my @records = grep { $_->{link} ne 'split' } records($name);

	unpack_set("$HERE/data/$name", $dir);
	my $devices = devices($dir);
	test_phases($name, output("btstat --by=op --format=csv $devices",
				  $dir), @records);
	my $json = decode_json(output("btstat --by=op --format=json $devices",
				      $dir));
	test_sums($name, $json, @records);
	test_coverage($name, $json, @records);
	test_depth($name, $dir, $json);
}

# --- merging -----------------------------------------------------------------

# Devices of one trace, saved one by one and merged in any order, are what all
# of them are.
sub test_merge
{
	my ($name) = @_;
	my $dir = tempdir('btstat.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my (@parts, $i);

	unpack_set("$HERE/data/$name", $dir);
	my @devices = split ' ', devices($dir);
	for my $device (@devices) {
		push @parts, 'part' . ++$i . ($i % 2 ? '' : '.gz');
		output("btstat --save=$parts[-1] $device", $dir);
	}
	my @texts = map { output("btstat --save=all " . join(' ', @$_), $dir)
				. slurp("$dir/all") }
		[@parts], [reverse @parts];
	is($texts[0], $texts[1], "$name: any order merges to the same bytes");
	output("btstat --save=pair part1 part1", $dir);
	output("btstat --save=same pair", $dir);
	is(slurp("$dir/same"), slurp("$dir/pair"),
	   "$name: what was merged is read as it was");
}

# A set per interval: those of devices and of windows add up to those of all,
# byte for byte, and without the intervals to what is saved without them.
sub test_intervals
{
	my ($name, $cut) = @_;
	my $dir = tempdir('btstat.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my $save = 'btstat --interval=0.01 -o /dev/null --save';

	unpack_set("$HERE/data/$name", $dir);
	my $devices = devices($dir);
	output("$save=all $devices", $dir);
	output("$save=early.gz -w $cut $devices", $dir);
	output("$save=late -w $cut:99 $devices", $dir);
	output('btstat --save=merged -o /dev/null late early.gz', $dir);
	my @sets = map { slurp("$dir/$_") =~ s/^trace .*\n//mgr }
		qw(all merged);
	is($sets[1], $sets[0], "$name: windows of intervals add up");
	my %starts = map { $_ => 1 } $sets[0] =~ / at=(\d+) /g;
	cmp_ok(scalar keys %starts, '>', 5, "$name: there are intervals");
	is(scalar(grep { $_ % 10_000_000 } keys %starts), 0,
	   "$name: they begin at multiples of their length");
	output("btstat --save=whole -o /dev/null $devices", $dir);
	is(output('btstat all', $dir), output('btstat whole', $dir),
	   "$name: together they are what is saved without them");
}

# { "key phase row side" => value } of a comparison as csv, without rates
sub values_of
{
	my ($csv) = @_;
	my %values;

	for my $row (grep { $_->{row} ne 'IO/s' } rows_of($csv, ',')) {
		$values{"$row->{key} $row->{phase} $row->{row} $_"} = $row->{$_}
			for qw(a b);
	}
	return \%values;
}

# A comparison of save files has the values of their traces; only where slices
# begin, and so rates, differ.
sub test_compare
{
	my ($name, $cut) = @_;
	my $dir = tempdir('btstat.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my $save = 'btstat --interval=0.01 -o /dev/null --save';
	my $compare = 'btstat --compare --phases=q2c,d2c --format=csv';

	unpack_set("$HERE/data/$name", $dir);
	my $devices = devices($dir);
	output("$save=early -w $cut $devices", $dir);
	output("$save=late.gz -w $cut:99 $devices", $dir);
	my ($saved, $early, $late) = map {
		values_of(output("$compare $_", $dir))
	} 'early -- late.gz', "-w $cut $devices -- $devices",
		"-w $cut:99 $devices -- $devices";
	my %want = map { $_ => / a\z/ ? $early->{$_} : $late->{$_} }
		keys %$saved;
	cmp_ok(scalar keys %want, '>', 10, "$name: halves are compared");
	is_deeply($saved, \%want, "$name: saved halves have their values");
}

# --- a disk that hangs --------------------------------------------------------

# four writes that never complete, after one that did
sub hanging
{
	my @hang = map { { time => 0.1, op => 'W', sector => 81920 + 8 * $_,
			   hangs => 1, name => 'postgres' } } 0 .. 3;
	return made_ios({ time => 0, op => 'W', sector => 8 }, @hang);
}

# what btstat prints of a pipe that is silent until it has printed what PATTERN
# says, and of all of it
sub output_of_pipe
{
	my ($pattern, $bytes, @arguments) = @_;
	my $dir = tempdir('btstat.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	my $pid = open(my $into, '|-') // die "fork: $!\n";

	if (!$pid) {
		open STDOUT, '>', "$dir/out" or die "$dir/out: $!\n";
		exec "$PROGRAMS->{path}/btstat", '-i', '-', @arguments;
	}
	syswrite $into, $bytes;
	my ($before, $end) = ('', deadline());
	while ($before !~ $pattern && time < $end) {
		sleep 0.05;
		$before = -e "$dir/out" ? slurp("$dir/out") : '';
	}
	close $into;
	return ($before, slurp("$dir/out"));
}

sub test_hang
{
	my $words = qr/8,0: in flight 4, oldest [\d.]+s \(write, sector 81920, postgres\)/;
	my ($live, $all) = output_of_pipe(qr/$words.*^ +3\.000s/ms, hanging(),
					  '--interval=1');
	my @rows = grep { /^ +[123]\.000s/ } split /\n/, $live;

	cmp_ok(scalar @rows, '>=', 2, 'rows though nothing completes');
	is(scalar(grep { !/ 4\.00 +4 +100% / } @rows), 0,
	   'what is in flight is in their depth');
	like($live, $words, 'and is named while the pipe is silent');
	my $dir = tempdir('btstat.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	spew("$dir/sda.blktrace.0", hanging());
	like(output('btstat sda', $dir),
	     qr/^open +sda: in flight 4, oldest 0ns \(write/m,
	     'the head has it');
	is_deeply(decode_json(output('btstat --format=json sda', $dir))->{open},
		  [{ disk => 'sda', in_flight => 4, oldest_ns => 0, op => 'write',
		     sector => 81920, process => 'postgres' }], '... in json, too');
	my $top = output('btstat --where open --top=20 sda', $dir);
	is(scalar(() = $top =~ /in flight$/mg), 4, 'and --top --where open');
	is(output("btstat --where 'open && age>1s' --top=9 sda", $dir) =~
	   /in flight$/m, '', 'by their age');
}

# --- where it ends ------------------------------------------------------------

# the head of a trace with these CPUs' files, and its table
sub head_of
{
	my ($files, @arguments) = @_;
	my $dir = tempdir('btstat.XXXXXX', TMPDIR => 1, CLEANUP => 1);

	spew("$dir/sda.blktrace.$_", $files->{$_}) for keys %$files;
	return output("btstat sda @arguments", $dir);
}

sub test_end
{
	my $some = made_ios(map { { time => $_ / 10, op => 'R', sector => 8 * $_ } }
			    0 .. 9);
	my $sealed = made_sealed(hanging(), 0, 1, 10);
	my $head = head_of({ 0 => $sealed });

	like($head, qr/^trace .*, 10\.000 s/m, 'the end of the capture is the trace\'s');
	like($head, qr/^open .*oldest 9.90s/m, '... up to which I/O is open');
	like($head, qr/^lost +none \(no drops reported/m, '... and all is there');
	like($head, qr/ 3\.96 +99%$/m, '... with depth and busy up to it');
	is(scalar(() = head_of({ 0 => $sealed }, '--interval=1') =~
		  /^ +\d+\.000s /mg), 10,
	   '... and no row begins where the trace ends');
	$head = head_of({ 0 => made_sealed($some, 0, 2, 10) });
	like($head, qr/^lost .*a CPU has no file/m, 'a missing file is noticed');
	like($head, qr/ >=0\.00 +>=0%$/m, '... and depth is a bound');
	my $cut = made_sealed($some, 1, 2, 10);
	substr $cut, -88 - 48, 136, '';
	$head = head_of({ 0 => made_sealed($some, 0, 2, 10), 1 => $cut });
	like($head, qr/^lost +CPU 1 ends 9\.100 s before the trace$/m,
	     'so is a file that was cut between two records');
	$head = head_of({ 0 => made_sealed($some, 0, 1, 5, 1) });
	like($head, qr/^lost +the end of the capture is missing: complete up to 5\.000 s$/m,
	     'and a capture that was killed');
	my $changed = made_sealed($some, 0, 1, 10);
	substr $changed, 88 + 48 + 16, 1, "\1";
	my $dir = tempdir('btstat.XXXXXX', TMPDIR => 1, CLEANUP => 1);
	spew("$dir/sda.blktrace.0", $changed);
	like(qx{cd $dir && $PROGRAMS->{path}/btstat sda 2>&1 >/dev/null},
	     qr/records before have been changed/,
	     'and a record that was changed');
}

# --- one completion, or a file's end, is missing -------------------------------

# the records of a CPU of which a rule says that they are there
sub of_cpu
{
	my ($events, $cpu, $is) = @_;
	my ($bytes, $number) = ('', 0);

	while (length $events) {
		my $record = substr $events, 0, 48 + unpack('x46 S', $events), '';
		next unless $is->(unpack('x28 L', $record) & 0xffff);
		substr $record, 4, 4, pack 'L', ++$number;
		substr $record, 40, 4, pack 'L', $cpu;
		$bytes .= $record;
	}
	return $bytes;
}

# depth and busy of 10,000 writes of 100 us in 10 s, of which a part is missing
sub test_missing
{
	my @writes = map { { time => $_ / 1000, op => 'W', sector => 8 * $_,
			     took => 0.0001 } } 0 .. 9999;
	my $all = made_ios(@writes);
	my $depth = sub { (head_of(@_) =~ /^sda write .* (\S+ +\S+)$/m)[0] };

	is($depth->({ 0 => $all }), '0.10   10%', 'all writes are there');
	my %cpus = (0 => of_cpu($all, 0, sub { $_[0] != 8 }),
		    1 => of_cpu($all, 1, sub { $_[0] == 8 }));
	is($depth->(\%cpus), '0.10   10%', '... in two files');
	$cpus{1} = substr $cpus{1}, 0, 48 * 5000;
	is($depth->(\%cpus), '>=0.05  >=5%', 'half a file');
	like(head_of(\%cpus) =~ s/\n  +/ /gr,
	     qr/^open .*; CPU 1 has no record after .*, 5\.000 s before the end:/m,
	     '... which the head tells');
	$writes[1000]{hangs} = 1;
	my $one = made_ios(@writes);
	my $head = head_of({ 0 => $one });
	like($head, qr/ >=0\.10 >=10%$/m, 'one completion');
	like($head, qr/^open +sda: in flight 1, oldest 9\.00s \(write, sector 8000\); later I\/O/m,
	     '... with its I/O');
	my $json = decode_json(head_of({ 0 => $one }, '--format=json'));
	is($json->{tables}{sums}[0]{depth_exact} ? 1 : 0, 0, '... in json, too');
	like(head_of({ 0 => $one }, '--interval=5 --format=csv'),
	     qr/^5000000000,.*,false$/m, '... and in csv');
	is($depth->({ 0 => made_sealed($one, 0, 1, 10) }), '1.00 >=91%',
	   'it counts where seals prove that nothing is missing');
	$writes[$_]{hangs} = 1 for 1000 .. 1003;
	is($depth->({ 0 => made_ios(@writes[0 .. 1003],
				    { %{$writes[1000]}, time => 10, sector => 0 }) }),
	   '3.61   91%', 'and where nothing completes any more');
}

test_hang();
test_end();
test_missing();
test_trace($_) for traces();
test_merge('dm-linear-3dev');
test_intervals('smp4-merges-kworker', '0.3000001');
test_intervals('dm-linear-3dev', '0.0300001');
test_compare('smp4-merges-kworker', '0.5000001');
done_testing();
