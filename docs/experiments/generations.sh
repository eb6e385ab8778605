#!/usr/bin/env bash
# The generations of the built-in evaluation, g1 to g26: the commands that made them, as they were run.
#
# A record first of all, of programs that wrote self-play as two files: plain positions (X.psv) and games (X.usi) beside
# them. Today --output names one run. To run the commands today, write each self-play to X.play, and after it say
# "jitsugen learn export X.play --positions X.psv --games X.usi". They give weights of the same kind, not the same ones:
#   - Games depend on the search, and each self-play below names the commit that played. All of these searches were
#     played before the commit "Make emptied memories as new, ...". Until then games of several threads also depended on
#     what a thread had played before, so not even the same program gives the same games again (entry 15).
#   - The first ten generations (to g14) were learned before the commit "Learn from every position that has a leaf".
#     Until then a position whose side to move loses something in any case was left out: of the first 3,000 positions of
#     one self-play 2,277 were learned from, later 2,798.
#   - Learning looks at the leaf of the quiescence search, and that search has changed, last by the commit "Look for a
#     mate in one after each answer to a check in the quiescence search".
#
# No longer available: the positions of all self-plays; the weights of g1, g2 (never built in) and of g5, g7, g10, g12,
# g15, g17, h1, g20, g25 and g26. The commits named with "built in" hold the weights of the others (eval_files/default.jge).
# Not in the repository: professional.usi and engine.usi (547 games of professionals, 357 of engines), games24.sfen
# (10,831 openings of 24 plies). docs/guide/training.md describes them. Other ones give other weights.
#
# Needs bash and GNU sed. --checkpoint FILE, left out here, lets a training go on after a break. Of the files that head
# and tail cut only r2 had its games beside it (r2.usi). Training looked there for the openings, to hold whole ones back;
# today it takes them from a run, and a file of plain positions has none. Times are for two cores.
#
# "match" is wins-losses-draws at 5,000 nodes a move, one thread. docs/experiments/020-generations-of-the-evaluation.md
# has the commands of the matches, the losses and all intervals.
set -euo pipefail

# The results of so few games teach nothing: only their moves are learned from.
sed 's/^[bwd]\t/?\t/' professional.usi > professional-moves.usi
sed 's/^[bwd]\t/?\t/' engine.usi > engine-moves.usi

S="--resign-at 2000 --openings games24.sfen"
S3="--resign-at 3000 --openings games24.sfen"
G="--games professional-moves.usi engine-moves.usi"
K="kings piece king-piece king-piece-relative kings-piece pair pair-relative"
FULL="$K zone-pair relative-pair king-pair"

# ---- g1, from YSS. Match against YSS 128-72-0, +100. Never built in; the weights are gone.
# a, b, c: played by the search of "Ask the exchange only about pieces that are attacked and captures that can matter".
jitsugen learn selfplay --from yss $S --nodes 1000 --seed 101 --positions 440717 --output a.psv
head -c $((379225 * 40)) a.psv > a1.psv
jitsugen learn kppt --from yss $G --positions a1.psv --mix 0.5 --rounds 2 --epochs 3 --output g1.jge

# ---- g2, from YSS. Match against g1 127-73-0, +96; against YSS 153-47-0, +205. Never built in; the weights are gone.
jitsugen learn selfplay --from g1.jge $S --nodes 1000 --seed 201 --positions 504672 --output b.psv
head -c $((415038 * 40)) b.psv > b1.psv
jitsugen learn kppt --from yss $G --positions a.psv b1.psv --scale 900 --mix 0.5 --rounds 3 --epochs 2 --terms $K --output g2.jge

# ---- g3. Match against g2 123-74-3, +87. Built in by ec16fe6.
jitsugen learn selfplay --from g2.jge $S --nodes 1000 --seed 301 --positions 413443 --output c.psv
jitsugen learn kppt --from g2.jge $G --positions b.psv c.psv --scale 900 --mix 0.5 --rounds 2 --epochs 2 --terms $K zone-pair --output g3.jge

