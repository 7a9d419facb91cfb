import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { ClonePair, Outcome } from "./pair.ts";

/** What a step may use: its clone, a source of chance, the time, and a way to run git in both halves of the clone. */
export interface Turn {
  readonly pair: ClonePair;
  pick(n: number): number;
  /** Runs git in both halves. */
  git(...args: string[]): Promise<Outcome[]>;
  /** As `git`, and the halves must agree on exit status and refs. */
  same(...args: string[]): Promise<Outcome[]>;
  /** Clones again; the halves must agree. */
  sameClone(...options: string[]): Promise<void>;
  /** Lines of git in the Hearth half. */
  lines(...args: string[]): Promise<string[]>;
}

export interface Step {
  readonly name: string;
  /** How often, against the others. */
  readonly weight: number;
  run(turn: Turn): Promise<void>;
}

const branches = ["main", "topic", "dev", "feature/one", "feature/two", "release-1"];
const oneOf = <T>(turn: Turn, list: readonly T[]): T | undefined => list[turn.pick(list.length)];

const push = (turn: Turn, ...args: string[]) => turn.same("push", "--porcelain", ...args);

/** Goes to a branch: one of ours, one of the server's, or a new one from where we are. */
async function switchTo(turn: Turn, branch: string): Promise<void> {
  await turn.git("reset", "-q", "--hard");
  const known = await turn.lines(
    "for-each-ref",
    "--format=%(refname)",
    `refs/heads/${branch}`,
    `refs/remotes/origin/${branch}`,
  );
  if (known.includes(`refs/heads/${branch}`)) await turn.git("checkout", "-q", branch);
  else if (known.length > 0) await turn.git("checkout", "-q", "-b", branch, "--track", `origin/${branch}`);
  else await turn.git("checkout", "-q", "-b", branch);
}

/** Changes a few files (text, binary, executable, links, moves) and commits them, once to three times. */
async function commit(turn: Turn): Promise<void> {
  for (let left = 1 + turn.pick(3); left > 0; left--) {
    const seed = turn.pick(2 ** 30);
    const kind = turn.pick(8);
    const folder = `d${turn.pick(4)}/e${turn.pick(3)}`;
    const path = `${folder}/f${turn.pick(8)}`;
    turn.pair.edit((dir) => change(join(dir, path), kind, seed));
    if (kind === 6) await turn.git("rm", "-q", "-r", "--ignore-unmatch", folder);
    await turn.git("add", "-A");
    await turn.git("commit", "-q", "--allow-empty", "-m", `change ${seed}\n\nof ${path}`);
  }
}

function change(file: string, kind: number, seed: number): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
  } catch {
    return;
  }
  const isFile = existsSync(file);
  // A link that leads nowhere is replaced by a file of its own.
  if (!isFile && lstatSync(file, { throwIfNoEntry: false })) rmSync(file);
  if (kind === 0) writeFileSync(file, Buffer.from(Array.from({ length: 5000 }, (_, at) => (seed >> (at % 24)) & 255)));
  else if (kind === 1 && !isFile) symlinkSync(`target-${seed}`, file);
  else if (kind === 2) writeFileSync(file, `#!/bin/sh\necho ${seed}\n`, { mode: 0o755 });
  else if (kind === 3) writeFileSync(`${file}-big`, `${seed}\n`.repeat(30_000));
  else {
    const before =
      isFile && kind !== 7
        ? readFileSync(file, "utf8")
        : Array.from({ length: 60 }, (_, at) => `line ${at}`).join("\n");
    const lines = before.split("\n");
    lines.splice(seed % lines.length, 2, `line of ${seed}`, `another of ${seed % 97}`);
    writeFileSync(file, lines.join("\n"));
  }
}

const tagName = (turn: Turn) => `t${turn.pick(12)}`;

