# Numbers of the documents as cyclotomics, and how answers are printed.
BreakOnError := false;;
say := function(id, path, v) Print("@", id, " ", path, " ", v, "\n"); end;;
CosPi := function(r)
  local n;
  n := DenominatorRat(r / 2);
  return (E(n)^NumeratorRat(r / 2) + E(n)^-NumeratorRat(r / 2)) / 2;
end;;
SinPi := r -> CosPi(1/2 - r);;
# The real value, to 15 digits: to choose among roots only.
RealValue := function(x)
  local n, c;
  n := Conductor(x); c := CoeffsCyc(x, n);
  return Sum([1 .. n], k -> Float(c[k]) * Cos(2 * 3.141592653589793 * (k - 1) / n));
end;;
x := Indeterminate(Rationals, "x");; # EvalString reads global names
# the root of a text's polynomial that is nearest to a decimal, if the roots are cyclotomic
RootNear := function(poly, hint)
  local f, n, r, best;
  f := EvalString(poly);
  for n in [4, 5, 8, 12, 20, 24, 40, 60] do
    r := RootsOfPolynomial(CF(n), f);
    if Length(r) = Degree(f) then
      best := r[1];
      while r <> [] do
        if AbsoluteValue(RealValue(r[1]) - Float(hint)) < AbsoluteValue(RealValue(best) - Float(hint)) then best := r[1]; fi;
        Remove(r, 1);
      od;
      return best;
    fi;
  od;
  Error("the roots are not cyclotomic");
end;;
# p + r a with a = sqrt 5 or sqrt 2, whose conjugates are its images under E(n) -> E(n)^other
SayQuad := function(id, path, v, root, other)
  local w;
  if IsRat(v) then say(id, path, v); return; fi;
  w := GaloisCyc(v, other);
  say(id, path, Concatenation(String((v + w) / 2), "+", String((v - w) / 2 / root), "*a"));
end;;
# (I - beta k k^T) Diag(gate), k along the key
Step := function(beta, k, gate)
  return (IdentityMat(Length(k)) - beta / (k * k) * TransposedMat([k]) * [k]) * DiagonalMat(gate);
end;;
