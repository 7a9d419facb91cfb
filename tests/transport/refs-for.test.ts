import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { RequestedPull } from "../../src/transport/refs-for.ts";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";
import { gitEnvironment, tempDir } from "../git/objects/real-git.ts";

let open: TestServer | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/** Real git, beside the server in this process. */
async function git(args: string[], cwd: string) {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", ...args], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

const REASON = "[remote rejected] HEAD -> refs/for/main (topic-branch is not set)";

test("a push to refs/for/ is judged by itself: who may read learns why it is refused, who may write keeps the rest", async () => {
  using dir = tempDir();
  const server = await aServer();
  open = server;
  const { user, token } = await aUser(server, { login: "ada" });
  const { token: readers } = await aUser(server, { login: "rea" });
  const repo = aRepo(server, user, { name: "engine", files: { "a.txt": "a" } });
  const address = (name: string, secret: string) => {
    const url = new URL(`${server.url}ada/engine.git`);
    url.username = name;
    url.password = secret;
    return url.href;
  };
  const work = join(dir.path, "work");
  expect((await git(["clone", "-q", address("ada", token), work], dir.path)).code).toBe(0);
  await git(["commit", "-q", "--allow-empty", "-m", "more"], work);

  const asked = await git(["push", address("rea", readers), "HEAD:refs/for/main"], work);
  expect(asked.code).toBe(1);
  expect(asked.err).toContain(REASON);
  expect(asked.err).not.toContain("denied for writing");

  const mixed = await git(["push", address("rea", readers), "HEAD:refs/for/main", "HEAD:refs/heads/x"], work);
  expect(mixed.err).toContain("User permission denied for writing.");
  expect(mixed.err).toContain("[remote rejected] HEAD -> refs/for/main (pre-receive hook declined)");

  const writer = await git(["push", address("ada", token), "HEAD:refs/for/main", "HEAD:refs/heads/x"], work);
  expect(writer.err).toContain(REASON);
  expect(server.services.refs.list(repo.id).map(({ name }) => name)).toEqual(["refs/heads/main", "refs/heads/x"]);
});

test("a consumer gets what a reader asks for, and its ref is reported in place of the one that was named", async () => {
  using dir = tempDir();
  const server = await aServer();
  open = server;
  const { user } = await aUser(server, { login: "ada" });
  const { token: readers } = await aUser(server, { login: "Rea" });
  const repo = aRepo(server, user, { name: "engine", files: { "a.txt": "a" } });
  const asked: RequestedPull[] = [];
  server.services.refsFor.receiveWith(async (seen, request, say) => {
    asked.push(request);
    if (request.head.endsWith("/same")) return { ok: false, reason: "new commit is same with old commit" };
    const name = "refs/pull/1/head";
    const oldOid = server.services.refs.find(repo.id, name)?.oid ?? null;
    server.services.refs.change(repo.id, {
      principal: seen.principal,
      changes: [{ name, oldOid, newOid: request.newOid }],
      atomic: true,
    });
    say("Visit the existing pull request:");
    return { ok: true, refname: name, oldOid, isForced: request.mayForce };
  });
  const url = new URL(`${server.url}ada/engine.git`);
  url.username = "Rea";
  url.password = readers;
  const work = join(dir.path, "work");
  expect((await git(["clone", "-q", url.href, work], dir.path)).code).toBe(0);
  await git(["commit", "-q", "--allow-empty", "-m", "more"], work);
  const push = (ref: string, ...options: string[]) =>
    git(["push", "origin", `HEAD:${ref}`, ...options.flatMap((option) => ["-o", option])], work);

  const text = `{base64}${Buffer.from("two\nlines é").toString("base64")}`;
  const made = await push("refs/for/main/topic", "title=A title", `description=${text}`);
  expect([made.code, made.err]).toEqual([0, expect.stringContaining("remote: Visit the existing pull request:")]);
  expect(made.err).toContain("[new reference]   HEAD -> refs/pull/1/head");
  const head = (await git(["rev-parse", "HEAD"], work)).out.trim();
  expect(asked).toEqual([
    { base: "main", head: "rea/topic", newOid: head, title: "A title", description: "two\nlines é", mayForce: false },
  ]);
  expect(server.services.refs.list(repo.id).map(({ name }) => name)).toEqual(["refs/heads/main", "refs/pull/1/head"]);

  await git(["commit", "-q", "--amend", "--allow-empty", "-m", "instead"], work);
  const forced = await push("refs/for/main", "topic=rea/topic", "force-push", "description={base64}!");
  expect(forced.err).toContain("(forced update)");
  expect(asked.at(-1)).toMatchObject({ head: "rea/topic", mayForce: true, description: "{base64}!" });

  expect((await push("refs/for/main/same")).err).toContain("(new commit is same with old commit)");
  expect((await push("refs/for/nowhere/topic")).err).toContain("(base-branch does not exist)");
  expect((await push("refs/for/main")).err).toContain("(topic-branch is not set)");
  expect((await git(["push", "origin", ":refs/for/main/topic"], work)).err).toContain(
    "(Can't delete not exist branch)",
  );
  expect((await push("refs/heads/own")).err).toContain("User permission denied for writing.");
  expect(asked).toHaveLength(3);
});

test("the second report says ref, old and new id and force; the first one knows none of it", async () => {
  const server = await aServer();
  open = server;
  const { user, token } = await aUser(server, { login: "ada" });
  const repo = aRepo(server, user, { name: "engine", files: { "a.txt": "a" } });
  const tip = server.services.refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  const zero = "0".repeat(40);
  const old = "1".repeat(40);
  server.services.refsFor.receiveWith(async (_, { mayForce }) => ({
    ok: true,
    refname: "refs/pull/7/head",
    oldOid: mayForce ? old : null,
    isForced: mayForce,
  }));
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
  const emptyPack = Buffer.concat([Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1")]);
  const pack = Buffer.concat([emptyPack, new Bun.CryptoHasher("sha1").update(emptyPack).digest()]);
  const push = async (report: string, option: string) => {
    const command = line(`${zero} ${tip} refs/for/main/t\0 ${report} push-options agent=test`);
    const body = Buffer.concat([Buffer.from(`${command}0000${option === "" ? "" : line(option)}0000`), pack]);
    const reply = await fetch(`${server.url}ada/engine.git/git-receive-pack`, {
      method: "POST",
      headers: {
        "content-type": "application/x-git-receive-pack-request",
        authorization: `Basic ${Buffer.from(`ada:${token}`).toString("base64")}`,
      },
      body,
    });
    return (await reply.text()).replace(/[0-9a-f]{4}(?=unpack|ok|option|$)/g, "");
  };
  const first = "unpack ok\nok refs/for/main/t\n";
  const options = `option refname refs/pull/7/head\noption old-oid ${zero}\noption new-oid ${tip}\n`;
  expect(await push("report-status", "")).toBe(first);
  expect(await push("report-status-v2", "")).toBe(first + options);
  expect(await push("report-status-v2", "force-push=true")).toBe(
    `${first}${options.replace(zero, old)}option forced-update\n`,
  );
});
