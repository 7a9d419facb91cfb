import { expect, test } from "bun:test";
import { join } from "node:path";
import { aRepo, aServer, aUser, call } from "../builders.ts";
import { git, gitEnvironment, tempDir } from "../git/objects/real-git.ts";

/** Names of refs are bytes: Latin-1, a character cut short, what stands beside it as UTF-8. */
const NAMES = ["caf\xe9", "caf\xc3\xa9", "cut\xe2\x82", "cut/\xff\xfe", "z\xc3", "z\xc3\xa4", "plain"];
const bytes = (text: string) => Buffer.from(text, "latin1");

/** Real git beside the server of this process; what it prints as it is. */
async function talk(...args: string[]): Promise<Buffer> {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment };
  const child = Bun.spawn(["git", ...args], { env, stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).bytes(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")}: ${err}`);
  return Buffer.from(out);
}

const refsIn = (dir: string): Buffer => git(["for-each-ref", "--format=%(objectname) %(refname)"], { cwd: dir }).stdout;
/** The same of what `ls-remote` prints. */
const listed = (out: Buffer): Buffer =>
  bytes(
    out
      .toString("latin1")
      .split("\n")
      .filter((line) => line.includes("\trefs/") && !line.endsWith("^{}"))
      .map((line) => `${line.replace("\t", " ")}\n`)
      .join(""),
  );

test("names of refs that are not UTF-8 come back as the bytes they were, in every version of the protocol", async () => {
  await using server = await aServer();
  using folder = tempDir();
  const { user, login, token } = await aUser(server);
  const source = join(folder.path, "source");
  git(["init", "-q", "-b", "main", source]);
  git(["commit", "-q", "--allow-empty", "-m", "First"], { cwd: source });
  git(["tag", "-am", "A tag", "v1"], { cwd: source });
  const tip = git(["rev-parse", "HEAD"], { cwd: source }).stdout.toString().trim();
  const tag = git(["rev-parse", "v1"], { cwd: source }).stdout.toString().trim();
  const create = (kind: string, oid: string) => NAMES.map((name) => `create refs/${kind}/${name} ${oid}\n`).join("");
  git(["update-ref", "--stdin"], { cwd: source, input: bytes(create("heads", tip) + create("tags", tag)) });

  for (const version of ["0", "1", "2"]) {
    const repo = aRepo(server, user, { name: `v${version}` });
    const url = `${server.url.replace("//", `//${login}:${token}@`)}${login}/${repo.name}.git`;
    const protocol = `protocol.version=${version}`;
    await talk("-C", source, "-c", protocol, "push", "-q", url, "refs/*:refs/*");
    expect(listed(await talk("-c", protocol, "ls-remote", url))).toEqual(refsIn(source));
    const copy = join(folder.path, `copy${version}`);
    await talk("-c", protocol, "clone", "-q", "--mirror", url, copy);
    expect(refsIn(copy)).toEqual(refsIn(source));
    // The folder shows the same to real git.
    expect(refsIn(server.services.storage.dirOf(repo.id))).toEqual(refsIn(source));
    // One of them moves and another goes.
    git(["commit", "-q", "--allow-empty", "-m", "Next"], { cwd: source });
    const next = git(["rev-parse", "HEAD"], { cwd: source }).stdout.toString().trim();
    const edit = `update refs/heads/caf\xe9 ${next}\ndelete refs/heads/cut/\xff\xfe\n`;
    git(["update-ref", "--stdin"], { cwd: source, input: bytes(edit) });
    await talk("-C", source, "-c", protocol, "push", "-q", "--mirror", "--force", url);
    await talk("-C", copy, "-c", protocol, "fetch", "-q", "--prune");
    expect(refsIn(copy)).toEqual(refsIn(source));
    const restore = `update refs/heads/caf\xe9 ${tip}\ncreate refs/heads/cut/\xff\xfe ${tip}\nupdate refs/heads/main ${tip}\n`;
    git(["update-ref", "--stdin"], { cwd: source, input: bytes(restore) });
  }
  expect(server.errors).toEqual([]);
});

test("pages and the API show such names escaped, and find and delete them by that", async () => {
  await using server = await aServer();
  using folder = tempDir();
  const { user, login, token } = await aUser(server);
  const repo = aRepo(server, user, { files: { "a.txt": "a\n" } });
  const dir = server.services.storage.dirOf(repo.id);
  const [main] = server.services.refs.list(repo.id);
  // As a push, by way of a clone.
  const url = `${server.url.replace("//", `//${login}:${token}@`)}${login}/${repo.name}.git`;
  const clone = join(folder.path, "clone");
  await talk("clone", "-q", url, clone);
  git(["update-ref", "--stdin"], { cwd: clone, input: bytes(`create refs/heads/caf\xe9 ${main!.oid}\n`) });
  await talk("-C", clone, "push", "-q", url, "refs/heads/*:refs/heads/*");
  const api = `/api/v1/repos/${login}/${repo.name}`;
  const branches = await call<{ name: string }[]>(server, "GET", `${api}/branches`, { token });
  expect(branches.body.map(({ name }) => name)).toEqual(["caf\\xe9", "main"]);
  for (const path of [
    `${api}/branches/caf%5Cxe9`,
    `${api}/contents/a.txt?ref=caf%5Cxe9`,
    `${api}/commits?sha=caf%5Cxe9`,
    `/${login}/${repo.name}/src/branch/caf%5Cxe9`,
    `/${login}/${repo.name}/src/branch/caf%5Cxe9/a.txt`,
  ])
    expect([path, (await call(server, "GET", path, { token })).status]).toEqual([path, 200]);
  const page = await call(server, "GET", `/${login}/${repo.name}/branches`, { token });
  expect(page.text).toContain("caf\\xe9");
  // Nobody makes such a name by hand, nor another that would be shown so.
  const body = { new_branch_name: "b\\xe9" };
  expect((await call(server, "POST", `${api}/branches`, { token, body })).status).toBe(422);
  expect((await call(server, "DELETE", `${api}/branches/caf%5Cxe9`, { token })).status).toBe(204);
  await server.services.refs.projected();
  expect(refsIn(dir).toString("latin1")).toBe(`${main!.oid} refs/heads/main\n`);
  // What real git does in the folder while the server is away is taken in.
  git(["update-ref", "--stdin"], { cwd: dir, input: bytes(`create refs/heads/\xe9 ${main!.oid}\n`) });
  server.services.refs.reconcile();
  expect(server.services.refs.list(repo.id).map(({ name }) => name)).toEqual(["refs/heads/main", "refs/heads/\\xe9"]);
  expect(refsIn(dir).toString("latin1")).toContain("refs/heads/\xe9\n");
  expect(server.services.inspector.inspect().problems).toEqual([]);
});