# ---- g4. Match against g3 116-81-3, +61. Built in by 5f750e6.
# d, e: played by the search of "Learn how probable moves are over many features, and search by it".
jitsugen learn selfplay --from g3.jge $S --nodes 1000 --seed 401 --positions 450000 --output d.psv
jitsugen learn kppt --from g3.jge $G --positions b.psv c.psv d.psv --scale 900 --mix 0.5 --rounds 2 --epochs 2 --terms $K zone-pair --output g4.jge

# ---- g5, from g4. Match against g4 108-91-1 and 159-135-6, together +29. Not built in. The command was not recorded:
# the games of c, d and e, terms as g4.
jitsugen learn selfplay --from g4.jge $S --nodes 1000 --seed 501 --positions 450000 --output e.psv

# ---- g6, the first with full KPP. Match against g4 121-78-1, +76; against g5 92-105-3, -23. Built in by 9ed0480.
jitsugen learn kppt --from g4.jge $G --positions c.psv d.psv e.psv --scale 900 --mix 0.5 --rounds 2 --epochs 2 --terms $FULL --output g6.jge

# ---- g7, from g6. Match against g6 96-99-5, -5. Not built in. The command was not recorded: d, e and f, terms as g6.
# f: played by the search of "Leave out losing moves far out of reach, too".
jitsugen learn selfplay --from g6.jge $S --nodes 1000 --seed 601 --positions 450000 --output f.psv

# ---- g8, from g6. Match against g6 122-68-10, +96. Built in by 61fb656.
# h, i: played by the search of "Keep the leading thread's part of the nodes for it".
jitsugen learn selfplay --from g6.jge $S --nodes 2000 --seed 701 --positions 500000 --output h.psv
jitsugen learn kppt --from g6.jge $G --positions e.psv f.psv h.psv --scale 900 --mix 0.5 --rounds 2 --epochs 2 --terms $FULL --output g8.jge

# ---- g9. Match against g8 115-83-2, +56. Built in by 0a527d2. About four hours for g1, g2, g3, g4, g6, g8 and g9.
jitsugen learn selfplay --from g8.jge $S --nodes 2000 --seed 801 --positions 550000 --output i.psv
jitsugen learn kppt --from g8.jge $G --positions f.psv h.psv i.psv --scale 900 --mix 0.5 --rounds 1 --epochs 2 --terms $FULL --output g9.jge

# ---- g10, from g9. Match against g9 103-94-3, +16. Not built in. The command was not recorded: h, i and j, terms as
# g6, one round.
# j: played by the search of "Take back what was not seen, and the looser bound of a long test".
jitsugen learn selfplay --from g9.jge $S --nodes 2000 --seed 901 --positions 550000 --output j.psv

# ---- g11, from g9, on all six self-plays at once. Match against g9 156-137-7 and 367-307-26, together +27. Built in by
# 71ccacd. Half an hour of training.
jitsugen learn kppt --from g9.jge $G --positions d.psv e.psv f.psv h.psv i.psv j.psv --scale 900 --mix 0.5 --rounds 1 --epochs 2 --terms $FULL --output g11.jge

# ---- g12, from g11. Match against g11 208-181-11, +23. Not built in: it only played for g13.
# k: played by the search of "Take back a guess at why nodes differ in time".
jitsugen learn selfplay --from g11.jge $S --nodes 500 --seed 1101 --positions 2652894 --output k.psv
jitsugen learn kppt --from g11.jge $G --positions k.psv --scale 900 --mix 0.5 --rounds 1 --epochs 2 --terms $FULL --output g12.jge

# ---- g13, from g11. Match against g11 221-168-11, +46; against YSS 377-23-0, +486. Built in by 3c209c6. Training
# 11 and 31 minutes, the last 4,052,772 positions 40.
# l: played by the search of "Learn the transition probabilities again from today's games".
jitsugen learn selfplay --from g12.jge $S --nodes 500 --seed 1201 --positions 5700000 --output l.psv
head -c $((5700000 * 40)) l.psv > l1.psv
jitsugen learn kppt --from g11.jge $G --positions k.psv l1.psv --scale 900 --mix 0.5 --rounds 1 --epochs 2 --terms $FULL --output g13.jge

