// Cases in which rules as printed go wrong, from docs/corrections.md. The shipped kernel has no such rule: where a case
// cannot be run as printed, the text says so, and `command` is what to run for what. A trap with steps shows the rule as printed
// first: the page draws in red what that rule keeps back.
import { decodeLog } from "./cube_log.js";

const ENDED = "a5x1-a1x1-a1x1-r0-r7-r4";
const ones = "a1x1-".repeat(8);
const play = (dims, strategy, log, routes = []) => ({ dims, strategy, log: decodeLog(log, dims), routes });

export const TRAPS = [
  {
    name: "lost",
    title: "Figure 3.9 would lose a node (the kernel does not)",
    steps: [
      {
        title: "As printed",
        state: (state) => play(3, state.strategy, ENDED),
        kept: 0b101,
        said: "As printed, drawn by the page: all jobs have ended, but node 101 stays in the auxiliary list. The 3-cube is not formed "
          + "again, and a job of 8 nodes is refused.",
      },
      { title: "As the kernel does", state: (state) => play(3, state.strategy, `${ENDED}-a8x1`) },
    ],
    text: "A 5 × 1 mesh and two single nodes ran in the 3-cube, and all three have ended. By Turner's figures 3.5 and 3.9 as "
      + "printed node 101 would stay in the auxiliary list, and the 3-cube would never be formed again. The kernel has no such "
      + "rule to run: each part of a leftover belongs to that leftover and goes back to it, so job D gets the whole cube.",
    command: ["The printed rule:", "locox reproduce turner-1995/p40/restored"],
  },
  {
    name: "shared",
    title: "Joined leftovers share a channel",
    state: () => play(3, "complete", "a5x1-d4-a2x1", [[6, 1], [7, 5]]),
    text: "A 5 × 1 mesh leaves 111 and 10* over, and 100 is drained. The free nodes 111 and 101 are neighbours. As the subcube "
      + "1*1 they would send from 111 to 101 over the channel that the mesh uses from 110 to 001, lit in both routes. By "
      + "figure 3.9, step 4, to the letter, they may be joined; by p. 44 such a subcube may return to the auxiliary list instead, and "
      + "then nothing is joined. The kernel does not join them, even under complete recognition: it refuses two nodes.",
    command: ["Step 4 to the letter:", "locox reproduce turner-1995/fig3.9/step-4"],
  },
  {
    name: "pairs",
    title: "A free list that misses a subcube",
    state: () => play(3, "free_list_plain", `${ones}r7-r0-r6-r2-r3-a4x1`),
    text: "Nodes 010, 011, 110 and 111 are the free subcube *1*. The free list that merges complementary pairs has put 010 to "
      + "000, and refuses four nodes. Page 20 says of the free list “complete subcube recognition” and does not print the rule by "
      + "which it merges: if only pairs are merged, as in figure 3.8, recognition is not complete. Choose another strategy above: "
      + "the free list with a search and complete recognition grant it, the Gray code too.",
    command: ["Both readings:", "locox reproduce turner-1995/p20/free-list-complete"],
  },
  {
    name: "buddy",
    title: "What buddy and Gray code see",
    state: () => play(3, "buddy", `${ones}r3-r7-a2x1`),
    text: "Nodes 011 and 111 are free and neighbours, the subcube *11. Buddy sees only blocks of neighbouring numbers and "
      + "refuses; so does the Gray code, which sees runs of its code. Choose one of the free lists or complete recognition "
      + "above: they grant it.",
  },
  {
    name: "partition",
    title: "Leftovers of a 5 × 5 mesh",
    state: (state) => play(6, state.strategy, "a5x5-a8x1-a8x1-a4x1"),
    text: "A 5 × 5 mesh needs the whole 6-cube and leaves 39 nodes over (figure 3.4). The kernel cuts them into subcubes by "
      + "Turner's rule, and others run there: two subcubes of 8 nodes and one of 4. No channel is used by both (theorem 1). A "
      + "message between mesh nodes may pass through the router of a leftover node, so to switch one off can hit the mesh.",
  },
];

// One of the steps of a trap, which may be its only one.
export function stepOf(trap, step) {
  return trap?.steps ? trap.steps[Math.min(step, trap.steps.length - 1)] : trap;
}
