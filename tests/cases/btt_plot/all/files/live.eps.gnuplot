set terminal postscript eps color size 10.9in,8.4in
set output 'live.eps'
set title 'Live' noenhanced
set xlabel 'Runtime (seconds)'
set ylabel ''
set xrange [-0.1:1.1]
set yrange [-0.19:2.09]
set key noenhanced
$data0 << end
0 0
1 0.9
end
$data1 << end
0 1
1 1.9
end
plot $data0 using 1:2 with lines title 'sys_live.dat', \
	$data1 using 1:2 with lines title '8,0_live.dat'
