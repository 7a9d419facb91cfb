import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import { aRepo, aServer, aUser, call, type TestServer } from "../../builders.ts";
import { git } from "../../executable/process.ts";

setDefaultTimeout(600_000);

let server: TestServer;
let dir: string;
beforeAll(async () => {
  server = await aServer();
  dir = mkdtempSync(join(tmpdir(), "hearth-hidden-"));
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

test("hidden refs are neither advertised nor fetched, pushed to or listed, in every version of the protocol", async () => {
  const { user, login, token } = await aUser(server);
  const { refs, storage } = server.services;
  const repo = aRepo(server, user, { files: { a: "1" } });
  await refs.projected();
  const folder = storage.dirOf(repo.id);
  const main = refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  const secret = await git(folder, "commit-tree", "-p", main, "-m", "hidden", `${main}^{tree}`);
  const hidden = "refs/hearth/kept/1";
  const set = (newOid: string | null, oldOid: string | null) =>
    refs.change(repo.id, { principal: asAccount(user), changes: [{ name: hidden, oldOid, newOid }], atomic: true });
  expect(set(secret, null)).toEqual([{ name: hidden, ok: true }]);
  await refs.projected();
  const address = `${server.url.replace("//", `//${login}:${token}@`)}${login}/${repo.name}.git`;
  const clone = join(dir, "clone");
  await git(dir, "clone", "-q", address, clone);
  for (const version of ["0", "1", "2"]) {
    const asked = ["-c", `protocol.version=${version}`];
    expect(await git(clone, ...asked, "ls-remote", address)).not.toContain("refs/hearth");
    expect(await git(clone, ...asked, "ls-remote", address)).toContain(`${main}\trefs/heads/main`);
    await expect(git(clone, ...asked, "fetch", "-q", address, hidden)).rejects.toThrow();
    await expect(git(clone, ...asked, "fetch", "-q", address, secret)).rejects.toThrow();
    await expect(git(clone, ...asked, "push", "-q", address, `HEAD:${hidden}`)).rejects.toThrow("hidden ref");
  }
  const listed = await call(server, "GET", `/api/v1/repos/${login}/${repo.name}/git/refs`, { token });
  expect([listed.status, listed.text.includes("refs/heads/main"), listed.text.includes("refs/hearth")]).toEqual([
    200,
    true,
    false,
  ]);
  expect(refs.find(repo.id, hidden)?.oid).toBe(secret);
  expect(server.errors).toEqual([]);
});
