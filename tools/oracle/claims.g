# Figures of claims about A5, the cube and S5, from the groups alone.

# Orbit of a query under the states of a tracker: how many states fix it, how near its images come.
Query := function(id, name, construction, q)
  local letters, points, moves, gens, k, orbit, known, v, x, w, near, d, order;
  letters := Letters(name, construction); points := Points(letters, 100000); moves := Moves(letters, points);
  order := Size(Group(moves, ())); gens := []; k := 1;
  while Size(Group(moves{gens}, ())) < order do
    if not moves[k] in Group(moves{gens}, ()) then Add(gens, k); fi;
    k := k + 1;
  od;
  orbit := [q]; known := Set(orbit);
  for v in orbit do
    for x in letters{gens} do
      w := v * x;
      if not w in known then AddSet(known, w); Add(orbit, w); fi;
    od;
  od;
  say(id, "stabiliser", order / Length(orbit));
  near := fail;
  for v in orbit do
    d := (v - q) * (v - q);
    if d <> 0 and (near = fail or RealValue(d) < RealValue(near) - 1.e-12) then near := d; fi;
  od;
  if Conductor(near) = 5 then SayQuad(id, "near", near, Sqrt(5), 2); else SayQuad(id, "near", near, Sqrt(2), 3); fi;
end;;
# How many sign diagonals S make A S a reflection?  One number for each rotation.
Certificates := function(id, name)
  local counts, A, S, P;
  counts := [];
  for A in Letters(name, "cube") do
    Add(counts, Number(Tuples([1, -1], 3), s -> A * DiagonalMat(s) = TransposedMat(A * DiagonalMat(s))
      and Trace(A * DiagonalMat(s)) = 1));
  od;
  for S in [1 .. 3] do say(id, Concatenation("with", String(S)), Number(counts, c -> c = S)); od;
end;;
# The planes through two of the 16 axes of order 3 and 5: how many axes lie in each.
Planes := function(id)
  local phi, axes, planes, i, j, k;
  phi := (1 + Sqrt(5)) / 2;
  axes := [[1, 1, 1], [1, 1, -1], [1, -1, 1], [-1, 1, 1]];
  for i in [1 .. 3] do
    for j in [1, -1] do
      for k in [[0, 1, j * phi], [0, phi, j / phi]] do Add(axes, Permuted(k, (1, 2, 3)^i)); od;
    od;
  od;
  planes := Set(Combinations([1 .. 16], 2), p -> Filtered([1 .. 16], k -> DeterminantMat(axes{[p[1], p[2], k]}) = 0
    or k in p));
  say(id, "axes", Length(Set(axes)));
  for k in [2 .. 16] do say(id, Concatenation("planes", String(k)), Number(planes, p -> Length(p) = k)); od;
end;;
# Orders of [c, w c w^-1] for all 24 five-cycles c and all w in S5.
Commutators := function(id)
  local orders, c, w, G, n;
  G := SymmetricGroup(5); orders := [];
  for c in Filtered(AsList(G), g -> Order(g) = 5) do
    for w in G do Add(orders, Order(Comm(c, c^w))); od;
  od;
  for n in [1 .. 6] do say(id, Concatenation("order", String(n)), Number(orders, k -> k = n)); od;
end;;
# Least E > 0 with 2r | E and E = 1 mod 5, for orders 5r.
Powers := function(id)
  local n, r, E;
  for n in [5, 10, 20, 25, 30, 60, 100, 120, 300] do
    r := n;
    while r mod 5 = 0 do r := r / 5; od;
    E := 2 * r;
    while E mod 5 <> 1 do E := E + 2 * r; od;
    say(id, Concatenation("E", String(n)), E);
  od;
end;;
