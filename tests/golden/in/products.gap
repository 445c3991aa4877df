# left to right, as GAP multiplies: (1,3,2)
[ (1,2)(2,3) ];
