set terminal png size 1090,840
set output 'bnos_blknos_8,0_c.png'
set title 'Block Numbers Accessed' noenhanced
set xlabel 'Runtime (seconds)'
set ylabel 'Block Number'
set xrange [0.9:2.1]
set yrange [8:32]
set key noenhanced
$data0 << end
1 10
2 30
end
plot $data0 using 1:2 with points pointtype 7 pointsize 0.3 title '8,0'