export const steps: readonly Step[] = [
  {
    name: "commit and push a branch",
    weight: 8,
    run: async (turn) => {
      const branch = oneOf(turn, branches) ?? "main";
      await switchTo(turn, branch);
      await commit(turn);
      await push(turn, "-u", "origin", branch);
    },
  },
  {
    name: "force a branch",
    weight: 3,
    run: async (turn) => {
      const branch = oneOf(turn, branches) ?? "main";
      await switchTo(turn, branch);
      await turn.git("reset", "-q", "--hard", `HEAD~${turn.pick(3)}`);
      await commit(turn);
      await push(turn, "origin", `+${branch}`);
    },
  },
  {
    name: "force with lease, maybe stale",
    weight: 2,
    run: async (turn) => {
      const branch = oneOf(turn, branches) ?? "main";
      await switchTo(turn, branch);
      await commit(turn);
      await push(turn, "--force-with-lease", "origin", branch);
    },
  },
  {
    name: "delete a branch",
    weight: 2,
    run: async (turn) => {
      await push(turn, "origin", "--delete", oneOf(turn, branches.slice(1)) ?? "topic");
    },
  },
  {
    name: "tags",
    weight: 3,
    run: async (turn) => {
      const tag = tagName(turn);
      const target = turn.pick(5) === 0 ? "HEAD^{tree}" : "HEAD";
      if (turn.pick(2) === 0) await turn.git("tag", "-f", tag, target);
      else await turn.git("tag", "-f", "-a", "-m", `about ${tag}`, tag, target);
      if (turn.pick(3) === 0) await turn.git("tag", "-f", "-a", "-m", "tag of a tag", `${tag}-outer`, tag);
      await push(turn, ...(turn.pick(3) === 0 ? ["--force"] : []), "origin", "--tags");
    },
  },
  {
    name: "delete a tag",
    weight: 1,
    run: async (turn) => {
      const tag = tagName(turn);
      await turn.git("tag", "-d", tag);
      await push(turn, "origin", `:refs/tags/${tag}`);
    },
  },
  {
    name: "merge and push",
    weight: 3,
    run: async (turn) => {
      const branch = oneOf(turn, branches) ?? "main";
      await switchTo(turn, branch);
      const other = oneOf(turn, await turn.lines("for-each-ref", "--format=%(refname:short)", "refs/remotes/origin/"));
      if (!other || turn.pair.isShallow) return;
      await turn.git("merge", "-q", "--no-edit", "-X", "theirs", "-m", `merge ${other}`, other);
      // What could not be merged is not: the halves have the same conflict.
      await turn.git("merge", "--abort");
      await push(turn, "--follow-tags", "origin", branch);
    },
  },
  {
    name: "rename folders and push",
    weight: 2,
    run: async (turn) => {
      const branch = oneOf(turn, branches) ?? "main";
      await switchTo(turn, branch);
      const [half] = turn.pair.dirs;
      const from = oneOf(
        turn,
        readdirSync(half)
          .filter((name) => name !== ".git")
          .sort(),
      );
      if (from) await turn.git("mv", from, `${from.slice(0, 2)}-moved-${turn.pick(5)}`);
      await turn.git("commit", "-q", "--allow-empty", "-m", "move");
      await push(turn, "origin", branch);
    },
  },
  {
    name: "several refs, one of which is refused",
    weight: 2,
    run: async (turn) => {
      await switchTo(turn, "dev");
      await commit(turn);
      const refs = ["dev", `HEAD:refs/heads/new-${turn.pick(6)}`, "HEAD~1:refs/heads/topic", "HEAD:refs/notes/made"];
      await push(turn, ...(turn.pick(2) === 0 ? ["--atomic"] : []), "origin", ...refs);
    },
  },
  {
    name: "a folder where a branch is",
    weight: 1,
    run: async (turn) => {
      await push(turn, "origin", "HEAD:refs/heads/dev/below", `HEAD:refs/heads/other-${turn.pick(4)}`);
    },
  },
  {
    name: "fetch",
    weight: 4,
    run: async (turn) => {
      const options = [[], ["--prune"], ["--tags", "--force"], ["--no-tags"], ["--prune", "--prune-tags", "--force"]];
      await turn.same("fetch", "-q", ...(oneOf(turn, options) ?? []), "origin");
    },
  },
  {
    name: "fetch with an old protocol",
    weight: 2,
    run: async (turn) => {
      await turn.same("-c", `protocol.version=${turn.pick(2)}`, "fetch", "-q", "--prune", "origin");
    },
  },
  {
    name: "fetch part of the history",
    weight: 3,
    run: async (turn) => {
      const options = [
        ["--depth", String(1 + turn.pick(6))],
        ["--deepen", String(1 + turn.pick(4))],
        ["--shallow-since", String(1_600_000_000 + turn.pick(200) * 60)],
      ];
      await turn.same("fetch", "-q", ...(oneOf(turn, options) ?? []), "origin");
    },
  },
  {
    name: "fetch the rest of the history",
    weight: 2,
    run: async (turn) => {
      if (turn.pair.isShallow) await turn.same("fetch", "-q", "--unshallow", "origin");
    },
  },
  {
    name: "clone anew",
    weight: 2,
    run: async (turn) => {
      const options = [
        [],
        ["--depth", "3", "--no-single-branch"],
        ["--single-branch", "--branch", "main"],
        ["--filter=blob:none"],
        ["--filter=blob:none", "--no-checkout", "--depth", "4"],
        ["--filter=blob:limit=1k"],
        ["--no-tags"],
      ];
      await turn.sameClone(...(oneOf(turn, options) ?? []));
    },
  },
  {
    name: "check out another branch, fetching what is missing",
    weight: 2,
    run: async (turn) => {
      const other = oneOf(turn, await turn.lines("for-each-ref", "--format=%(objectname)", "refs/remotes/origin/"));
      if (other) await turn.same("checkout", "-q", "--force", "--detach", other);
    },
  },
  {
    name: "mirror push",
    weight: 1,
    run: async (turn) => {
      await turn.sameClone("--mirror");
      for (const ref of await turn.lines("for-each-ref", "--format=%(refname)", "refs/heads", "refs/tags")) {
        if (ref === "refs/heads/main") continue;
        const fate = turn.pick(4);
        if (fate === 0) await turn.git("update-ref", "-d", ref);
        else if (fate === 1) await turn.git("update-ref", ref, "refs/heads/main");
      }
      await turn.git("update-ref", `refs/heads/mirrored-${turn.pick(3)}`, "refs/heads/main");
      await push(turn, "--mirror", "origin");
      await turn.sameClone();
    },
  },
];
