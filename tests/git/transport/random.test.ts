/**
 * Random pushes and fetches from two clones, the same ones against our server and against a plain bare repository that
 * real git serves: after each step both say the same and hold the same refs, and what is reachable is sound.
 * HEARTH_SEED chooses what, HEARTH_STEPS how long.
 */
import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { newSeed, random } from "../../random.ts";
import { write } from "./histories.ts";
import { aFolder, git, ok, reachableObjects, removeFolders, startServer, storedObjects } from "./server.ts";

afterAll(removeFolders);

const seed = newSeed();
const steps = Number(process.env["HEARTH_STEPS"] ?? 30);

test(`${steps} random steps with seed ${seed}`, async () => {
  const next = random(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
  const root = aFolder();
  const server = startServer(root);
  const plain = join(root, "plain.git");
  const ours = join(root, "ours.git");
  for (const dir of [plain, ours]) await ok(root, "init", "-q", "--bare", dir);
  await ok(plain, "config", "receive.denyDeleteCurrent", "ignore");
  await ok(plain, "config", "uploadpack.allowFilter", "true");
  await ok(plain, "config", "uploadpack.allowAnySHA1InWant", "true");
  const clones = [join(root, "one"), join(root, "two")];
  for (const dir of clones) {
    await ok(root, "init", "-q", dir);
    await ok(dir, "remote", "add", "ours", `${server.url}/ours.git`);
    await ok(dir, "remote", "add", "plain", `file://${plain}`);
  }
  let day = 0;
  const names = ["main", "dev", "topic/a", "topic/b", "topic", "x"];

  const commitSome = async (dir: string) => {
    const heads = (await ok(dir, "for-each-ref", "--format=%(refname)", "refs/remotes/plain"))
      .split("\n")
      .filter(Boolean);
    if (heads.length > 0 && below(3) === 0) await ok(dir, "checkout", "-q", "--detach", pick(heads));
    for (let at = 0; at <= below(4); at++) {
      const path = pick(["a.txt", "b/c.txt", "b/d/e.txt", "f.txt", "g/h/i/j.txt"]);
      write(dir, path, Array.from({ length: 50 + below(300) }, (_, line) => `${line % (1 + below(9))}`).join("\n"));
      if (below(6) === 0) rmSync(join(dir, "a.txt"), { force: true });
      await ok(dir, "add", "-A");
      const date = new Date(Date.UTC(2020, 0, 1, 0, day++ - (below(8) === 0 ? 500 : 0))).toISOString();
      const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
      const made = await git(dir, ["commit", "-q", "--allow-empty", "-m", `step ${day}`], env);
      if (made.code !== 0) throw new Error(made.err);
    }
    if (heads.length > 0 && below(3) === 0) await git(dir, ["merge", "-q", "-s", "ours", "-m", "merge", pick(heads)]);
    if (below(3) === 0) await git(dir, ["tag", "-f", "-a", "-m", "t", `t${below(6)}`, pick(["HEAD", "HEAD^{tree}"])]);
  };

  const protocol = () => ["-c", `protocol.version=${pick([0, 1, 2])}`];
  /** The same push to both; what git says of the refs must be the same. */
  const pushBoth = async (dir: string, args: string[], refspecs: string[]) => {
    const says: string[] = [];
    const version = protocol();
    for (const remote of ["plain", "ours"]) {
      const pushed = await git(dir, [...version, "push", "--porcelain", ...args, remote, ...refspecs]);
      const lines = pushed.out.split("\n").filter((line) => line.includes("\t"));
      says.push(`${pushed.code}\n${lines.map((line) => line.split("\t").slice(0, 2).join(" ")).join("\n")}`);
    }
    expect(says[1]).toBe(says[0]!);
  };

  const refsIn = (dir: string, pattern = "refs") =>
    ok(dir, "for-each-ref", "--format=%(refname) %(objectname)", pattern);
  const fetchBoth = async (dir: string) => {
    const version = protocol();
    for (const remote of pick([["ours", "plain"], ["ours"]]))
      await ok(dir, ...version, "fetch", "-q", "--prune", remote, `+refs/heads/*:refs/remotes/${remote}/*`);
    await ok(dir, "fetch", "-q", "--prune", "plain", "+refs/heads/*:refs/remotes/plain/*");
    const under = async (remote: string) =>
      (await refsIn(dir, `refs/remotes/${remote}`)).replaceAll(`/${remote}/`, "/");
    expect(await under("ours")).toBe(await under("plain"));
  };

  const cloneAgain = async () => {
    const dir = aFolder();
    const kind = pick([
      ["--mirror"],
      ["--bare", "--depth", `${1 + below(5)}`, "--no-single-branch"],
      ["--bare", "--filter=blob:none"],
      ["--bare", "--filter=tree:0"],
    ]);
    const cloned = await git(dir, [...protocol(), "clone", "-q", ...kind, `${server.url}/ours.git`, "c"]);
    if (cloned.code !== 0) throw new Error(cloned.err);
    const copy = join(dir, "c");
    await ok(copy, "fsck", "--strict");
    if (kind[0] === "--mirror") {
      expect(await refsIn(copy)).toBe(await refsIn(ours));
      expect(await storedObjects(copy)).toEqual(await reachableObjects(ours));
    } else if (
      kind[1] === "--depth" &&
      (await git(copy, ["rev-parse", "--is-shallow-repository"])).out.trim() === "true"
    ) {
      await ok(
        copy,
        ...protocol(),
        "fetch",
        "-q",
        ...pick([["--unshallow"], ["--deepen", "2"], ["--depth", "3"]]),
        "origin",
        "+refs/heads/*:refs/heads/*",
      );
      await ok(copy, "fsck", "--strict");
    }
    rmSync(dir, { recursive: true, force: true });
  };

  await commitSome(clones[0]!);
  for (let step = 0; step < steps; step++) {
    const dir = pick(clones);
    const name = pick(names);
    switch (below(9)) {
      case 0:
      case 1:
      case 2:
        await commitSome(dir);
        await pushBoth(dir, pick([[], [], ["--force"], ["--atomic"]]), [`HEAD:refs/heads/${name}`]);
        break;
      case 3:
        if ((await git(dir, ["rev-parse", "-q", "--verify", "HEAD~2"])).code === 0)
          await pushBoth(dir, ["--force"], [`HEAD~2:refs/heads/${name}`, `HEAD~1:refs/heads/${pick(names)}-x`]);
        break;
      case 4:
        // A plain folder of refs refuses to delete what is not there when a ref stands where its folder would be.
        if ((await refsIn(plain)).includes(`refs/heads/${name} `)) await pushBoth(dir, [], [`:refs/heads/${name}`]);
        break;
      case 5:
        if ((await ok(dir, "tag")) !== "") await pushBoth(dir, ["--force", "--tags"], []);
        break;
      case 6:
      case 7:
        await fetchBoth(dir);
        break;
      case 8:
        await cloneAgain();
        break;
    }
    expect(await refsIn(ours)).toBe(await refsIn(plain));
  }
  await cloneAgain();
  await ok(ours, "fsck", "--strict", "--connectivity-only");
  await ok(ours, "fsck", "--strict");
  expect(await reachableObjects(ours)).toEqual(await reachableObjects(plain));
  server.close();
}, 600_000);
