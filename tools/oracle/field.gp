\\ Numbers of the documents: the field Q(a) that holds the atoms, and how answers are printed.
default(realprecision, 300);
T = 'a; gen = 0.; one = 1; z = []; basis = [];

\\ An atom is [a polynomial in x that it is a root of, its value].
near(f, value) = {
  my(r = polrootsreal(f), best = 1);
  for(i = 2, #r, if(abs(r[i] - value) < abs(r[best] - value), best = i));
  r[best];
};
factor_at(f, value) = {
  my(F = factor(f)[, 1]);
  for(i = 1, #F, if(abs(subst(F[i], x, value)) < 10^-60, return(F[i])));
  error("no factor");
};
atom_root(f, hint) = { my(v = near(f, hint)); [factor_at(f, v), v] };
atom_sqrt(n) = atom_root('x^2 - n, sqrt(n));
\\ cos(pi r): half the sum of a root of unity and its inverse
atom_cos(r) = {
  my(n = denominator(r / 2), w = Mod('y, polcyclo(n, 'y))^(numerator(r / 2) % n));
  [minpoly((w + 1/w) / 2, 'x), cos(Pi * r)];
};
valueof(e, at) = if(type(e) == "t_POLMOD", subst(lift(e), 'a, at), e);

\\ z[i]: atom i as an element of Q(a).
field(atoms) = {
  T = 'a; gen = 0.; one = 1; z = vector(#atoms);
  for(i = 1, #atoms, adjoin(i, atoms[i][1], atoms[i][2]));
};
adjoin(i, f, v) = {
  my(l, d = poldegree(f));
  if(d == 1, z[i] = -polcoeff(f, 0) / pollead(f); return);
  f = denominator(content(f)) * f; l = pollead(f);
  adjoin_integer(i, l^(d-1) * subst(f, 'x, 'x / l), l * v);
  z[i] = z[i] / l;
};
\\ the root v of a monic polynomial with integer coefficients
adjoin_integer(i, f, v) = {
  my(r, C, R, rho);
  if(poldegree(T) == 1, T = subst(f, 'x, 'a); gen = v; one = Mod(1, T); z[i] = Mod('a, T); return);
  r = nfroots(T, f);
  for(k = 1, #r, if(abs(valueof(r[k] * one, gen) - v) < 10^-60, z[i] = r[k] * one; return));
  C = polcompositum(T, subst(f, 'x, 'a), 1);
  for(k = 1, #C,
    R = C[k][1]; rho = polrootsreal(R);
    for(m = 1, #rho,
      if(abs(valueof(C[k][2], rho[m]) - gen) < 10^-50 && abs(valueof(C[k][3], rho[m]) - v) < 10^-50,
        for(j = 1, i - 1, if(type(z[j]) == "t_POLMOD", z[j] = subst(lift(z[j]), 'a, C[k][2])));
        T = R; gen = rho[m]; one = Mod(1, T); z[i] = C[k][3]; return)));
  error("no compositum");
};

\\ The square root of a number of the field, where it lies in the field.
sqrt_within(e) = {
  my(r = nfroots(T, 'x^2 - e));
  for(k = 1, #r, if(valueof(r[k] * one, gen) > 0, return(r[k] * one)));
  error("no square root within the field");
};

\\ The generator in which answers are printed: ours, or the root of g nearest to a decimal.
shown(g, decimal) = {
  my(h, d, r);
  if(g == 0 || poldegree(g) == 1 || poldegree(T) == 1, h = if(poldegree(T) == 1, 0, Mod('a, T)); d = poldegree(T),
    r = nfroots(T, g); h = r[1] * one;
    for(k = 2, #r, if(abs(valueof(r[k] * one, gen) - decimal) < abs(valueof(h, gen) - decimal), h = r[k] * one));
    if(#r == 0 || abs(valueof(h, gen) - decimal) > 10^-10 * max(1, abs(decimal)), error("the stated field is another one"));
    d = poldegree(g));
  basis = matrix(poldegree(T), d, i, j, polcoeff(lift(h^(j-1) * one), i - 1, 'a));
  if(poldegree(T) == 1, basis = Mat(1));
};
coefs(e) = {
  my(w = if(poldegree(T) == 1, [lift(e)]~, vectorv(poldegree(T), i, polcoeff(lift(e * one), i - 1, 'a))), c);
  c = matinverseimage(basis, w);
  if(#c == 0, error("outside the stated field"));
  c;
};
term(c, k) = {
  my(power = if(k == 1, "a", Str("a^", k)));
  if(k == 0, Str(c), c == 1, power, c == -1, Str("-", power), Str(c, "*", power));
};
text(e) = {
  my(c = coefs(e), s = "");
  for(i = 1, #c, if(c[i] != 0, s = Str(s, if(c[i] > 0 && s != "", "+", ""), term(c[i], i - 1))));
  if(s == "", "0", s);
};
truth(b) = if(b, "true", "false");
say(id, path, v) = print("@", id, " ", path, " ", v);
exact(id, path, e) = say(id, path, text(e));

\\ Signs: zero is decided exactly, the rest by 300 digits.
sgn(e) = {
  my(v);
  if(e == 0, return(0));
  v = valueof(e, gen);
  if(abs(v) < 10^-70, error("a sign needs more digits"));
  sign(v);
};
mat(rows) = matrix(#rows, if(#rows, #rows[1], 0), i, j, rows[i][j] * one);
