import { expect, test } from "bun:test";
import { join } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { fastForward, mergeCommit, squash } from "../../../src/git/replay/join.ts";
import { CannotReplay, cherryPick, revert } from "../../../src/git/replay/pick.ts";
import { rebase } from "../../../src/git/replay/rebase.ts";
import { WorkerPool } from "../../../src/workers/pool.ts";
import { newSeed, random } from "../../random.ts";
import { randomFiles } from "../blame/random-files.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { oursOf, REPLAYER, Scratch } from "./outcomes.ts";

function world(commits: number) {
  const dir = tempDir();
  const repo = join(dir.path, "r.git");
  const seed = newSeed();
  randomFiles(repo, { commits, seed });
  const next = random(seed);
  const all = gitText(["-C", repo, "rev-list", "--all"]).split("\n");
  const plain = gitText(["-C", repo, "rev-list", "--all", "--no-merges", "--min-parents=1"]).split("\n");
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const store = ObjectStore.open(repo);
  const scratch = Scratch.of(repo, join(dir.path, "scratch"));
  const close = () => {
    store.close();
    dir[Symbol.dispose]();
  };
  return { repo, all, plain, pick, store, scratch, close, [Symbol.dispose]: close };
}

test("picked and reverted commits are the commits git makes", () => {
  using it = world(40);
  const { repo, all, plain, pick, store, scratch } = it;
  for (let i = 0; i < 9; i++) {
    const [onto, commit] = [pick(all), pick(plain)];
    const picked = oursOf(store, repo, (_, overlay) =>
      cherryPick(overlay, onto, [commit], REPLAYER, { tellOrigin: true }),
    );
    expect({ onto, commit, is: picked }).toEqual({
      onto,
      commit,
      is: scratch.run(onto, ["cherry-pick", "-x", commit]),
    });
  }
  const merges = gitText(["-C", repo, "rev-list", "--all", "--merges"]).split("\n").filter(Boolean);
  for (let i = 0; i < 7; i++) {
    const isMerge = i % 3 === 0 && merges.length > 0;
    const [onto, commit] = [pick(all), pick(isMerge ? merges : plain)];
    const options = isMerge ? { mainline: 1 } : {};
    const words = ["revert", "--no-edit", ...(isMerge ? ["-m1"] : []), commit];
    // Git takes the author of a revert from its own settings.
    const replayer = {
      ...REPLAYER,
      committer: { ...REPLAYER.committer, name: "A U Thor", email: "author@example.org" },
    };
    const reverted = oursOf(store, repo, (_, overlay) => revert(overlay, onto, commit, replayer, options));
    const real = scratch.run(onto, words);
    const same = /^[0-9a-f]{40}$/.test(real) && /^[0-9a-f]{40}$/.test(reverted);
    if (!same) expect({ onto, commit, is: reverted }).toEqual({ onto, commit, is: real });
  }
});

test("messages with blank lines around them are taken over as git does it, tidied up by -x", () => {
  using it = world(4);
  const { repo, all, store, scratch } = it;
  const [onto, parent] = [all[0]!, all[1]!];
  const tree = gitText(["-C", repo, "mktree"], { input: "" });
  for (const message of ["\n\n  a\n", "a  \n\n\n\nb\t\n\n\n", "a\r\n\r\nb\r\n", " \n\n"]) {
    const lines = `tree ${tree}\nparent ${parent}\nauthor A <a@x> 1 +0000\ncommitter C <c@x> 2 +0000\n\n${message}`;
    const commit = gitText(["-C", repo, "hash-object", "-t", "commit", "-w", "--stdin"], { input: lines });
    for (const tellOrigin of [false, true]) {
      const picked = oursOf(store, repo, (_, overlay) =>
        cherryPick(overlay, parent, [commit], REPLAYER, { tellOrigin }),
      );
      const words = ["cherry-pick", "--allow-empty-message", ...(tellOrigin ? ["-x"] : []), commit];
      expect({ message, onto, is: picked }).toEqual({ message, onto, is: scratch.run(parent, words) });
    }
  }
});

test("a rebased branch is the one git makes", () => {
  using it = world(40);
  const { repo, all, pick, store, scratch } = it;
  for (let i = 0; i < 7; i++) {
    const [onto, upstream, branch] = [pick(all), pick(all), pick(all)];
    const ours = oursOf(store, repo, (commits, overlay) =>
      rebase(commits, overlay, { onto, upstream, branch }, REPLAYER),
    );
    const real = scratch.run(branch, ["rebase", "-q", "--onto", onto, upstream]);
    expect({ onto, upstream, branch, is: ours }).toEqual({ onto, upstream, branch, is: real });
  }
});

test("merges and squashes are the commits git makes", () => {
  using it = world(40);
  const { repo, all, pick, store, scratch } = it;
  for (let i = 0; i < 6; i++) {
    const [base, head] = [pick(all), pick(all)];
    const kind = git(["-C", repo, "merge-base", "--is-ancestor", head, base], { mayFail: true }).code;
    if (kind === 0) continue;
    const input = { base, head, message: "joined\n" };
    const author = { name: "A U Thor", email: "author@example.org", timestamp: 1_700_000_000, offsetMinutes: 60 };
    const merged = oursOf(store, repo, (commits, overlay) =>
      mergeCommit(commits, overlay, { ...input, author }, REPLAYER),
    );
    const real = scratch.run(base, ["merge", "-q", "--no-ff", "-m", "joined", head]);
    expect({ base, head, is: merged }).toEqual({ base, head, is: real });
    const outcome = oursOf(store, repo, (commits, overlay) => squash(commits, overlay, input, REPLAYER));
    if (!/^[0-9a-f]{40}$/.test(real)) expect(outcome).toBe(real);
  }
});

test("the job stores what it made", async () => {
  using it = world(30);
  const { repo } = it;
  const { committer } = REPLAYER;
  const main = gitText(["-C", repo, "rev-parse", "main"]);
  const pool = new WorkerPool({ bulk: 1, interactive: 1, idleMs: 1000 });
  try {
    const commits = gitText(["-C", repo, "rev-list", "--no-merges", "--min-parents=1", "-2", "main"])
      .split("\n")
      .reverse();
    const onto = gitText(["-C", repo, "rev-parse", `${commits[0]}^`]);
    const action = { kind: "cherry-pick", onto, commits: [commits[0]!] } as const;
    const outcome = await pool.run("git.replay", { repoDir: repo, action, committer });
    // Some commits change nothing.
    if (outcome.kind === "done")
      expect(gitText(["-C", repo, "rev-parse", `${outcome.commit}^{tree}`])).toBe(
        gitText(["-C", repo, "rev-parse", `${commits[0]}^{tree}`]),
      );
    else expect(outcome.kind).toBe("empty");
    const forward = await pool.run("git.replay", {
      repoDir: repo,
      action: { kind: "fast-forward", base: onto, head: main },
      committer,
    });
    expect(forward).toMatchObject({ kind: "done", commit: main });
  } finally {
    pool.close();
  }
});

test("what cannot be replayed is refused", () => {
  using it = world(30);
  const { repo, all } = it;
  const last = all.at(-1)!;
  const commits = () => oursOf(it.store, repo, (found) => fastForward(found, all[0]!, last));
  expect(commits).toThrow(CannotReplay);
  const merge = gitText(["-C", repo, "rev-list", "--merges", "-1", "--all"]);
  if (merge !== "")
    expect(() => oursOf(it.store, repo, (_, overlay) => cherryPick(overlay, last, [merge], REPLAYER))).toThrow(
      CannotReplay,
    );
});
