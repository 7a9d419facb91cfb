import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gitEnvironment } from "../../git/objects/real-git.ts";

/** Every merge of a history made once more, through the API, with `git merge-tree` as the judge of the trees. */

export interface MergesAgain {
  /** Merges of two parents that the history has; those of more are left out. */
  readonly merges: number;
  /** The API merged them, and git does, into the same tree. */
  readonly equal: number;
  /** Of those, the ones whose tree in the history is another: someone changed more than the merge does. */
  readonly evil: number;
  /** Conflicts here and for git; how the history resolved them, no one can know. */
  readonly conflicts: number;
  /** The first parent has all of the second, or the two have nothing in common: there is nothing to merge. */
  readonly nothing: number;
  /** Where the two are not of one mind. */
  readonly different: readonly string[];
}

export interface HistoryHost {
  /** Of the API, without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** `owner/name` of an empty repository. */
  readonly repo: string;
}

/** Pull requests that are open at the same time. */
const AT_ONCE = 4;

export async function mergeAgain(host: HistoryHost, dir: string, max = 100_000): Promise<MergesAgain> {
  const lines = (await git(dir, "rev-list", "--parents", "--min-parents=2", "--max-parents=2", "--all")).split("\n");
  const merges = lines
    .filter((line) => line !== "")
    .slice(0, max)
    .map((line) => line.split(" "));
  const expected = await mergedTrees(dir, merges);
  await pushParents(host, dir, merges);
  const outcomes = merges.map(() => "");
  const waiting = [...merges.keys()];
  const work = async () => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift())
      outcomes[at] = await mergeThroughApi(host, at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const trees = await fetchedTrees(host, dir, merges.length);
  const found = { equal: 0, evil: 0, conflicts: 0, nothing: 0, different: [] as string[] };
  for (const [at, [merge = "", ...parents]] of merges.entries()) {
    const mine = outcomes[at] === "merged" ? trees[at] : outcomes[at];
    const theirs = expected[at] ?? "";
    if (outcomes[at] === "merged" && mine === theirs) {
      found.equal++;
      if (mine !== (await git(dir, "rev-parse", `${merge}^{tree}`))) found.evil++;
    } else if (mine === "conflict" && theirs === "conflict") found.conflicts++;
    else if (mine === "nothing" && (await hasNothing(dir, parents))) found.nothing++;
    else found.different.push(`${merge}: ${mine}, git: ${theirs}`);
  }
  return { merges: merges.length, ...found };
}

/** What the branches that were merged into have by now, as real git fetches it. */
async function fetchedTrees(host: HistoryHost, dir: string, count: number): Promise<string[]> {
  return withObjectsOf(dir, async (again) => {
    await git(again, "fetch", "-q", addressOf(host), "refs/heads/base/*:refs/heads/*");
    const lines = await git(again, "for-each-ref", "--format=%(refname:short) %(tree)", "refs/heads");
    const trees = new Map(lines.split("\n").map((line) => line.split(" ") as [string, string]));
    return Array.from({ length: count }, (_, at) => trees.get(String(at)) ?? "");
  });
}

function addressOf({ repo, token, url }: HistoryHost): string {
  return `${url.replace("//", `//x:${token}@`)}/${repo}.git`;
}

async function hasNothing(dir: string, [ours = "", theirs = ""]: readonly string[]): Promise<boolean> {
  const base = await git(dir, "merge-base", ours, theirs).catch(() => "");
  return base === "" || base === theirs;
}

/** What git makes of each, by the root's `.gitattributes` of ours; "conflict" where a person would have to decide. */
async function mergedTrees(dir: string, merges: readonly string[][]): Promise<string[]> {
  return withObjectsOf(dir, async (again) => {
    const trees: string[] = [];
    for (const [, ours = "", theirs = ""] of merges) {
      // A bare repository has no work tree to read attributes from.
      const attributes = await git(dir, "show", `${ours}:.gitattributes`).catch(() => "");
      writeFileSync(join(again, "info/attributes"), `${attributes}\n`);
      trees.push(
        await git(again, "merge-tree", "--write-tree", ours, theirs)
          .then((out) => out.split("\n")[0] ?? "")
          .catch(() => "conflict"),
      );
    }
    return trees;
  });
}

/** A repository of its own for a while, which reads the objects of another one. */
async function withObjectsOf<T>(dir: string, work: (again: string) => Promise<T>): Promise<T> {
  const again = mkdtempSync(join(tmpdir(), "hearth-again-"));
  try {
    await git(again, "init", "-q", "--bare");
    const objects = await git(dir, "rev-parse", "--path-format=absolute", "--git-path", "objects");
    writeFileSync(join(again, "objects/info/alternates"), `${objects}\n`);
    return await work(again);
  } finally {
    rmSync(again, { recursive: true });
  }
}

/** Both parents of every merge as branches. */
async function pushParents(host: HistoryHost, dir: string, merges: readonly string[][]): Promise<void> {
  const address = addressOf(host);
  const specs = merges.flatMap(([, ours, theirs], at) => [
    `${ours}:refs/heads/base/${at}`,
    `${theirs}:refs/heads/head/${at}`,
  ]);
  const SPECS_AT_ONCE = 500;
  for (let at = 0; at < specs.length; at += SPECS_AT_ONCE)
    await git(dir, "push", "-q", address, ...specs.slice(at, at + SPECS_AT_ONCE));
}

/** "merged", "conflict", "nothing", or what else was answered. */
async function mergeThroughApi({ repo, token, url }: HistoryHost, at: number): Promise<string> {
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}/api/v1/repos/${repo}/${path}`, {
      method,
      headers: { authorization: `token ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, text, json: text.startsWith("{") ? (JSON.parse(text) as Answer) : {} };
  };
  const made = await call("POST", "pulls", { head: `head/${at}`, base: `base/${at}`, title: `Again ${at}` });
  if (made.status !== 201) return `${made.status} ${made.text}`;
  const merged = await call("POST", `pulls/${made.json.number}/merge`, { do: "merge" });
  if (merged.status !== 200) {
    const pull = await call("GET", `pulls/${made.json.number}`);
    const { base, head, mergeable, merge_base } = pull.json;
    if (merge_base === head?.sha || merge_base === "") return "nothing";
    return mergeable === false && base ? "conflict" : `${merged.status} ${merged.text}`;
  }
  return "merged";
}

interface Answer {
  readonly number?: number;
  readonly mergeable?: boolean;
  readonly merge_base?: string;
  readonly base?: { readonly sha: string };
  readonly head?: { readonly sha: string };
}

async function git(dir: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", "-C", dir, ...args], { env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args[0]}: ${err.slice(0, 500)}`);
  return out.trim();
}
