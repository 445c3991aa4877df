# Reachable sets, constructions by their definitions, orders and levels.
# A permutation of ours, g h = "h first", is GAP's h * g; a set of letters generates the same group.

Named := function(name)
  local m;
  m := Int(name{[2 .. Length(name)]});
  if name[1] = 'Z' then return CyclicGroup(IsPermGroup, m); fi;
  if name[1] = 'S' then return SymmetricGroup(m); fi;
  if name[1] = 'A' then return AlternatingGroup(m); fi;
  if m = 1 then return CyclicGroup(IsPermGroup, 2); fi;
  return DihedralGroup(IsPermGroup, 2 * m);
end;;
DihedralOf := function(name)
  if name in ["S2", "Z2"] then return "Z2"; fi;
  if name = "S3" then return "D3"; fi;
  if name = "A3" then return "Z3"; fi;
  if name[1] in "ZD" then return name; fi;
  return fail;
end;;

# ---- letters of the constructions: a list of [element, matrix] ----
Turn2 := r -> [[CosPi(r), -SinPi(r)], [SinPi(r), CosPi(r)]];;
Pad := function(A)
  local B;
  B := IdentityMat(3); B{[1, 2]}{[1, 2]} := A; return B;
end;;
# r^k s^e for Z_m (no s) and D_m, with r and s as given
Axial := function(name, r, s)
  local m, out, k;
  m := Int(name{[2 .. Length(name)]}); out := [];
  for k in [0 .. m - 1] do
    Add(out, r^k);
    if name[1] = 'D' then Add(out, r^k * s); fi;
  od;
  return out;
end;;
Closure3 := function(gens)
  local all, at, g, y;
  all := [IdentityMat(3)]; at := 1;
  while at <= Length(all) do
    for g in gens do
      y := g * all[at];
      if not y in all then Add(all, y); fi;
    od;
    at := at + 1;
  od;
  return all;
end;;
# rotations that generate A4 (axes in turn, half a turn), S4 (and a quarter of a turn), A5 (and a fifth of a turn)
CycleAxes := [[0, 1, 0], [0, 0, 1], [1, 0, 0]];;
HalfTurn := DiagonalMat([1, -1, -1]);;
QuarterTurn := [[0, -1, 0], [1, 0, 0], [0, 0, 1]];;
FifthTurn := [[1 - Sqrt(5), 1 + Sqrt(5), 2], [1 + Sqrt(5), 2, 1 - Sqrt(5)], [-2, Sqrt(5) - 1, -1 - Sqrt(5)]] / 4;;
# the rotation group of a named group in dimension 3; half turns for D_m about the first axis
Rotations := function(name)
  local d, m;
  d := DihedralOf(name);
  if d <> fail and not name in ["A4", "S4", "A5"] then
    m := Int(d{[2 .. Length(d)]});
    return Axial(d, Pad(Turn2(2 / m)), HalfTurn);
  fi;
  if name = "A4" then return Closure3([CycleAxes, HalfTurn]); fi;
  if name = "S4" then return Closure3([CycleAxes, HalfTurn, QuarterTurn]); fi;
  return Closure3([CycleAxes, HalfTurn, FifthTurn]);
end;;
# x -> a x a for the quaternion a of a rotation A, written down from A alone: its first column and row hold the
# cosine and the axis times the sine, the rest is (1 + cos) I - (A + A^T)/2
Quaternion := function(A)
  local c, w, Q, i, j;
  c := (Trace(A) - 1) / 2;
  w := [A[3][2] - A[2][3], A[1][3] - A[3][1], A[2][1] - A[1][2]] / 2;
  Q := NullMat(4, 4); Q[1][1] := c;
  for i in [1 .. 3] do
    Q[i + 1][1] := w[i]; Q[1][i + 1] := -w[i];
    for j in [1 .. 3] do Q[i + 1][j + 1] := -(A[i][j] + A[j][i]) / 2; od;
    Q[i + 1][i + 1] := Q[i + 1][i + 1] + 1 + c;
  od;
  return Q;
end;;
# the matrices of all elements
Letters := function(name, construction)
  local d, m, P;
  d := DihedralOf(name);
  if construction = "planar" then
    m := Int(d{[2 .. Length(d)]});
    return Axial(d, Turn2(2 / m), DiagonalMat([1, -1]));
  fi;
  if construction = "quaternion" then return List(Rotations(name), Quaternion); fi;
  if construction = "cube" then
    P := [[1, 1, 0], [-1, 1, 0], [0, 0, Sqrt(2)]] / Sqrt(2);
    return List(Rotations(name), A -> P * A * TransposedMat(P));
  fi;
  m := LargestMovedPoint(Named(name));
  return List(AsList(Named(name)), g -> PermutationMat(g, Maximum(m, 1)));
end;;

