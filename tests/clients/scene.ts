import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HearthProcess } from "../git/hosts/hearth.ts";
import { fsckFindings, makeHistory, runGit } from "../git/hosts/real-git.ts";

/** A git client that is not git. Each step is done in the client's own way; what comes of it is examined by real git. */
export interface Client {
  readonly name: string;
  /** What it needs that is not there; undefined when it can run. Installs what may be installed. */
  prepare(): Promise<string | undefined>;
  /** Clones the default branch (or all) into a new folder. */
  clone(url: string, dir: string): Promise<void>;
  /** Fetches the new commit into the clone, and sets the branch and the files to it. */
  fetch(url: string, dir: string): Promise<void>;
  /** Writes `path`, commits it and pushes the branch. */
  push(url: string, dir: string, path: string): Promise<void>;
}

const BRANCH = "main";

/**
 * Clone, fetch a new commit, push a new commit. @throws Error telling what differs from what real git makes of it
 */
export async function playThrough(client: Client, hearth: HearthProcess): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-client-"));
  try {
    const source = join(folder, "source.git");
    await makeHistory(source, 300, 7);
    const hosted = hearth.repo(`for-${client.name}`);
    await runGit(["-C", source, "push", "-q", "--mirror", hosted.url]);
    const dir = join(folder, "clone");
    await client.clone(hosted.url, dir);
    await expectSame("clone", dir, source);

    const other = join(folder, "other");
    await runGit(["clone", "-q", hosted.url, other]);
    await Bun.write(join(other, "new.txt"), "from git\n");
    await runGit(["-C", other, "add", "-A"]);
    await runGit(["-C", other, "commit", "-q", "-m", "by git"]);
    await runGit(["-C", other, "push", "-q", "origin", BRANCH]);
    await client.fetch(hosted.url, dir);
    await expectSame("fetch", dir, other);

    await client.push(hosted.url, dir, "by-client.txt");
    await runGit(["-C", other, "pull", "-q", "--ff-only"]);
    if (!existsSync(join(other, "by-client.txt"))) throw new Error("push: the new file did not arrive");
    await expectSame("push", dir, other);
    const problems = await fsckFindings(hosted.storedDir());
    if (problems.length > 0) throw new Error(`push: the stored repository: ${problems.join("; ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The branch is at the same commit, everything it leads to is there, and the clone is sound. */
async function expectSame(step: string, dir: string, oracle: string): Promise<void> {
  const of = async (repo: string) => {
    const tip = (await runGit(["-C", repo, "rev-parse", BRANCH])).stdout.toString().trim();
    const listed = await runGit(["-C", repo, "rev-list", "--objects", "--no-object-names", BRANCH]);
    return { tip, objects: listed.stdout.toString().split("\n").sort().join("\n") };
  };
  const [mine, theirs] = [await of(dir), await of(oracle)];
  if (mine.tip !== theirs.tip) throw new Error(`${step}: ${BRANCH} is ${mine.tip} instead of ${theirs.tip}`);
  if (mine.objects !== theirs.objects) throw new Error(`${step}: the objects differ`);
  const problems = await fsckFindings(dir);
  if (problems.length > 0) throw new Error(`${step}: ${problems.join("; ")}`);
}
