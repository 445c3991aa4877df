# What gap_cases.c prints, worked out by GAP (read after field.g and groups.g).  Permutations act on the right here: our g h
# is h * g.
checked := 0;; failed := 0;; a := 0;;
report := function(ok, what)
  checked := checked + 1;
  if ok <> true then failed := failed + 1; Print("wrong: ", what, "\n"); fi;
end;;
finish := function() Print("checked ", checked, ", failed ", failed, "\n"); end;;
field := function(x) a := x; checked := checked + 1; end;;

group := function(name, gens, order, elements)
  local G, H;
  G := Group(gens, ()); H := Named(name);
  report(Size(G) = order and Size(H) = order
    and (order > 120 or (IsomorphismGroups(G, H) <> fail and Set(elements) = AsSet(G)
                         and elements[1] = ())), name);
end;;
perms := function(p, image, order, parity)
  report(p[1] = PermList(image) and p[3] = p[2] * p[1] and p[4] = p[1]^-1
    and Order(p[1]) = order and SignPerm(p[1]) = (-1)^parity, p);
end;;

# Time order is the order of the right action; "g*h^-2" is g after h^-2.
word := function(letters, product)
  report(Product(letters) = product, [letters, product]);
end;;
times := function(g, h, product)
  report(h^-2 * g = product, [g, h, product]);
end;;

# Reachable from the identity by invertible letters of finite order: the group they generate, here
# as permutations of the images of the unit vectors.  The labels are consistent when letter ->
# element is a homomorphism; inverses turn our products of permutations into GAP's.
reach := function(letters, elements, states, decoded, consistent)
  local moves, G, map, ok;
  moves := Moves(letters, Points(letters, 100000));
  G := Group(moves, ());
  ok := Size(G) = states;
  if elements <> [] then
    map := GroupHomomorphismByImages(G, Group(elements, ()), moves, List(elements, g -> g^-1));
    ok := ok and (map <> fail) = consistent;
    if map <> fail then
      ok := ok and Size(Image(map)) = decoded and Size(Kernel(map)) * decoded = states;
    fi;
  fi;
  report(ok, [Length(letters), states, decoded, consistent]);
end;;
