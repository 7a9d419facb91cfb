import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { Commits } from "../../../src/git/graph/commits.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { PackOutput } from "../../../src/git/pack-objects/output.ts";
import { planPack } from "../../../src/git/pack-objects/plan.ts";
import { writePack } from "../../../src/git/pack-objects/writer.ts";
import { newSeed } from "../../random.ts";
import { buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";

setDefaultTimeout(600_000);

/** The thin pack that brings a client from one commit to another. */
async function packBetween(repo: string, have: string, want: string): Promise<Buffer> {
  const store = ObjectStore.open(repo);
  try {
    const pieces: Uint8Array[] = [];
    const plan = planPack(
      { store, commits: Commits.open(repo, store), closed: [] },
      { wants: [want], haves: [have], filter: undefined, cuts: undefined, followTags: [], mayCopyPacks: true },
    );
    const emit = async (chunk: Uint8Array) => {
      pieces.push(chunk.slice());
    };
    const output = new PackOutput(emit, undefined, store.format, { hashed: true });
    await writePack(plan.catalog, plan.contents, { ofsDelta: true, thin: true }, output);
    await output.finish();
    return Buffer.concat(pieces);
  } finally {
    store.close();
  }
}

test("what is stored whole is sent as a delta on the version that the client has, and nothing is missing", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 150, newSeed());
  git(["-C", repo, "repack", "-adfq", "--depth=50"]);
  const want = gitText(["-C", repo, "rev-parse", "main"]);
  for (const behind of [1, 5, 40, 149]) {
    const have = gitText(["-C", repo, "rev-parse", `main~${behind}`]);
    const pack = await packBetween(repo, have, want);
    const theirs = git(["-C", repo, "pack-objects", "-q", "--revs", "--thin", "--stdout", "--delta-base-offset"], {
      input: `${want}\n^${have}\n`,
    }).stdout;
    if (behind < 100) expect(pack.length / theirs.length).toBeLessThan(1.6);
    const client = join(dir.path, `client-${behind}.git`);
    git(["init", "-q", "--bare", client]);
    git(["-C", client, "fetch", "-q", repo, `${have}:refs/heads/old`]);
    git(["-C", client, "index-pack", "--fix-thin", "--stdin", "--strict"], { input: pack });
    git(["-C", client, "update-ref", "refs/heads/main", want]);
    expect(git(["-C", client, "fsck", "--strict", "--full"]).code).toBe(0);
    expect(gitText(["-C", client, "rev-list", "--objects", "--no-object-names", "main"]).split("\n").sort()).toEqual(
      gitText(["-C", repo, "rev-list", "--objects", "--no-object-names", "main"]).split("\n").sort(),
    );
  }
});