# ---- g14. Match against g13 751-668-53, +20 [+2, +37]. Built in by 1813c1e. Positions 46 minutes, training 35.
# m: played by the search of "Price wanted moves in one loop, test that likely moves share what they have, ...".
jitsugen learn selfplay --from g13.jge $S --nodes 500 --seed 1301 --positions 4652224 --output m.psv
head -c $((4650000 * 40)) m.psv > m1.psv
jitsugen learn kppt --from g13.jge $G --positions l1.psv m1.psv --scale 900 --mix 0.5 --rounds 1 --epochs 2 --terms $FULL --output g14.jge

# ---- g15: g14 once more, from g13, with the positions that had been left out before. Match against g14 309-311-20, -1.
# Not built in.

# ---- g16, from g14: games go on to 3,000. Match against g14 404-368-28, +16, and to the mate 332-252-16, +47. Built in
# by db8e077. Positions 75 minutes, training 24.
# n: played by the search of "Number every step, name every margin, list every number; offer the rival ...".
jitsugen learn selfplay --from g14.jge $S3 --nodes 500 --seed 1401 --positions 5100000 --output n.psv
head -c $((5000000 * 40)) n.psv > n1.psv
jitsugen learn kppt --from g14.jge $G --positions n1.psv --scale 900 --mix 0.5 --rounds 1 --epochs 2 --terms $FULL --output g16.jge

# ---- g17, from g16: fewer positions, more nodes. Match against g16 299-284-17, and to the mate 302-280-18, together
# +11 [-8, +30]. Not built in.
# q: played by the search of "Fill the list of a node's candidates where it lies".
jitsugen learn selfplay --from g16.jge $S3 --nodes 2000 --seed 1501 --positions 1736000 --output q.psv
head -c $((1736000 * 40)) q.psv > q1.psv
jitsugen learn kppt --from g16.jge $G --positions q1.psv --scale 900 --mix 0.5 --rounds 1 --epochs 2 --terms $FULL --output g17.jge

# ---- h1: g16 once more, from g14, with targets that look ahead (entry 22). Match against g16, to the mate, 292-290-18,
# +1. Not built in.
jitsugen learn kppt --from g14.jge $G --positions n1.psv --scale 900 --mix 0.8 --later 0.5 --rounds 1 --epochs 2 --terms $FULL --output h1.jge

# ---- g18, the mean of h1 and g17. Match against g16 1218-1123-59, +14 [0, +28]. Built in by ee72b1b (b206cef writes
# the same with its entries that are zero). Positions 54 minutes, trainings 8 and 28.
jitsugen eval-file mean h1.jge g17.jge --output g18.jge

# ---- g19, from g18: positions of 250 nodes. Match against g18, to the mate, 626-541-33, +25 [+5, +44]. Built in by
# 64fe8ee. Positions 36 minutes, training some 20.
# r: played by the search of "Let a first look for mates take an eighth of a search of self-play, not all of it".
jitsugen learn selfplay --from g18.jge $S3 --nodes 250 --seed 1601 --positions 12000000 --output r.psv
head -c $((7990715 * 40)) r.psv > r1.psv
jitsugen learn kppt --from g18.jge $G --positions r1.psv --scale 900 --mix 0.7 --later 0.5 --rounds 1 --epochs 2 --terms $FULL --output g19.jge

# ---- g20, from g19: ten million positions more. Match against g19, to the mate, 289-297-14, -5. Not built in.
# s: played by the search of "Say in docs/mate.md what bounds the first look, name its divisor, ...".
tail -c $((4009359 * 40)) r.psv > r2.psv
cp r.usi r2.usi
jitsugen learn selfplay --from g19.jge $S3 --nodes 250 --seed 1701 --positions 6000000 --output s.psv
jitsugen learn kppt --from g19.jge $G --positions r2.psv s.psv --scale 900 --mix 0.7 --later 0.5 --rounds 1 --epochs 1 --terms $FULL --output g20.jge

# ---- g21, the mean of g20 and g19. Match against g19, to the mate, 927-833-40, +18 [+2, +34]. Built in by 5a1c4f7.
# Positions 32 minutes beside builds, training 14, with 3.7 GB of memory before its epoch.
jitsugen eval-file mean g20.jge g19.jge --output g21.jge

