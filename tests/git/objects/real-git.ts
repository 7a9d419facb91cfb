import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { random } from "../../random.ts";

/** Real git, the oracle of these tests: runs with an empty configuration and fixed persons. */
export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  /** undefined: not there. */
  readonly env?: Record<string, string | undefined>;
  readonly mayFail?: boolean;
}

export interface RunResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export const gitEnvironment = {
  HOME: "/nonexistent",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A U Thor",
  GIT_AUTHOR_EMAIL: "author@example.org",
  GIT_COMMITTER_NAME: "C O Mitter",
  GIT_COMMITTER_EMAIL: "committer@example.org",
};

export function git(args: string[], options: RunOptions = {}): RunResult {
  const input = options.input === undefined ? undefined : Buffer.from(options.input);
  const child = Bun.spawnSync(["git", ...args], {
    cwd: options.cwd,
    stdin: input ?? "ignore",
    env: { PATH: process.env["PATH"] ?? "", ...gitEnvironment, ...options.env },
  });
  const result = { code: child.exitCode, stdout: child.stdout, stderr: child.stderr.toString() };
  if (result.code !== 0 && !options.mayFail) throw new Error(`git ${args.join(" ")}: ${result.stderr}`);
  return result;
}

export function gitText(args: string[], options: RunOptions = {}): string {
  return git(args, options).stdout.toString().trim();
}

export function tempDir(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "hearth-git-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A bare repository with `commits` commits over folders, merges, a tag, big and binary files, made by fast-import. */
export function buildHistory(dir: string, commits: number, seed = 1, format: "sha1" | "sha256" = "sha1"): void {
  const next = random(seed);
  const pick = (n: number) => Math.floor(next() * n);
  git(["init", "-q", "--bare", "-b", "main", `--object-format=${format}`, dir]);
  const files = new Map<string, string[]>();
  const out: Buffer[] = [];
  const add = (text: string) => out.push(Buffer.from(text));
  for (let i = 1; i <= commits; i++) {
    add(`commit refs/heads/main\nmark :${i}\nauthor A <a@example.org> ${1600000000 + i * 60} +0100\n`);
    const message = `change ${i}\n\nÄnderung ${"x".repeat(pick(50))}\n`;
    add(`committer C <c@example.org> ${1600000000 + i * 60} +0000\ndata ${Buffer.byteLength(message)}\n${message}\n`);
    if (i > 1) add(`from :${i - 1}\n`);
    if (i > 10 && i % 10 === 0) add(`merge :${i - 5}\n`);
    for (let k = 0; k < 2; k++) {
      const path = `d${pick(5)}/e${pick(4)}/file-${pick(12)}.txt`;
      const lines = files.get(path) ?? Array.from({ length: 40 + pick(200) }, () => `line ${pick(1e9)} ${pick(1e9)}`);
      lines.splice(pick(lines.length), pick(3), `new line ${pick(1e9)} in ${i}`);
      files.set(path, lines);
      const text = lines.join("\n");
      add(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    }
  }
  add(`tag v1\nfrom :${commits}\ntagger T <t@example.org> 1700000000 -0330\ndata 6\nv one\n\n`);
  git(["-C", dir, "fast-import", "--quiet"], { input: Buffer.concat(out) });
}

/** `<oid> <type> <size>` of every object. */
export function allObjects(dir: string): { oid: string; type: string; size: number }[] {
  const text = gitText(["-C", dir, "cat-file", "--batch-check", "--batch-all-objects"]);
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [oid = "", type = "", size = ""] = line.split(" ");
      return { oid, type, size: Number(size) };
    });
}
