# The closure of the A5 tracker in GAP: an explicit breadth-first search over a sorted set.
# Matrices must be immutable, or "in" and AddSet compare linearly.  The decoder is not
# checked and nothing is certified here.
s5 := Sqrt(5);;
a := (1 - s5)/4;; b := (1 + s5)/4;;
gens := [ [[0,1,0],[0,0,1],[1,0,0]], [[1,0,0],[0,-1,0],[0,0,-1]],
          [[a,b,1/2],[b,1/2,a],[-1/2,-a,-b]] ];;
track := function(A)
  local c, w, i, j, g;
  c := (A[1][1] + A[2][2] + A[3][3] - 1)/2;
  w := [A[3][2] - A[2][3], A[1][3] - A[3][1], A[2][1] - A[1][2]]/2;
  g := NullMat(4, 4);
  g[1][1] := c;
  for i in [1..3] do
    g[1][i+1] := -w[i]; g[i+1][1] := w[i];
    for j in [1..3] do g[i+1][j+1] := -(A[i][j] + A[j][i])/2; od;
    g[i+1][i+1] := g[i+1][i+1] + 1 + c;
  od;
  return MakeImmutable(g);
end;;
letters := List(AsSSortedList(Group(gens)), track);;
start := MakeImmutable(IdentityMat(4));;
bfs := function()
  local seen, queue, i, x, y;
  seen := [start]; queue := [start]; i := 1;
  while i <= Length(queue) do
    for x in letters do
      y := MakeImmutable(x * queue[i]);
      if not y in seen then AddSet(seen, y); Add(queue, y); fi;
    od;
    i := i + 1;
  od;
  return Length(queue);
end;;
t := Runtime();;
n := bfs();;
Print("closure gap-bfs ", Runtime() - t, " states ", n, "\n");
# A stabiliser chain lists or counts the elements without their transition graph.
t := Runtime();;
n := Length(AsSSortedList(Group(letters)));;
Print("closure gap-AsSSortedList ", Runtime() - t, " states ", n, "\n");
t := Runtime();;
n := Size(Group(letters));;
Print("closure gap-Size ", Runtime() - t, " states ", n, "\n");
QUIT;
