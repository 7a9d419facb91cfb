import { Database } from "bun:sqlite";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectionStamp } from "../../src/git/refs/projection.ts";
import { git, hearth, removeFolder } from "../executable/process.ts";
import { call, gitAddress, sendLargeFile } from "./calls.ts";
import { folderOf } from "./check.ts";
import { serve, settled } from "./server.ts";

/** A data folder with some life in it, at rest, and a work tree whose commits are ready to be pushed. */
export interface World {
  readonly folder: string;
  readonly dataDir: string;
  /** Branches: `base` is what `one` has as main, `next` one commit on, `other` a history of its own, `side`. Tag: v1. */
  readonly source: string;
  readonly token: string;
  /** A copy of the data folder, for one experiment. */
  copy(): string;
  remove(): void;
}

/**
 * The administrator `root1` has `one` (main, side, old, tag v0), the empty `two`, `three`, and `four` with pull requests
 * 1 from `side` into main, 2 from `beside` into `lane`, which has a merge queue; `ada` has nothing.
 */
export async function aWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-crash-"));
  const dataDir = join(folder, "data");
  const source = await aSource(folder);
  // The first start makes the folder, so that the commands find it.
  await (await serve(dataDir)).end("SIGTERM");
  const token = await anAccount(dataDir, "root1", true);
  await anAccount(dataDir, "ada", false);
  const server = await serve(dataDir);
  const at = { url: server.url, token };
  for (const name of ["one", "two", "three", "four"]) await call(at, "POST", "/user/repos", { name });
  await git(source, "push", "-q", gitAddress(at, "one"), "base:main", "base:old", "side", "v0");
  await sendLargeFile(at, "one", "what a fork has, too");
  // With more than goes at once when it is deleted.
  const many = Array.from({ length: 320 }, (_, i) => `base:many${i}`);
  await git(source, "push", "-q", gitAddress(at, "three"), "base:main", ...many);
  await git(source, "push", "-q", gitAddress(at, "four"), "next:main", "side");
  await call(at, "POST", "/repos/root1/four/pulls", { title: "Side", head: "side", base: "main" });
  await git(source, "push", "-q", gitAddress(at, "four"), "base:lane", "side:beside");
  await call(at, "POST", "/repos/root1/four/branch_protections", { rule_name: "lane", require_merge_queue: true });
  await call(at, "POST", "/repos/root1/four/pulls", { title: "Lane", head: "beside", base: "lane" });
  await call(at, "PATCH", "/repos/root1/one", { template: true });
  await git(folder, "clone", "-q", "--bare", source, join(dataDir, "unadopted/root1/found.git"));
  await settled(dataDir);
  await server.end("SIGTERM");
  let copies = 0;
  return {
    folder,
    dataDir,
    source,
    token,
    copy: () => {
      const to = join(folder, `copy${++copies}`);
      cpSync(dataDir, to, { recursive: true });
      acceptFiles(to);
      return to;
    },
    remove: () => removeFolder(folder),
  };
}

/** The server takes copied files for changed ones and examines them at its start: here that would only blur things. */
export function acceptFiles(dataDir: string): void {
  const db = new Database(join(dataDir, "hearth.db"), { readwrite: true });
  for (const { id } of db.query<{ id: number }, []>("SELECT id FROM git_folders").all())
    db.query("UPDATE git_folders SET projection_mark = ? WHERE id = ?").run(projectionStamp(folderOf(dataDir, id)), id);
  db.close();
}

async function aSource(folder: string): Promise<string> {
  const source = join(folder, "source");
  await git(folder, "init", "-q", source);
  const commit = async (file: string, text: string) => {
    writeFileSync(join(source, file), text);
    await git(source, "add", "-A");
    await git(source, "commit", "-q", "-m", `${file} ${text.length}`);
  };
  await commit("read.me", "first\n");
  await git(source, "tag", "v0");
  await commit("code.ts", `${"export const a = 1;\n".repeat(200)}`);
  await git(source, "branch", "base");
  await commit("code.ts", `${"export const a = 1;\n".repeat(200)}export const b = 2;\n`);
  await git(source, "branch", "next");
  await git(source, "tag", "-a", "v1", "-m", "one");
  await git(source, "checkout", "-q", "-b", "side", "base");
  await commit("side.txt", "beside\n");
  await git(source, "checkout", "-q", "-b", "large", "base");
  await commit("large.txt", noise(700_000));
  await git(source, "checkout", "-q", "--orphan", "other");
  await commit("other.txt", "another history\n");
  return source;
}

/** Text that does not compress to less than half of it. */
function noise(chars: number): string {
  const pieces: string[] = [];
  for (let at = 0; at < chars; at += 64) pieces.push(crypto.randomUUID(), crypto.randomUUID());
  return pieces.join("").slice(0, chars);
}

async function anAccount(dataDir: string, name: string, isAdmin: boolean): Promise<string> {
  const made = await hearth([
    ...["admin", "user", "create", "--data", dataDir, "--username", name, "--email", `${name}@example.org`],
    ...["--password", "a long password", "--must-change-password=false", "--access-token"],
    ...(isAdmin ? ["--admin"] : []),
  ]);
  const token = /[0-9a-f]{40}/.exec(made.out)?.[0];
  if (!token) throw new Error(`no account: ${made.out}${made.err}`);
  return token;
}
