#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# JSON of every program, about hosts, devices, processes and messages whose
# names are made of what hurts: it is UTF-8 and JSON, a device has one name in
# all of it, and one function of the suite writes strings.
#
#	BIN=DIR prove tests/json.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use Encode qw(decode FB_CROAK);
use File::Find 'find';
use File::Temp 'tempdir';
use JSON::PP;
use Names 'steering_trace';
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $HERE = $FindBin::Bin;
my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('json.XXXXXX', TMPDIR => 1, CLEANUP => 1);

my $DISK = "s\x1b\"d\xff\\a\xe2\x80\xae";
my $IN_JSON = "s\x{1b}\"d\x{fffd}\\a\x{202e}";
# what the JSON of a shell line says; undef: it is none
sub asked
{
	my ($command, $file) = @_;
	my $got = run_command($command, $TOP, $PROGRAMS);
	my $bytes = $file ? slurp("$TOP/$file") : $got->{out};
	my $text = eval { decode('UTF-8', $bytes, FB_CROAK) };

	ok(defined $text, "$command: UTF-8") or diag $got->{err};
	my @values = eval { JSON::PP->new->incr_parse($text // '') };
	ok(@values && !$@, '... and JSON') or diag $@, $bytes;
	return \@values;
}

# all strings in VALUE that are called a device
sub devices_in
{
	my ($value) = @_;

	return map { devices_in($_) } @$value if ref $value eq 'ARRAY';
	return () unless ref $value eq 'HASH';
	return map {
		ref $value->{$_} ? devices_in($value->{$_}) :
		/^(?:disk|device)$/ && defined $value->{$_} &&
		$value->{$_} !~ /^\d*$/ ? $value->{$_} : ()
	} sort keys %$value;
}

sub test_devices
{
	my ($command, $file, @names) = @_;
	my %names = map { $_ => 1 } devices_in(asked($command, $file));

	is_deeply([sort keys %names], [sort @names],
		  '... with one name for each device');
}

# no other place escapes control characters for JSON
sub test_one_writer
{
	my @writers;

	find({ no_chdir => 1, wanted => sub {
		$File::Find::prune = 1 if m{/(?:build|tests|bench|\.git)$};
		push @writers, s{^\Q$HERE\E/\.\./}{}r
			if /\.[ch]$/ && slurp($_) =~ /"[^"\n]*\\\\u(?:%|00)/;
	} }, "$HERE/..");
	is_deeply(\@writers, ['base/json.c'], 'strings have one writer');
}

my %ERROR_ON = ("a\xe2\x80\xae" => 65531, "b\xff\x1b" => 0);
for my $host (keys %ERROR_ON) {
	mkdir "$TOP/$host" or die "$TOP: $!\n";
	spew("$TOP/$host/$DISK.blktrace.0", steering_trace($ERROR_ON{$host}));
}

my @HOSTS = map { "$_/$IN_JSON" } "a\x{202e}", "b\x{fffd}\x{1b}";

for my $by ('device', 'process', 'host', 'mark') {
	test_devices("btstat --format=json --by=$by a*", undef, $IN_JSON);
}
test_devices('btstat --format=json --by=device a* b*', undef, @HOSTS);
test_devices('btstat --format=json --compare a* -- b*', undef,
	     $IN_JSON);
test_devices('btstat --format=json --interval=1s --by=device a*', undef,
	     $IN_JSON);
test_devices('btexport --format=jsonl a*', undef, $IN_JSON);
test_devices('btexport --format=jsonl --table=events a*', undef, $IN_JSON);
asked('btexport --format=jsonl --table=meta a* b*');
asked('btexport --schema=json');
test_devices('blktop --format=json --by=device a*', undef, $IN_JSON);
asked('blktop --format=json --by=process a*');
my ($page) = @{ asked('btreport --json=page.json -o page.html a*',
		     'page.json') };
is($page->{devices}[0]{name}, $IN_JSON, '... with names as they are');
asked('btreport --compare --json=pair.json -o pair.html a* b*', 'pair.json');
asked('iowatcher -t a*/*.0 -o picture.svg --json=numbers.json',
      'numbers.json');
test_one_writer();
done_testing();
