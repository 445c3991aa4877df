\\ Real roots by Sturm's method of the polynomial whose ascending coefficients stand in the
\\ file POLY (bench/spectrum.sh sets the variable).  Prints CPU milliseconds, best of five.
f = Polrev(readvec(POLY));
best = 10^9;
for(round = 1, 5, gettime(); r = polsturm(f); ms = gettime(); if(ms < best, best = ms));
print("count 128 2 pari ", best, " pairs ", (poldegree(f) - r) / 2);