# ---- d22 and x22, from g21 (entry 23): positions beside the games, and the same without results. Matches against g21,
# to the mate: 276-307-17, -18; 302-286-12, +9. Not built in. middles.sfen: positions after 28 to 120 plies of 70,000 games
# of r and s. Broken off at 4,894,072 positions.
jitsugen learn selfplay --from g21.jge --openings middles.sfen --nodes 250 --resign-at 3000 --random-moves 4 --random-margin 1000 --balance 1500 --seed 2101 --positions 6000000 --output d22.psv
jitsugen learn kppt --from g21.jge $G --positions d22.psv --scale 900 --mix 0.7 --later 0.5 --rounds 1 --epochs 1 --terms $FULL --output d22.jge
jitsugen learn kppt --from g21.jge $G --positions d22.psv --scale 900 --mix 1 --later 0.5 --rounds 1 --epochs 1 --terms $FULL --output x22.jge

# ---- g23, from g21: 2,000 nodes, no results, and the moves of the games. Match against g21, to the mate, 768-666-38,
# +24 [+6, +42]; against YSS 380-20-0, +512. Built in by 6c65c84. Positions 34 minutes beside matches and builds, training 4
# beside another training.
# w: played by the search of "Say of today's entries only what was seen".
jitsugen learn selfplay --from g21.jge $S3 --nodes 2000 --seed 2401 --positions 1245215 --output w.psv
jitsugen learn kppt --from g21.jge $G --positions w.psv --scale 900 --mix 1 --later 0.5 --rounds 1 --epochs 1 --terms $FULL --output g23.jge

# ---- g24, from g23 (entry 87): moves and results of games of another engine, YaneuraOu 9.70, K-P-256 edition, with the
# network Suisho-petite against itself; its values are not used. Match against g23 at 30,000 nodes 122-86-2, +60 [+13, +109].
# Built in by 65bee2b. strong.usi (12,000 games) and g500.usi (48,999, entry 83) were played by games.py, which
# is not in the repository. The rollouts were played by a first form of the script, by one engine in 30 minutes; the leaves took
# 20, the epochs 13, on two slow cores beside other work.
OTHER="-o Threads=1 USI_Hash=1 BookFile=no_book EvalDir=SUISHO-PETITE"
python3 after_openings.py --openings games24.sfen < strong.usi > strong-cut.usi
python3 after_openings.py --openings games24.sfen < g500.usi > g500-cut.usi
cat strong.usi g500.usi > both.usi
python3 rollouts.py -e K-P-256 $OTHER --nodes 200 --games both.usi --number 51621 --output rollouts.usi
jitsugen learn kppt --from g23.jge --games strong-cut.usi g500-cut.usi rollouts.usi --scale 900 --mix 0.5 --later 0.95 --skip 0 --rounds 1 --epochs 3 --share 0.5 --move-share 0.3 --batch 32768 --rate 0.1 --prior 2 --average 0.5 --move-weight 0.15 --terms $FULL --output g24.jge

# ---- g25, from g24 (entry 88): the same games, all positions, more moves. Match against g24 at 30,000 nodes 93-94-6, -4
# [-55, +47]. Not built in. Leaves took nearly 40 minutes, three epochs 42.
jitsugen learn kppt --from g24.jge --games strong-cut.usi g500-cut.usi rollouts.usi --scale 900 --mix 0.5 --later 0.95 --skip 0 --rounds 1 --epochs 3 --share 1 --move-share 0.4 --batch 16384 --rate 0.1 --prior 2 --average 0.5 --move-weight 0.15 --terms $FULL --output g25.jge

# ---- g26, from g24 (entry 89): its own games of 500 nodes. Match against g24 at 30,000 nodes 51-42-2, +30 [-46, +108].
# Not built in so far. Broken off at 3.12 million positions after 41 minutes; training 9. Played by the search of "Say which
# form of results.py gave the figures of entry 87".
python3 - strong.usi g500.usi > openings26.sfen <<'END'
import random, sys
openings = {}
for name in sys.argv[1:]:
    for line in open(name):
        words = line.split("\t")[-1].split()
        if "moves" in words and len(words) - words.index("moves") - 1 >= 50:
            openings[" ".join(words[:words.index("moves") + 31])] = None
