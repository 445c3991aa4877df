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
RootNear := function(poly, hint)
  local x, f, n, r, best;
  x := Indeterminate(Rationals, "x"); f := EvalString(poly);
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
x := Indeterminate(Rationals, "x");;
unit := k -> k * k;;
# (I - beta k k^T) Diag(gate), k along the key
Step := function(beta, k, gate)
  return (IdentityMat(Length(k)) - beta / (k * k) * TransposedMat([k]) * [k]) * DiagonalMat(gate);
end;;
