# A file of SQL as a constant text in C.
s/[\\"]/\\&/g
s/.*/	"&\\n"/
