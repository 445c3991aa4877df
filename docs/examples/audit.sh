#!/bin/sh
# Audit: the five-element cyclic group in fp32, for words of every length.
set -u

# State as integers on a grid of 22: proved for all words.
ckda audit Z5 --grid 22 --keys fp32 --all-words
# On a grid of 5 it is not, and the shortest wrong word says why.
ckda audit Z5 --grid 5 --keys fp32 --all-words
