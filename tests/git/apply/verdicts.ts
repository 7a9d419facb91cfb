import { join } from "node:path";
import { type ApplyOptions, applyPatch } from "../../../src/git/apply/apply.ts";
import { MalformedPatch, PatchRefused } from "../../../src/git/apply/patch.ts";
import { Overlay } from "../../../src/git/odb/overlay.ts";
import type { ObjectStore } from "../../../src/git/odb/store.ts";
import { git, gitText } from "../objects/real-git.ts";

/** What came of a patch: a tree, or what is wrong, in git's words. */
export interface Verdict {
  readonly tree: string | undefined;
  readonly problems: readonly string[];
}

export interface Question {
  readonly tree: string;
  readonly patch: Uint8Array;
  readonly isDamaged: boolean;
  readonly options: Pick<ApplyOptions, "reverse" | "context" | "strip">;
}

export function realVerdict(repo: string, { tree, patch, options }: Question): Verdict | "git fell over it" {
  const env = { GIT_INDEX_FILE: join(repo, `index-${crypto.randomUUID()}`), LC_ALL: "C" };
  const { reverse, context, strip } = options;
  const words = [
    ...(reverse ? ["-R"] : []),
    ...(context === undefined ? [] : [`-C${context}`]),
    ...(strip === undefined ? [] : [`-p${strip}`]),
  ];
  git(["-C", repo, "read-tree", tree], { env });
  const { code, stderr } = git(["-C", repo, "apply", "--cached", ...words], { env, input: patch, mayFail: true });
  if (stderr.includes("Assertion")) return "git fell over it";
  const lines = stderr.split("\n").filter((line) => line.startsWith("error: "));
  const problems = lines.map((line) => line.slice("error: ".length));
  return { tree: code === 0 ? gitText(["-C", repo, "write-tree"], { env }) : undefined, problems };
}

export function ourVerdict(store: ObjectStore, { tree, patch, options }: Question): Verdict {
  try {
    return { tree: applyPatch(new Overlay(store), tree, patch, options).tree, problems: [] };
  } catch (error) {
    if (error instanceof PatchRefused) return { tree: undefined, problems: error.problems };
    if (error instanceof MalformedPatch) return { tree: undefined, problems: [error.message] };
    throw error;
  }
}

const FORMS = [
  [],
  ["-U1"],
  ["-M"],
  ["-M", "-C", "--find-copies-harder"],
  ["--binary", "--full-index"],
  ["--binary", "-M"],
  ["--no-renames", "-D"],
  ["--no-prefix"],
  ["-U8"],
];

/** A patch between two of the trees, whole or damaged, to be applied to one of them. */
export function randomQuestion(repo: string, trees: readonly string[], next: () => number): Question {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
  const at = Math.floor(next() * (trees.length - 1));
  const from = trees[at]!;
  const to = trees[Math.min(trees.length - 1, at + 1 + Math.floor(next() * 3))]!;
  const form = pick(FORMS);
  const { stdout } = git(["-C", repo, "diff", ...form, from, to]);
  const isDamaged = next() < 0.4;
  const patch = isDamaged ? damaged(stdout, next) : stdout;
  const reverse = next() < 0.15;
  const context = next() < 0.2 ? Math.floor(next() * 3) : undefined;
  const strip = form.includes("--no-prefix") ? 0 : next() < 0.05 ? 2 : undefined;
  const tree = next() < 0.3 ? pick(trees) : reverse ? to : from;
  return { tree, patch, isDamaged, options: { reverse, context, strip } };
}

/** A patch with a few lines changed, lost or doubled. */
function damaged(patch: Uint8Array, next: () => number): Uint8Array {
  const lines = Buffer.from(patch).toString("latin1").split("\n");
  for (let edits = 1 + Math.floor(next() * 3); edits > 0; edits--) {
    const at = Math.floor(next() * lines.length);
    const line = lines[at] ?? "";
    switch (Math.floor(next() * 6)) {
      case 0:
        lines.splice(at, 1);
        break;
      case 1:
        lines.splice(at, 0, line);
        break;
      case 2:
        lines[at] = line.replace(/[0-9]/, String(Math.floor(next() * 10)));
        break;
      case 3:
        lines[at] = `${line}x`;
        break;
      case 4:
        lines[at] = line.slice(0, Math.floor(next() * line.length));
        break;
      default:
        lines[at] = line.replace(/[a-z]/, "q");
    }
  }
  return Buffer.from(lines.join("\n"), "latin1");
}
