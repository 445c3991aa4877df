\\ What pari_cases.c prints, worked out by PARI.
default(realprecision, 115);
checked = 0; failed = 0;
report(ok, what) = { checked++; if(!ok, failed++; print("wrong: ", what)); };
finish() = { print("checked ", checked, ", failed ", failed); };

\\ The real root of f nearest to a decimal.
root(f, hint) = {
  my(r = polrootsreal(f), best = 1);
  for(i = 2, #r, if(abs(r[i] - hint) < abs(r[best] - hint), best = i));
  r[best];
};

\\ The field Q(a) with T(a) = 0 and the real root a nearest to a decimal.
T = a; generator = 0;
field(f, decimal) = {
  T = f; generator = root(T, decimal);
  \\ the decimal is truncated after 20 significant digits
  report(polisirreducible(T) && abs(generator - decimal) <= abs(decimal) * 10^-18, ["field", T]);
};
inside(x) = Mod(x, T);
value(x) = subst(x, a, generator);

elements(e, divided, sgn, cmp) = {
  my([x, y, sum, diff, prod, quot] = e, ok);
  ok = inside(x + y) == inside(sum) && inside(x - y) == inside(diff)
    && inside(x) * inside(y) == inside(prod) && divided == (inside(y) != 0)
    && (!divided || inside(x) / inside(y) == inside(quot))
    && sign(value(x)) == sgn && if(x == y, cmp == 0, sign(value(x - y)) == cmp);
  report(ok, ["elements", T, e, divided, sgn, cmp]);
};

rows(A) = matrix(#A, #A, i, j, inside(A[i][j]));
mat(A, chi, det, rank, invertible, inverse) = {
  my(M = rows(A), ok);
  ok = charpoly(M, 'x) == chi * inside(1) && matdet(M) == inside(det) && matrank(M) == rank
    && invertible == (rank == #A) && (!invertible || M^-1 == rows(inverse));
  report(ok, ["matrix", T, A]);
};

\\ Pairs of roots on the unit circle of an irreducible g over Q of degree at least 2: they exist
\\ only if g is its own reciprocal, and then y = z + 1/z is a root in (-2, 2) of the resultant.
circle(g) = {
  my(R);
  if(poldegree(g) % 2 || polrecip(g) != g, return(0));
  R = polresultant(g, x^2 - y * x + 1, x);
  polsturm(R / gcd(R, deriv(R, y)), [-2, 2]);
};
\\ [real roots, pairs on the circle] of an irreducible g over Q(a), its coefficients put into the
\\ reals; the roots are simple, so 115 digits tell them apart.
counts(g) = {
  my(z);
  if(T == a, return([polsturm(g), circle(g)]));
  z = polroots(subst(lift(g), a, generator));
  [#select(t -> abs(imag(t)) < 10^-30, z),
   #select(t -> imag(t) > 10^-30 && abs(abs(t) - 1) < 10^-30, z)];
};
roots(f, degree, real, pairs, unit, parts) = {
  my(F = factor(if(T == a, f, f * inside(1))), r = 0, u = 0, p = vector(vecmax(F[, 2])), c);
  for(i = 1, #F~,
    c = counts(F[i, 1]);
    r += F[i, 2] * c[1]; u += F[i, 2] * c[2]; p[F[i, 2]] += poldegree(F[i, 1]));
  report(degree == poldegree(f) && real == r && 2 * pairs == degree - r && unit == u && parts == p,
         ["roots", T, f, real, r, unit, u, parts, p]);
};
\\ Ours counts in (lo, hi], PARI in [lo, hi].
sturm(f, lo, hi, count) = {
  my(g = f / gcd(f, deriv(f)), n);
  n = if(lo == hi, 0, polsturm(g, [lo, hi]) - (subst(g, x, lo) == 0));
  report(n == count, ["sturm", f, lo, hi, count, n]);
};

\\ Numbers as text.  A decimal is ours truncated to 25 digits.
pi = Pi;
number(x, decimal) = report(abs(x - decimal) <= abs(decimal) * 10^-23, ["number", x, decimal]);
