\\ A word whose powers never repeat a state: decided from the recurrence of S, T S, T^2 S, ...
\\ letters: [A, B] each, applied as S -> A S + B.
apply_word(L, w, S) = { for(i = 1, #w, S = L[w[i]][1] * S + L[w[i]][2]); S };
flat(S, offsets) = { my(v = concat(Vec(S))); if(offsets, concat(v, [1]~), v) };
recurrence(L, w, S, offsets) = {
  my(V = Mat(flat(S, offsets)), c, v);
  for(r = 1, 1000,
    S = apply_word(L, w, S); v = flat(S, offsets) * one;
    c = matinverseimage(V, v);
    if(#c, return('x^r - sum(i = 1, r, c[i] * 'x^(i-1))));
    V = matconcat([V, v]));
};
integral(e) = { my(m = minpoly(Mod(lift(e), T), 'x)); abs(pollead(m / content(m))) == 1 };
strip(f, g) = { my(h = gcd(f, g * one)); while(poldegree(h) > 0, f = f / h; h = gcd(f, h)); f };
multiple(f, g) = poldegree(gcd(gcd(f, deriv(f)), g * one)) > 0;
\\ multiplicity of 1 in the minimal polynomial of A: is there a Jordan block?
block1(A) = matrank(A - matid(#A) * one) != matrank((A - matid(#A) * one)^2);
kind_of(L, w, S, offsets) = {
  my(mu = recurrence(L, w, S, offsets) * one, A = matid(#L[1][1]) * one, D, rest, roots = List(), N2);
  for(i = 1, #w, A = L[w[i]][1] * A);
  D = poldegree(mu) * poldegree(T); rest = strip(mu, 'x);
  for(N = 1, 2 * D^2 + 6, if(eulerphi(N) <= D,
    if(poldegree(gcd(rest, polcyclo(N, 'x) * one)) > 0, if(multiple(mu, polcyclo(N, 'x)), listput(roots, N)));
    rest = strip(rest, polcyclo(N, 'x))));
  if(poldegree(rest) > 0,
    N2 = matid(#A) * one - A~ * A;
    if(semidefinite(N2) && matdet(N2) != 0, return("contraction"));
    if(!integral(polcoeff(mu, poldegree(mu) - 1)), return("trace"));
    return("eigenvalue"));
  if(#roots == 0, return("repeats"));
  if(Vec(roots) == [1] && !block1(A), "translation", "jordan");
};
infinite(id, L, S, offsets, prefix, w) = {
  my(k = kind_of(L, w, apply_word(L, prefix, S), offsets));
  say(id, "kind", k);
};