# ---- what letters reach ----
# Invertible letters without offsets from an initial state of full rank: products of letters, as permutations of the
# images of the unit vectors.
Points := function(letters, limit)
  local points, known, v, x, w;
  points := ShallowCopy(IdentityMat(Length(letters[1]))); known := Set(points);
  for v in points do
    for x in letters do
      w := v * x;
      if not w in known then AddSet(known, w); Add(points, w); fi;
    od;
    if Length(points) > limit then return fail; fi;
  od;
  return points;
end;;
Moves := function(letters, points)
  local sorted, order;
  sorted := ShallowCopy(points); order := [1 .. Length(points)]; SortParallel(sorted, order);
  return List(letters, x -> PermList(List(points, v -> order[PositionSorted(sorted, v * x)])));
end;;
# sizes of the spheres; more states than the limit end the search
Spheres := function(moves, limit)
  local level, seen, sizes, total;
  level := [()]; seen := [()]; sizes := []; total := 0;
  while level <> [] do
    Add(sizes, Length(level)); total := total + Length(level);
    if total > limit then return sizes; fi;
    level := Set(Concatenation(List(Set(moves), x -> level * x)));
    SubtractSet(level, seen);
    seen := Union(seen, level);
  od;
  return sizes;
end;;
sayLevels := function(id, sizes)
  local k;
  for k in [1 .. Length(sizes)] do say(id, Concatenation("levels.", String(k - 1)), sizes[k]); od;
end;;
# elements: [], or what the letters stand for, which a decoder maps them to
ReachGroup := function(id, letters, elements, limit)
  local points, moves, G, H, map, sizes;
  points := Points(letters, 5000);
  if points = fail then say(id, "beyond", 5000); return; fi;
  moves := Moves(letters, points);
  G := Group(moves, ());
  say(id, "group", Size(G));
  sizes := Spheres(moves, limit);
  sayLevels(id, sizes);
  say(id, "letters", Length(letters));
  say(id, "dimension", Length(letters[1]));
  if elements <> [] then
    H := Group(elements, ());
    map := GroupHomomorphismByImages(G, H, moves, elements);
    say(id, "decoder_consistent", map <> fail);
    if map <> fail then
      say(id, "decoded", Size(Image(map)));
      say(id, "kernel", Size(Kernel(map)));
    fi;
  fi;
end;;
# The elements are the letters themselves, of quaternions the rotations that they stand for (in the same order).  Matrices
# act from the right on both sides.
ReachNamed := function(id, name, construction, limit)
  local letters, elements;
  letters := Letters(name, construction);
  if construction = "quaternion" then elements := Rotations(name); else elements := letters; fi;
  ReachGroup(id, letters, Moves(elements, Points(elements, 1000)), limit);
end;;

# Any letters and offsets: states themselves.
ReachStates := function(id, initial, letters, limit)
  local all, level, next, sizes, s, x, t, total;
  level := [initial]; all := Set([initial]); sizes := []; total := 0;
  while level <> [] do
    Add(sizes, Length(level)); total := total + Length(level);
    if total > limit then break; fi;
    next := [];
    for s in level do
      for x in letters do
        t := x[1] * s + x[2];
        if not t in all then AddSet(all, t); Add(next, t); fi;
      od;
    od;
    level := next;
  od;
  if level = [] then say(id, "states", total); else say(id, "beyond", total); fi;
  sayLevels(id, sizes);
  say(id, "letters", Length(letters));
  say(id, "dimension", Length(initial));
end;;
# Without elements the smaller of the two orbits serves: A and its transpose reach equally many products.
ReachTransposed := function(id, letters, limit)
  local other, points, turned;
  other := List(letters, TransposedMat);
  points := Points(letters, 5000); turned := Points(other, 5000);
  if turned <> fail and (points = fail or Length(turned) < Length(points)) then letters := other; fi;
  ReachGroup(id, letters, [], limit);
end;;
# States after each letter of a word.  Permutations of ours act on the left: g goes to A(g), (gh) to A(g) A(h).
States := function(id, name, construction, word)
  local frame, hom, S, t, i, j, M;
  if construction = "quaternion" then
    frame := [[(1, 2, 3), CycleAxes], [(1, 2)(3, 4), HalfTurn]];
    if name = "A5" then Add(frame, [(1, 2, 3, 4, 5), FifthTurn]); fi;
    # transposes turn our products into GAP's
    hom := GroupHomomorphismByImages(Group(List(frame, f -> f[1])), Group(List(frame, f -> TransposedMat(f[2]))),
      List(frame, f -> f[1]), List(frame, f -> TransposedMat(f[2])));
    M := g -> Quaternion(TransposedMat(Image(hom, g)));
  else
    M := g -> TransposedMat(PermutationMat(g, Int(name{[2 .. Length(name)]})));
  fi;
  S := IdentityMat(Length(M(())));
  for t in [1 .. Length(word)] do
    S := M(word[t]) * S;
    for i in [1 .. Length(S)] do
      for j in [1 .. Length(S)] do
        SayQuad(id, Concatenation("prefixes.", String(t - 1), ".state.", String(i - 1), ".", String(j - 1)), S[i][j], Sqrt(5), 2);
      od;
    od;
  od;
end;;
