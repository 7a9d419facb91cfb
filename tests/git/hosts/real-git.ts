import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { random } from "../../random.ts";
import type { RunOptions, RunResult } from "../objects/real-git.ts";

/** Real git beside a running server: every run is asynchronous, so that a server in this process can answer it. */

/** The environment of a git that knows no configuration and has fixed persons. */
export function gitEnvironment(extra: Record<string, string | undefined> = {}): Record<string, string | undefined> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: "/nonexistent",
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "A U Thor",
    GIT_AUTHOR_EMAIL: "author@example.org",
    GIT_COMMITTER_NAME: "C O Mitter",
    GIT_COMMITTER_EMAIL: "committer@example.org",
    ...extra,
  };
}

/** Runs git to its end. @throws Error with what git said, unless it may fail */
export async function runGit(
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult & { readonly cpuMs: number }> {
  const child = Bun.spawn(["git", ...args], {
    cwd: options.cwd,
    stdin: options.input === undefined ? "ignore" : Buffer.from(options.input),
    stdout: "pipe",
    stderr: "pipe",
    env: gitEnvironment(options.env),
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).bytes(), new Response(child.stderr).text()]);
  const code = await child.exited;
  const cpuMs = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000;
  const result = { code, stdout: Buffer.from(stdout), stderr, cpuMs };
  if (result.code !== 0 && !options.mayFail)
    throw new Error(`git ${args.join(" ")} ended with ${result.code}: ${stderr}`);
  return result;
}

export async function gitLines(args: readonly string[], options: RunOptions = {}): Promise<string[]> {
  const text = (await runGit(args, options)).stdout.toString();
  return text.split("\n").filter((line) => line !== "");
}

/** `<oid> <name>` of every ref, sorted. */
export async function refsOf(dir: string): Promise<string[]> {
  return (await gitLines(["-C", dir, "for-each-ref", "--format=%(objectname) %(refname)"])).sort();
}

/** `<oid> <name>` of every ref as a server advertises them, without HEAD and peeled tags, sorted. */
export async function advertisedRefs(url: string): Promise<string[]> {
  const lines = await gitLines(["ls-remote", url]);
  return lines
    .map((line) => line.replace("\t", " "))
    .filter((line) => !line.endsWith(" HEAD") && !line.endsWith("^{}"))
    .sort();
}

/** A digest of the ids of all objects reachable from all refs, and their number. */
export async function reachable(dir: string, ...more: string[]): Promise<{ count: number; digest: string }> {
  const child = Bun.spawn(["git", "-C", dir, "rev-list", "--objects", "--all", "--no-object-names", ...more], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: gitEnvironment(),
  });
  const [bytes, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`git rev-list in ${dir}: ${stderr}`);
  const ids = bytes.split("\n").filter((id) => id !== "");
  ids.sort();
  return { count: ids.length, digest: new Bun.CryptoHasher("sha1").update(ids.join("\n")).digest("hex") };
}

/** What `git fsck --strict` finds wrong; nothing when the repository is sound. Old histories have flaws it warns of only. */
export async function fsckFindings(dir: string): Promise<string[]> {
  const { code, stdout, stderr } = await runGit(
    ["-C", dir, "fsck", "--strict", "--full", "--no-dangling", "--no-progress"],
    { mayFail: true },
  );
  const lines = `${stdout}\n${stderr}`
    .split("\n")
    .filter((line) => line !== "" && !/^(notice: |warning in )/.test(line));
  return code === 0 ? lines : [...lines, `exit status ${code}`];
}

/**
 * Makes a bare repository whose `main` has this many commits over folders that grow, with merges and tags, by
 * fast-import: the same bytes for the same numbers, on every machine.
 */
export async function makeHistory(dir: string, commits: number, seed: number): Promise<void> {
  if (existsSync(join(dir, "HEAD"))) return;
  const next = random(seed);
  const pick = (n: number) => Math.floor(next() * n);
  mkdirSync(dir, { recursive: true });
  await runGit(["init", "-q", "--bare", "-b", "main", dir]);
  const importer = Bun.spawn(["git", "-C", dir, "fast-import", "--quiet"], {
    stdin: "pipe",
    stderr: "inherit",
    stdout: "ignore",
    env: gitEnvironment(),
  });
  const files = new Map<string, string[]>();
  const sentence = () => Array.from({ length: 3 + pick(8) }, () => words[pick(words.length)]).join(" ");
  for (let at = 1; at <= commits; at++) {
    const when = 1_500_000_000 + at * 600;
    const message = `Change ${at}: ${sentence()}\n\n${sentence()}\n`;
    const head = `commit refs/heads/main\nmark :${at}\nauthor Ada <ada@example.org> ${when} +0100\n`;
    let text = `${head}committer Bob <bob@example.org> ${when} +0000\ndata ${Buffer.byteLength(message)}\n${message}\n`;
    if (at > 1) text += `from :${at - 1}\n`;
    if (at > 20 && at % 10 === 0) text += `merge :${at - 7}\n`;
    for (let change = 0; change < 1 + pick(4); change++) {
      const path = `part-${pick(12)}/${pick(3) === 0 ? "" : `inner-${pick(8)}/`}file-${pick(40)}.txt`;
      const lines = files.get(path) ?? Array.from({ length: 30 + pick(300) }, sentence);
      lines.splice(pick(lines.length), pick(3), sentence(), sentence());
      files.set(path, lines);
      const content = `${lines.join("\n")}\n`;
      text += `M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
    }
    if (at % 100 === 0)
      text += `tag v${at / 100}\nfrom :${at}\ntagger Ada <ada@example.org> ${when} +0100\ndata 4\nmade\n`;
    importer.stdin.write(text);
    await importer.stdin.flush();
  }
  await importer.stdin.end();
  if ((await importer.exited) !== 0) throw new Error("git fast-import failed");
  await runGit(["-C", dir, "repack", "-adq", "--depth=50", "--window=10"]);
}

const words =
  "hearth forge branch commit pack tree blob delta index window graph merge base tip want have shallow filter push fetch clone ref tag object store read write stream lease scope".split(
    " ",
  );