openings = list(openings)
random.seed(7)
random.shuffle(openings)
print("\n".join(openings))
END
jitsugen learn selfplay --from g24.jge --output g24.play --openings openings26.sfen --nodes 500 --seed 2601 --positions 9000000 --resign-at 3000
jitsugen learn kppt --from g24.jge --positions g24.play --scale 900 --mix 1 --later 0.5 --rounds 1 --epochs 2 --batch 16384 --rate 0.05 --average 0.5 --terms $FULL --output g26.jge
# Once more, with openings of 30, 22 and 40 plies from strong.usi alone (of games 20 plies longer, in this order, shuffled
# with the seeds 37, 29 and 47), --seed 2602 and 4.25 million positions, --rate 0.1: 80-75-6, +13 [-35, +62]. Not built in.

# ---- g27, from g24 (entry 92): more of its own games of 500 nodes, with inner nodes of their searches. Match against g24 at
# 30,000 nodes 86-94-6, -15 [-62, +31]. Not built in. Positions in some 50 minutes on two fast cores beside builds, training 17.
beginnings() { # SEED PLIES...: beginnings of the games of strong.usi that are 20 plies longer, shuffled
	python3 -c '
import random, sys
openings = {}
for line in open("strong.usi"):
    words = line.split("\t")[-1].split()
    if "moves" in words:
        first = words.index("moves") + 1
        for plies in map(int, sys.argv[2:]):
            if len(words) - first >= plies + 20:
                openings[" ".join(words[: first + plies])] = None
openings = list(openings)
random.seed(int(sys.argv[1]))
random.shuffle(openings)
print("\n".join(openings))
' "$@"
}
beginnings 71 26 34 > openings27.sfen
beginnings 72 22 30 42 > openings28.sfen
jitsugen learn selfplay --from g24.jge --output a.play --openings openings27.sfen --nodes 500 --seed 2603 --positions 4147655 --resign-at 3000
jitsugen learn selfplay --from g24.jge --output c.play --openings openings28.sfen --nodes 500 --seed 2604 --positions 1564776 --resign-at 3000
jitsugen learn selfplay --from g24.jge --output d.play --openings openings28.sfen --nodes 500 --seed 2605 --positions 3160339 --resign-at 3000 --inner-nodes 2
jitsugen learn kppt --from g24.jge --positions a.play c.play d.play --scale 900 --mix 1 --later 0.5 --rounds 1 --epochs 1 --batch 16384 --rate 0.1 --average 0.5 --hold-back 0.05 --terms $FULL --output g27.jge

# ---- g28, from g24 (entry 95): the same positions, judged by what follows in their games. Match against g24 at 30,000 nodes
# 152-111-5, +54 [+12, +96]. Built in by 03f4a2a. Training twelve minutes beside a match.
jitsugen learn kppt --from g24.jge --positions a.play c.play d.play --inner-share 0 --scale 900 --mix 1 --later 0.9 --rounds 1 --epochs 1 --batch 16384 --rate 0.1 --average 0.5 --hold-back 0.05 --terms $FULL --output g28.jge

# ---- g29, from g24 (entry 95): the same, from farther ahead. Match against g28 at 30,000 nodes 130-101-11, +42 [-1, +86]. Built in by
# 79a6e2d: today's evaluation. Training seven minutes.
jitsugen learn kppt --from g24.jge --positions a.play c.play d.play --inner-share 0 --scale 900 --mix 1 --later 0.96 --rounds 1 --epochs 1 --batch 16384 --rate 0.1 --average 0.5 --hold-back 0.05 --terms $FULL --output g29.jge

# ---- The transition probabilities that are built in (entry 37): from the recorded games, n (all that it had then,
# 5,462,487 positions) and q1, together 7,261,885 positions. Those before them, by the commit "Learn the transition
# probabilities again from today's games", were learned from the first 2,080,000 positions of k.
jitsugen learn selfplay --from g14.jge $S3 --nodes 500 --seed 1401 --positions 5462487 --output n.psv
jitsugen learn transitions --games professional.usi engine.usi --positions n.psv q1.psv --output eval_files/transitions.jgt
jitsugen learn transitions --plain --games professional.usi engine.usi --positions n.psv q1.psv --output eval_files/plain-transitions.jgt
