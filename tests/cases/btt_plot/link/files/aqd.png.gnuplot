set terminal png size 1090,840
set output 'aqd.png'
set title 'Average Queue Depth' noenhanced
set xlabel 'Runtime (seconds)'
set ylabel 'Number of Requests Queued'
set xrange [-0.6:12.6]
set yrange [-0.4:4.4]
set key noenhanced
$data0 << end
0.5 0
1.5 1
2.5 4
3.5 2
4.5 2
5.5 4
6.5 1
7.5 0
8.5 1
9.5 4
10.5 2
11.5 2
end
plot $data0 using 1:2 with lines title '8,0'
