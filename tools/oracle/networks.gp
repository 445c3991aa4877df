\\ Compiled networks: heads run as the recurrence, and the maps between the layers, from a document's numbers.

\\ A step is [betas, keys, gates, values, query]: the gates, then an update for each beta; [state, what is read].
net_step(H, s) = {
  my(G = matdiagonal(s[3]) * H, w);
  for(i = 1, #s[1], w = s[2][i];
    if(s[1][i] != 0, G -= (s[1][i] / (w * w~)) * w~ * (w * G - s[4][i])));
  [G, G~ * s[5]];
};
\\ f(S) = al C - s r^T - C [r]x of S = [[al, r^T], [s, C]]
net_rotation(S) = {
  my(C = S[2..4, 2..4], r = S[1, 2..4]);
  S[1, 1] * C - S[2..4, 1] * r - C * [0, -r[3], r[2]; r[3], 0, -r[1]; -r[2], r[1], 0];
};
\\ A reader is [does it read rotations, table]; the number of the entry that o is, from 0, or -1.
net_find(reader, o) = {
  if(reader[1], o = net_rotation(o~));
  for(i = 1, #reader[2], if(reader[2][i] == o, return(i - 1)));
  -1;
};
net_unit(n, i) = vector(n, k, k == i);

\\ ---- a map of points as steps, at most max(1, n - 1) or 2 for n = 2: sums, then swaps ----

net_factors(f) = {
  my(n = #f, point = [1..n], keep = vector(n), content = vector(n), dirty = [], out = List(), w, g, q);
  for(k = 1, n, point = Set(apply(i -> f[i], point)));  \\ what is left lies on cycles
  for(i = 1, n, if(keep[f[i]] == 0 || setsearch(point, i), keep[f[i]] = i));
  for(t = 1, n, if(keep[t],
    content[keep[t]] = t;
    q = select(i -> f[i] == t && i != keep[t], [1..n]);
    if(#q,
      w = 2 * net_unit(n, keep[t]) + sum(i = 1, #q, net_unit(n, q[i]));
      g = vector(n, i, if(setsearch(Set(dirty), i), 0, w[i] != 0, -1, 1));
      listput(out, [(4 + #q) / 2, w, g]);
      dirty = q)));
  for(p = 1, n, while(content[p] && content[p] != p,
    q = content[p];
    listput(out, [2, net_unit(n, p) - net_unit(n, q), vector(n, i, !setsearch(Set(dirty), i))]);
    dirty = [];
    content[p] = content[q]; content[q] = q));
  if(#dirty, listput(out, [0, net_unit(n, 1), vector(n, i, !setsearch(Set(dirty), i))]));
  out = Vec(out);
  if(net_product(out, n) != matrix(n, n, i, j, f[j] == i), error("factors that are not the map"));
  out;
};
net_matrix(s) = (matid(#s[2]) - (s[1] / (s[2] * s[2]~)) * s[2]~ * s[2]) * matdiagonal(s[3]);
net_product(steps, n) = { my(P = matid(n)); for(i = 1, #steps, P = net_matrix(steps[i]) * P); P };

\\ ---- the lookups: [steps of the heads, what is passed on], or 0 where there is no entry ----

\\ x_d := w x with w_d = 0, in two steps: [d] is cleared, then I + e_d w^T.
net_row(n, d, w) = {
  my(q = w * w~, h = if(2 * q == 1, 2, 1), u = (1 + h) * w + net_unit(n, d), v = h * w + net_unit(n, d), clear);
  clear = vector(n, i, i != d);
  if(q == 0, return([[0, u, clear]]));
  [[h / (1 + 2 * h) * (u * u~), u, clear],
   [(1 + h) / (h * (h * (1 + h) * q - 1)) * (v * v~), v, vector(n, i, if(i == d, h / (1 + h), 1))]];
};
\\ A matrix on the first coordinates of n: its rows are collected behind them, then moved to the front.
net_rows(M, n) = {
  my(k = #M, out = []);
  for(i = 1, k, out = concat(out, net_row(n, k + i, concat(M[i, ], vector(n - k)))));
  for(i = 1, k, out = concat(out, net_row(n, i, net_unit(n, k + i))));
  if(net_product(out, n)[1..k, ] != matrix(k, n, i, j, if(j <= k, M[i, j])), error("factors that are not the matrix"));
  out;
};

\\ The step number `now` (from 1) of the block's product, read through what is left and the letters after it.  Letters
\\ are maps, or matrices on the first of the n coordinates.
net_block(letters, weights, m, n, block, after, now) = {
  my(F = [], row = weights, s, maps = #letters && type(letters[1]) == "t_VEC");
  if(#block, F = if(maps, net_factors(vector(n, i, net_image(letters, block, i))), net_rows(net_word(letters, block), n)));
  if(#F > m, return(0));
  for(k = 1, #after, s = letters[after[#after + 1 - k]];
    row = if(maps, vector(n, i, row[s[i]]), row * s));
  row = concat(row, vector(n - #row));
  for(k = 1, #F - now, row = row * net_matrix(F[#F + 1 - k]));
  s = if(now <= #F, F[now], [0, net_unit(n, 1), vector(n, i, 1)]);
  [[s[1]], [s[2]], s[3], [[0]], Mat(row~)];
};
net_image(maps, word, i) = { for(k = 1, #word, i = maps[word[k]][i]); i };
net_word(matrices, word) = { my(P = 1); for(k = 1, #word, P = matrices[word[k]] * P); P };
\\ Letters in the buffer: bit i of o_x says that slot i holds x; [] unless each of the slots holds at most one.
net_slots(o, slots) = {
  my(held = vector(slots));
  for(x = 1, #o~, for(i = 1, slots, if(bittest(lift(o[x, 1]), i - 1), if(held[i], return([]), held[i] = x))));
  held;
};
net_lookup(L, o, r, x, H) = {
  my(k, n, m, j, held, at, block, after, digits);
  if(L[1] == "letter", return([if(#L[2] == 1, L[2][1], L[2][x]), r]));
  if(L[1] == "slot",
    k = net_find(L[2], o[1]); n = #H[1]~;
    if(k < 0 || k >= n, return(0));
    return([[[[1], [net_unit(n, k + 1)], vector(n, i, 1), [net_unit(#H[1], x)], Mat(vectorv(n, i, 2^(i - 1)))]], k]));
  if(L[1] == "block",
    m = L[2]; j = (r - 1) % m + 1;
    held = net_slots(o[1], 2 * m); if(#held == 0, return(0));
    at = (i -> held[i % (2 * m) + 1]);
    after = vector(j, i, at(r - j + i)); block = vector(m, i, at(r - j - m + i));
    if(vecmin(after) == 0, return(0));
    if(vecmax(block) == 0, block = [], if(vecmin(block) == 0, return(0)));
    k = net_block(L[3], L[4], m, #H[1]~, block, after, j);
    return(if(k == 0, 0, [[k], r])));
  if(L[1] == "window",
    k = net_find(L[2], o[1]); if(k < 0 || k > 1, return(0));
    digits = lift(o[2][1, 1]); n = #L[3] + 1;
    held = vector(3, i, (digits \ n^(i - 1)) % n);
    if(denominator(digits) != 1 || digits < 0 || digits >= n^3 || held[1] == 0, return(0));
    block = [held[k + 2], held[k + 1]];
    if(vecmin(block) == 0, if(k == 0 || vecmax(block), return(0), block = []));
    k = net_block(L[3], L[4], 2, #H[1]~, block, if(k, [held[1]], []), k + 1);
    return(if(k == 0, 0, [[k], r])));
  if(L[1] == "coset",
    k = net_find(L[2], o[1]); if(k < 0, return(0));
    k += r * #L[2][2]; if(k >= #L[4][x], return(0));
    return([L[3][L[4][x][k + 1] + 1], k]));
  error("no such lookup");
};

\\ layers: [lookup, initial states]; readers: that of the decoder, or none for the one number that is read.  What is
\\ said after each letter: the number, or what the reader finds; and what the last lookup passes on.
network(id, layers, readers, word) = {
  my(H = apply(l -> l[2], layers), o, r, s, u);
  for(t = 1, #word, o = []; r = 0;
    for(i = 1, #layers,
      s = net_lookup(layers[i][1], o, r, word[t], H[i]);
      if(s == 0, say(id, Str("none.", t - 1), i); return);
      r = s[2]; o = vector(#H[i]);
      for(h = 1, #H[i], u = net_step(H[i][h], s[1][h]); H[i][h] = u[1]; o[h] = u[2]));
    if(#readers, say(id, Str("read.", t - 1), net_find(readers[1], o[1])), say(id, Str("number.", t - 1), lift(o[1][1, 1])));
    say(id, Str("passed.", t - 1), r));
};
