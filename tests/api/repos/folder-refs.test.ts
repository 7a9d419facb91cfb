import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import { aRepo, aServer, aUser, type TestServer } from "../../builders.ts";
import { git } from "../../executable/process.ts";

// Real git is started many times.
setDefaultTimeout(600_000);

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const TAGS = 12;

/** A repository of two commits, a branch and tags, at rest; `main` is on the second. */
async function aRepoOfManyRefs() {
  const { user } = await aUser(server);
  const { refs, storage } = server.services;
  const repo = aRepo(server, user, { files: { a: "1" } });
  const dir = storage.dirOf(repo.id);
  const first = refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  const second = await commitOn(dir, first, "second");
  const set = (name: string, oldOid: string | null, newOid: string | null) =>
    refs.change(repo.id, { principal: asAccount(user), changes: [{ name, oldOid, newOid }], atomic: false });
  for (let tag = 0; tag < TAGS; tag++) set(`refs/tags/v${tag}`, null, first);
  set("refs/heads/other", null, first);
  await refs.projected();
  refs.settle();
  copyFileSync(join(dir, "packed-refs"), join(dir, "older.tmp"));
  set("refs/heads/main", first, second);
  await refs.projected();
  refs.settle();
  const names = () => refs.list(repo.id).map(({ name, oid }) => `${oid} ${name}`);
  const shown = async () => (await git(dir, "for-each-ref", "--format=%(objectname) %(refname)")).split("\n");
  return { repo, dir, first, second, packed: join(dir, "packed-refs"), set, names, shown };
}

async function commitOn(dir: string, parent: string, message: string): Promise<string> {
  return git(dir, "commit-tree", "-p", parent, "-m", message, `${parent}^{tree}`);
}

const DAMAGES: readonly (readonly [string, (packed: string, dir: string) => void])[] = [
  ["is missing", (packed) => rmSync(packed)],
  ["is empty", (packed) => writeFileSync(packed, "")],
  ["has a header alone", (packed) => writeFileSync(packed, "# pack-refs with: peeled fully-peeled sorted \n")],
  ["is cut within a line", (packed) => truncateSync(packed, statSync(packed).size - 10)],
  [
    "is cut between two lines",
    (packed) => writeFileSync(packed, `${readFileSync(packed, "utf8").split("\n").slice(0, 5).join("\n")}\n`),
  ],
  ["is full of zeros", (packed) => writeFileSync(packed, new Uint8Array(statSync(packed).size))],
  ["is an older one from a backup", (packed, dir) => copyFileSync(join(dir, "older.tmp"), packed)],
  [
    "is one of real git's from a backup that kept its time",
    (packed) => {
      const lines = readFileSync(packed, "utf8")
        .replace(/ hearth-seal=\S+/, "")
        .split("\n");
      writeFileSync(packed, lines.filter((line) => !line.includes("v3")).join("\n"));
      utimesSync(packed, 1_700_000_000, 1_700_000_000);
    },
  ],
];

test.each(DAMAGES)("a packed-refs that %s at start loses and moves nothing", async (_, damage) => {
  const { repo, dir, packed, second, names, shown } = await aRepoOfManyRefs();
  const before = names();
  expect(before).toContain(`${second} refs/heads/main`);
  expect(before.length).toBe(TAGS + 2);
  damage(packed, dir);
  server.services.refs.reconcile();
  expect(names()).toEqual(before);
  expect(await shown()).toEqual(before);
  expect(server.services.refs.recentOids(repo.id, 0).length).toBe(2);
});

test("what real git changed in the folder is taken in, even beside a packed-refs that is missing", async () => {
  const { dir, first, second, packed, names, shown } = await aRepoOfManyRefs();
  const third = await commitOn(dir, second, "third");
  await git(dir, "update-ref", "refs/heads/main", third);
  await git(dir, "update-ref", "refs/heads/new/deep", first);
  await git(dir, "tag", "-d", "v0");
  server.services.refs.reconcile();
  expect(names()).toContain(`${third} refs/heads/main`);
  expect(names()).toContain(`${first} refs/heads/new/deep`);
  expect(names().some((line) => line.endsWith("/v0"))).toBe(false);
  expect(await shown()).toEqual(names());
  // Packed by real git, which writes a header of its own.
  await git(dir, "update-ref", "refs/heads/main", second);
  await git(dir, "pack-refs", "--all");
  server.services.refs.reconcile();
  expect(names()).toContain(`${second} refs/heads/main`);
  rmSync(packed);
  await git(dir, "update-ref", "refs/heads/loose", first);
  const before = names();
  server.services.refs.reconcile();
  expect(names()).toEqual(
    [...before, `${first} refs/heads/loose`].sort((a, b) => (a.slice(41) < b.slice(41) ? -1 : 1)),
  );
  expect(await shown()).toEqual(names());
});

test("a push that the server did not live to write to the folder stands, and so does what real git did then", async () => {
  const { repo, dir, first, second, packed, names, set, shown } = await aRepoOfManyRefs();
  copyFileSync(packed, join(dir, "before.tmp"));
  set("refs/heads/other", first, second);
  set("refs/heads/pushed", null, second);
  await server.services.refs.projected();
  // As if it had died between the commit and the file.
  copyFileSync(join(dir, "before.tmp"), packed);
  await git(dir, "update-ref", "refs/heads/outside", second);
  await git(dir, "update-ref", "refs/heads/main", first);
  await git(dir, "pack-refs", "--all");
  server.services.refs.reconcile();
  for (const line of [
    `${second} refs/heads/other`,
    `${second} refs/heads/pushed`,
    `${second} refs/heads/outside`,
    `${first} refs/heads/main`,
  ])
    expect(names()).toContain(line);
  expect(names().length).toBe(TAGS + 4);
  expect(await shown()).toEqual(names());
  expect(server.services.refs.find(repo.id, "refs/tags/v1")?.oid).toBe(first);
});

test("a file from a backup does not undo a move that real git made and Hearth took in", async () => {
  const { dir, first, second, packed, names } = await aRepoOfManyRefs();
  await git(dir, "update-ref", "refs/heads/other", second);
  server.services.refs.reconcile();
  expect(names()).toContain(`${second} refs/heads/other`);
  copyFileSync(join(dir, "older.tmp"), packed);
  server.services.refs.reconcile();
  expect(names()).toContain(`${second} refs/heads/other`);
  expect(names()).not.toContain(`${first} refs/heads/main`);
});
