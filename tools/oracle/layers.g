# Finite subgroups of SO(3), commutators that forbid a layer, series, and reductions of affine systems.

# The name of a group in the list Z_m, D_m, A4, S4, A5, or fail.  D_1 is Z2, D_3 is S3.
RotationName := function(G)
  local n;
  n := Size(G);
  if IsCyclic(G) then return Concatenation("Z", String(n)); fi;
  if n = 4 then return "D2"; fi;
  if IsDihedralGroup(G) then return Concatenation("D", String(n / 2)); fi;
  if n = 12 and IsomorphismGroups(G, AlternatingGroup(4)) <> fail then return "A4"; fi;
  if n = 24 and IsomorphismGroups(G, SymmetricGroup(4)) <> fail then return "S4"; fi;
  if n = 60 and IsomorphismGroups(G, AlternatingGroup(5)) <> fail then return "A5"; fi;
  return fail;
end;;
# Does the letter g forbid a layer?  The power of g and the order its commutators with conjugates must divide.
Tests := function(g)
  local n, p;
  n := Order(g);
  if n = 1 or not IsPrimePowerInt(n) then return []; fi;
  p := Factors(n)[1];
  if p >= 7 then return [[g, 1]]; fi;
  if p = 5 then return [[g, 10], [g^5, 1]]; fi;
  if p = 3 then return [[g^3, 1]]; fi;
  return [[g^8, 1]];
end;;
Forbidden := function(G, letters)
  local g, r, h;
  for g in letters do
    for r in Tests(g) do
      for h in RightTransversal(G, Centralizer(G, r[1])) do
        if Comm(r[1], r[1]^h)^r[2] <> () then return true; fi;
      od;
    od;
  od;
  return false;
end;;
# Shortest series with factors inside SO(3): each subgroup normal in the one before; 0 if there is none.
Shortest := function(G)
  local best, N, k;
  if RotationName(G) <> fail then return 1; fi;
  best := 0;
  for N in NormalSubgroups(G) do
    if Size(N) > 1 and Size(N) < Size(G) and best <> 2 and RotationName(G / N) <> fail then
      k := Shortest(N);
      if k > 0 and (best = 0 or k + 1 < best) then best := k + 1; fi;
    fi;
  od;
  return best;
end;;
# Heads that track quotients inside SO(3) whose kernels meet in 1.
Quotients := function(G)
  local N;
  N := Filtered(NormalSubgroups(G), N -> RotationName(G / N) <> fail);
  return Size(Intersection(N)) = 1;
end;;
# Subgroups of a direct product of two tracked groups are tracked; the dicyclic ones are built by name.
Dicyclic := function(G)
  local n;
  n := Size(G);
  return n mod 8 = 0 and n >= 8 and IsomorphismGroups(G, DicyclicGroup(IsPermGroup, n)) <> fail;
end;;
# The composition factors that lie in no finite subgroup of SO(3): not abelian, and not A5.
Obstacles := function(G)
  local s;
  s := CompositionSeries(G);
  return Filtered(List([1 .. Length(s) - 1], i -> s[i] / s[i + 1]), F -> not IsAbelian(F) and Size(F) <> 60);
end;;
Construct := function(id, G, letters)
  local name, k;
  if not IsPermGroup(G) then G := Image(IsomorphismPermGroup(G)); fi;
  say(id, "order", Size(G));
  name := RotationName(G);
  if name <> fail then
    say(id, "so3.group", name); say(id, "verdict", "tracked");
  else
    say(id, "so3", "null");
    if Forbidden(G, letters) then say(id, "verdict", "impossible");
    elif Quotients(G) then say(id, "verdict", "tracked"); say(id, "method", "quotients");
    elif Dicyclic(G) then say(id, "verdict", "tracked"); say(id, "method", "dicyclic");
    else say(id, "verdict", "undecided"); fi;
    k := Shortest(G);
    say(id, "series.count", k);
    if k = 0 then say(id, "series.obstacle.order", Size(Obstacles(G)[1])); fi;
  fi;
