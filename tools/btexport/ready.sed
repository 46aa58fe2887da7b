# Ready queries as views; what stands before the first is left out.
/^-- name: /,$!d
s/^-- name: \(.*\)/CREATE VIEW ready_\1 AS/
