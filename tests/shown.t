#!/usr/bin/perl
# SPDX-License-Identifier: GPL-2.0-only
# Text, pages and pictures about hosts, devices, processes and messages whose
# names steer: nothing of these reaches a terminal or a browser as it is.
#
#	BIN=DIR prove tests/shown.t
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/hostile";
use Cwd 'abs_path';
use Encode qw(decode FB_CROAK);
use File::Temp 'tempdir';
use Names 'steering_trace';
use Suite::Files qw(slurp spew);
use Suite::Run qw(find_programs run_command);
use Test::More;

my $PROGRAMS = find_programs(abs_path($ENV{BIN} || '.'));
my $TOP = tempdir('shown.XXXXXX', TMPDIR => 1, CLEANUP => 1);
my $EIO = 65531;
my $HIDDEN = join '', '[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\x{61c}\x{180e}',
	'\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}',
	'\x{feff}\x{fff9}-\x{fffb}\x{e0000}-\x{e0fff}]';

# What a shell line prints, or writes to FILE, is UTF-8, without what hides,
# and has LIKE, so that the names are there.
sub test_shown
{
	my ($command, $like, $file) = @_;
	my $got = run_command($command, $TOP, $PROGRAMS);
	my $bytes = $file ? slurp("$TOP/$file") : "$got->{out}$got->{err}";
	my $text = eval { decode('UTF-8', $bytes, FB_CROAK) };

	ok(defined $text, "$command: UTF-8") or $text = '';
	ok($text !~ $HIDDEN, '... that hides nothing')
		or diag sprintf '%x in "%s"', ord $&,
			substr($`, -20) =~ s/[^ -~]/?/gr;
	ok($text =~ $like, '... of these names') or diag $got->{err};
}

my $DISK = "s\x1b\"d\xff\\a\xe2\x80\xae";
my $ESCAPED = qr/\\xe2\\x80\\xae/;
my $REPLACED = qr/"\\\x{fffd}|"\x{fffd}|&quot;\\\x{fffd}/;

for my $host ("a\xe2\x80\xae", "b\xff\x1b") {
	mkdir "$TOP/$host" or die "$TOP: $!\n";
	spew("$TOP/$host/$DISK.blktrace.0", steering_trace($EIO));
}

test_shown("btstat --by=$_ a* b*", $ESCAPED) for qw(device process host mark);
test_shown('btstat --top=5 a* b*', $ESCAPED);
test_shown('btstat --explain a* b*', $ESCAPED);
test_shown('btstat --interval=1ms --by=process a*', $ESCAPED);
test_shown('btstat --compare a* -- b*', $ESCAPED);
test_shown('blktop -b --by=process a*', $ESCAPED);
test_shown('blktop -b --by=device a* b*', $ESCAPED);
test_shown('btreport -o page.html a*', $REPLACED, 'page.html');
test_shown('btreport --compare -o pair.html a* b*', $REPLACED, 'pair.html');
test_shown('iowatcher -P -t a*/*.0 -o picture.svg', $REPLACED, 'picture.svg');
done_testing();
