/* The closure of the A5 tracker in PARI/GP: breadth-first search with a Map.  Keys are
 * structural: 1 and 1+0*w differ.  Every entry is made quadratic, and the search starts
 * from a product. */
w = quadgen(20); /* sqrt(5) */
quad(M) = apply(x -> x + 0*w, M);
a = (1 - w)/4; b = (1 + w)/4;
gens = [[0,1,0;0,0,1;1,0,0], [1,0,0;0,-1,0;0,0,-1], [a,b,1/2;b,1/2,a;-1/2,-a,-b]];
gens = apply(quad, gens);
close(S, letters) = {
  my(seen = Map(), queue = List([S]), i = 1, y);
  mapput(seen, S, 1);
  while(i <= #queue,
    for(j = 1, #letters,
      y = letters[j] * queue[i];
      if(!mapisdefined(seen, y), mapput(seen, y, 1); listput(queue, y)));
    i++);
  Vec(queue)
}
track(A) = {
  my(c = (trace(A) - 1)/2, v = [A[3,2]-A[2,3], A[1,3]-A[3,1], A[2,1]-A[1,2]]/2, g);
  g = matrix(4, 4, i, j, if(i == 1 && j == 1, c, i == 1, -v[j-1], j == 1, v[i-1],
                            -(A[i-1,j-1]+A[j-1,i-1])/2 + if(i == j, 1 + c, 0)));
  quad(g)
}
rotations = close(gens[2]*gens[2], gens);
letters = apply(track, rotations);
start = letters[1]*letters[1]; /* the identity, as a product */
gettime();
n = #close(start, letters);
print("closure pari-map ", gettime(), " states ", n);
quit