end;;
# [g, h g h^-1] in our notation, from permutations that act on the left: GAP's products are reversed.
Witness := function(id, g, h)
  local mul, inv, c, w;
  mul := function(a, b) return b * a; end; inv := a -> a^-1;
  c := mul(mul(h, g), inv(h));
  w := mul(mul(mul(g, c), inv(g)), inv(c));
  say(id, "obstruction.commutator", ReplacedString(String(w), " ", ""));
  say(id, "obstruction.conjugate", ReplacedString(String(c), " ", ""));
  say(id, "obstruction.order_of_commutator", Order(w));
  say(id, "obstruction.order_of_g", Order(g));
end;;
NeedSmallGroups := function()
  if LoadPackage("smallgrp") = fail then Error("the package smallgrp is not installed"); fi;
end;;
# SmallGroup(n, k) as a group of permutations.
SmallPerm := function(n, k)
  NeedSmallGroups();
  return Image(IsomorphismPermGroup(SmallGroup(n, k)));
end;;
# The groups of an order from GAP's library, as permutations: images from 0.
GroupsOfOrder := function(id, n)
  local k, G;
  NeedSmallGroups();
  for k in [1 .. NumberSmallGroups(n)] do
    G := SmallPerm(n, k);
    say(id, Concatenation("group.", String(k)), ReplacedString(String(List(Filtered(GeneratorsOfGroup(G), g -> n = 1
      or g <> ()), g -> List([1 .. Maximum(1, LargestMovedPoint(G))], i -> i^g - 1))), " ", ""));
  od;
end;;
SmallConstruct := function(id, n, k)
  local G;
  G := SmallPerm(n, k);
  Construct(id, G, List(ConjugacyClasses(G), Representative));
end;;

# ---- reductions: heads [initial, [[A, B], ...]], elements of the letters ----
# the image set that no word makes smaller: sets of states, breadth first
Smallest := function(n, next)
  local todo, seen, s, t, f, best;
  todo := [[1 .. n]]; seen := Set(todo); best := [1 .. n];
  for s in todo do
    for f in next do
      t := Set(f{s});
      if not t in seen then AddSet(seen, t); Add(todo, t); if Length(t) < Length(best) then best := t; fi; fi;
    od;
  od;
  return best;
end;;
# Dimension of the span of the differences of states.  Columns of different heads lie in different parts of the space.
Span := function(states)
  local rows, s, c, h;
  rows := [];
  for s in states do
    for h in [1 .. Length(s)] do
      for c in [1 .. Length(s[h][1])] do
        Add(rows, Concatenation(List([1 .. Length(s)], function(k)
          if k = h then return List(s[k] - states[1][k], r -> r[c]); fi;
          return ListWithIdenticalEntries(Length(s[k]), 0);
        end)));
      od;
    od;
  od;
  return RankMat(rows);
end;;
Reduce := function(id, initial, letters, elements)
  local states, next, s, x, t, at, small, p, n, labels, todo, ok;
  states := [initial]; at := 1; next := List(letters, x -> []);
  while at <= Length(states) do
    for x in [1 .. Length(letters)] do
      t := List([1 .. Length(initial)], h -> letters[x][h][1] * states[at][h] + letters[x][h][2]);
      p := Position(states, t);
      if p = fail then Add(states, t); p := Length(states); fi;
      next[x][at] := p;
    od;
    at := at + 1;
    if at > 5000 then say(id, "beyond", at); return; fi;
  od;
  n := Length(states);
  say(id, "states", n); say(id, "span", Span(states));
  small := Smallest(n, next);
  say(id, "core", Span(states{small}));
  say(id, "tracker_states", Length(small));
  # labels: the element of the first word that reaches a state; every other way there must give the same
  if elements <> [] then
    labels := []; labels[1] := (); todo := [1]; ok := true;
    for s in todo do
      for x in [1 .. Length(letters)] do
        p := labels[s] * elements[x];
        if IsBound(labels[next[x][s]]) then
          if labels[next[x][s]] <> p then ok := false; fi;
        else labels[next[x][s]] := p; Add(todo, next[x][s]); fi;
      od;
    od;
    say(id, "consistent", ok);
    say(id, "decoded", Size(Set(labels)));
  fi;
end;;
# The tracker of a built-in system, by its own letters.
ReduceNamed := function(id, name, construction)
  local L, E;
  L := Letters(name, construction);
  if construction = "quaternion" then E := Rotations(name); else E := L; fi;
  Reduce(id, [L[1]^0], List(L, A -> [[A, 0 * A]]), List(Moves(E, Points(E, 1000)), g -> g^-1)); # states are multiplied from the left
end;;
