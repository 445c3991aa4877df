\\ Spectra, decompositions, factors and sweeps from their definitions.

\\ ---- the families ----
unit(k) = sum(i = 1, #k, k[i]^2);
ckda(beta, k, gate) = matrix(#k, #k, i, j, ((i == j) - beta / unit(k) * k[i] * k[j]) * gate[j] * one);
rwkv7(w, k, e) = matrix(#k, #k, i, j, ((i == j) * w[i] - k[i] * k[j] * e[j] / unit(k)) * one);
mdn(al, mu, b, e, k) = {
  my(d = #k, K = matrix(d, d, i, j, k[i] * k[j] / unit(k) * one), I = matid(d) * one);
  matconcat([al * (I - b * e * K), -b * mu * I; al * e * K, mu * I]);
};
\\ x + iy as [[x, -y], [y, x]]; key and gate are lists of pairs
block(u) = [u[1], -u[2]; u[2], u[1]];
sfda(beta, k, gate) = {
  my(n = #k, s = sum(i = 1, n, k[i][1]^2 + k[i][2]^2), A);
  A = matconcat(matrix(n, n, i, j,
    (block(if(i == j, [1, 0], [0, 0])) - beta / s * block(k[i]) * block([k[j][1], -k[j][2]])) * block(gate[j])));
  A * one;
};
dpr(d, u, v) = matrix(#d, #d, i, j, ((i == j) * d[i] + u[i] * v[j]) * one);
images(p) = matrix(#p, #p, i, j, (p[j] + 1 == i) * one);

\\ ---- root counts ----
variations(s) = { my(w = select(t -> t, s)); sum(i = 2, #w, w[i] != w[i-1]) };
sign_at(p, c) = {
  if(c == "+", return(sgn(pollead(p))));
  if(c == "-", return(sgn(pollead(p)) * (-1)^poldegree(p)));
  sgn(subst(p, 'x, c));
};
\\ distinct real roots in (lo, hi]
distinct(f, lo, hi) = {
  my(p = f, q = deriv(f), s = List([f]), r);
  while(q != 0, listput(s, q); r = -(p % q); p = q; q = r);
  s = Vec(s);
  variations([sign_at(p, lo) | p <- s]) - variations([sign_at(p, hi) | p <- s]);
};
monic(f) = f / pollead(f);
\\ [part, multiplicity], parts square-free and prime to each other
parts(f) = {
  my(g = monic(gcd(f, deriv(f))), w = monic(f / g), y, out = List(), m = 1);
  while(poldegree(w) > 0, y = monic(gcd(w, g)); if(poldegree(w) > poldegree(y), listput(out, [monic(w / y), m]));
    w = y; g = monic(g / y); m++);
  Vec(out);
};
real_roots(f) = if(poldegree(f) < 1, 0, sum(i = 1, #parts(f), parts(f)[i][2] * distinct(parts(f)[i][1], "-", "+")));
\\ pairs on |z| = 1 of a square-free part that is its own reverse, without the roots 1 and -1
pairs(h) = {
  my(k, q, t0, t1, t2);
  for(s = 0, 1, while(subst(h, 'x, (-1)^s) == 0, h = h / ('x - (-1)^s)));
  k = poldegree(h);
  if(k == 0, return(0));
  if(k % 2 || h != monic(polrecip(h)), error("not its own reverse"));
  k = k / 2; q = polcoeff(h, k, 'x) * 'x^0; t0 = 2; t1 = 'x;
  for(j = 1, k, q += polcoeff(h, k + j, 'x) * t1; t2 = 'x * t1 - t0; t0 = t1; t1 = t2);
  distinct(q, -2, 2);
};
circle(f) = {
  my(g, P);
  while(poldegree(f) > 0 && polcoeff(f, 0, 'x) == 0, f = f / 'x);
  if(poldegree(f) < 1, return(0));
  g = gcd(f, polrecip(f));
  if(poldegree(g) < 1, return(0));
  P = parts(monic(g));
  sum(i = 1, #P, P[i][2] * pairs(P[i][1]));
};
counts(id, path, chi) = {
  my(r = real_roots(chi));
  say(id, Str(path, "real_roots"), r);
  say(id, Str(path, "nonreal_pairs"), (poldegree(chi) - r) / 2);
  say(id, Str(path, "unit_circle_pairs"), circle(chi));
};
\\ A symmetric matrix has real eigenvalues: none is negative iff the coefficients alternate.
semidefinite(S) = { my(c = charpoly(S, 'x), n = #S); for(k = 0, n, if(sgn(polcoeff(c, k, 'x)) * (-1)^(n-k) < 0, return(0))); 1 };

spectrum(id, M, F) = {
  my(chi = charpoly(M, 'x), S = matid(#M) * one - M~ * M, psd = semidefinite(S));
  for(k = 0, #M, exact(id, Str("charpoly.", k), polcoeff(chi, k, 'x)));
  counts(id, "", chi);
  say(id, "dimension", #M);
  say(id, "norm_at_most_1", truth(psd));
  say(id, "norm_equals_1", truth(psd && matdet(S) == 0));
  for(k = 1, #F, counts(id, Str("factors.", k - 1, "."), charpoly(F[k], 'x)));
};

\\ ---- decompositions: every sign diagonal S is tried ----
signs(n, m) = vector(n, i, (-1)^bittest(m, i - 1));
householders(A) = {
  my(n = #A, out = List(), s, P);
  for(m = 0, 2^n - 1,
    s = signs(n, m); P = A * matdiagonal(s);
    if(P == P~ && trace(P) == n - 2, listput(out, [s, matid(n) * one - P])));
  Vec(out);
};
column(P) = for(j = 1, #P, if(P[, j] != 0, return(P[, j])));
decompose(id, A) = {
  my(ok = A~ * A == matid(#A) * one, H, k, e, support);
  say(id, "orthogonal", truth(ok));
  if(!ok, return);
  H = householders(A);
  say(id, "representations", #H);
  say(id, "dpr1", truth(#H > 0));
  if(#H == 0, return);
  say(id, "verified", "true");
  k = column(H[1][2]);
  support = select(i -> k[i] != 0, [1 .. #k]);
  say(id, "support", #support);
  for(r = 1, #H,
    k = column(H[r][2]); e = select(i -> k[i] != 0, [1 .. #k])[1];
    say(id, Str("rep.", r - 1, ".signs"), Str(H[r][1]));
    for(i = 1, #k, exact(id, Str("rep.", r - 1, ".key.", i - 1), k[i] / k[e])));
  if(#support == 2,
    for(i = 1, 2, for(j = 1, 2, exact(id, Str("free_diagonal.block.", 2 * i + j - 3), A[support[i], support[j]]))));
};

\\ ---- factors: the product of those listed, first applied first ----
least(A) = { my(n = #A, r = n); for(m = 0, 2^n - 1, r = min(r, matrank(matid(n) * one - A * matdiagonal(signs(n, m))))); r };
factored(id, kind, A, F) = {
  my(n = #A, N = if(#F, #F[1][2], n), P = matid(N) * one, big = 0, ok);
  if(kind == "orthogonal", say(id, "orthogonal", truth(A~ * A == matid(n) * one)));
  if(kind == "orthogonal" && n <= 8, say(id, "least", least(A)));
  if(kind == "contraction", say(id, "norm_at_most_1", truth(semidefinite(matid(n) * one - A~ * A))));
  if(#F == 0, return);
  for(i = 1, #F, P = ckda(F[i][1], F[i][2], F[i][3]) * P; if(i == 1 || sgn(F[i][1] - big) > 0, big = F[i][1]));
  ok = matrix(n, N, i, j, P[i, j]) == matconcat([A, matrix(n, N - n)]) * one;
  say(id, "verified", truth(ok));
  say(id, "count", #F);
  say(id, "dimension", N);
  exact(id, "max_beta", big);
};
\\ a letter: is it one step, with which signs; else the least number of steps
letter(id, at, A) = {
  my(ok = A~ * A == matid(#A) * one, H);
  say(id, Str(at, ".orthogonal"), truth(ok));
  H = if(ok, householders(A), []);
  say(id, Str(at, ".one_step"), truth(#H > 0));
  say(id, Str(at, ".steps"), if(#H, 1, ok, least(A), 0));
  for(r = 1, #H, say(id, Str("signs.", at, ".", r), H[r][1]));
};
stretched(id, A, v) = {
  my(w = A * v, p = v~ * v, q = w~ * w);
  exact(id, "witness.x", p); exact(id, "witness.Ax", q); say(id, "longer", truth(sgn(q - p) > 0));
};

\\ ---- sweeps: (I - beta k k^T) Diag(alpha, second), k = (cos, sin) of theta, by the discriminant ----
\\ Equal angles come as 115 digits: there a discriminant below 10^-90 counts as 0.
sgn0(v) = if(type(v) == "t_REAL" && abs(v) < 10^-90, 0, sign(v));
kind(D, det) = if(D > 0, 0, if(D == 0, 1, if(det == 1, 3, 2)));
cell(beta, al, second, c2) = {
  my(det = (1 - beta) * al * second, tr(c) = al * (1 - beta * c) + second * (1 - beta * (1 - c)), lo, hi);
  if(type(c2) != "t_POL", return(kind(sgn0(tr(c2)^2 - 4 * det), det)));
  \\ free: some key has a pair iff the trace nearest to 0 is below 2 sqrt(det)
  lo = min(tr(0), tr(1)); hi = max(tr(0), tr(1));
  lo = if(lo <= 0 && hi >= 0, 0, min(abs(lo), abs(hi)));
  if(lo^2 < 4 * det, kind(-1, det), 0);
};
\\ A stated key as a direction, its first entry that is not 0 made 1.
direction(id, path, k) = {
  my(e = select(i -> k[i] * one != 0, [1 .. #k])[1]);
  for(i = 1, #k, exact(id, Str(path, ".dir.", i - 1), k[i] * one / k[e]));
};
