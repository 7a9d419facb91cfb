import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import { packet } from "../../../src/git/wire/pktline.ts";
import { aRepo, aServer, aUser, call, type TestServer } from "../../builders.ts";
import { git } from "../../executable/process.ts";

setDefaultTimeout(600_000);

const REFS = 15_000;

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("the folder of a repository of 15,000 refs shows a push when it is acknowledged, and is written in a worker", async () => {
  const { user, login, token } = await aUser(server);
  const { refs, storage } = server.services;
  const repo = aRepo(server, user, { files: { a: "1" } });
  const oid = refs.find(repo.id, "refs/heads/main")?.oid ?? "";
  const name = (at: number) => `refs/tags/v${`${at}`.padStart(6, "0")}`;
  const changes = Array.from({ length: REFS }, (_, at) => ({ name: name(at), oldOid: null, newOid: oid }));
  refs.change(repo.id, { principal: asAccount(user), changes, atomic: true });
  await refs.projected();
  refs.settle();
  expect(refs.snapshot(repo.id).refs.length).toBe(REFS + 1);
  const dir = storage.dirOf(repo.id);
  let number = 0;
  const push = async () => {
    const command = `${"0".repeat(40)} ${oid} refs/heads/pushed${++number}\0report-status`;
    const { text } = await call(server, "POST", `/${login}/${repo.name}.git/git-receive-pack`, {
      basic: [login, token],
      headers: { "content-type": "application/x-git-receive-pack-request" },
      body: Buffer.concat([packet(`${command}\n`), Buffer.from("0000"), EMPTY_PACK]),
    });
    expect(text).toContain(`ok refs/heads/pushed${number}`);
    expect(readFileSync(join(dir, "packed-refs"), "utf8")).toContain(`${oid} refs/heads/pushed${number}\n`);
  };
  const elsewhere = spyOn(server.core.pool, "run");
  for (let round = 0; round < 6; round++) await push();
  // Writing 15,000 names is not this thread's work.
  expect(elsewhere.mock.calls.filter(([job]) => job === "refs.project").length).toBeGreaterThanOrEqual(6);
  elsewhere.mockRestore();
  expect((await git(dir, "for-each-ref", "--format=x")).split("\n").length).toBe(REFS + 7);
});

const EMPTY_PACK = Buffer.from("5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e", "hex");

test("a push past git.max_ref_changes is refused with words, and changes nothing", async () => {
  const strict = await aServer({ "git.max_ref_changes": 3 });
  try {
    const { user, login, token } = await aUser(strict);
    const repo = aRepo(strict, user, { name: "few", files: { a: "1" } });
    const oid = strict.services.refs.find(repo.id, "refs/heads/main")?.oid ?? "";
    const push = (count: number) => {
      const commands = Array.from({ length: count }, (_, at) =>
        packet(`${"0".repeat(40)} ${oid} refs/heads/b${at}${at === 0 ? "\0report-status" : ""}\n`),
      );
      return call(strict, "POST", `/${login}/few.git/git-receive-pack`, {
        basic: [login, token],
        headers: { "content-type": "application/x-git-receive-pack-request" },
        body: Buffer.concat([...commands, Buffer.from("0000"), EMPTY_PACK]),
      });
    };
    expect((await push(4)).text).toContain("a push may change at most 3 refs at once");
    expect(strict.services.refs.list(repo.id).map(({ name }) => name)).toEqual(["refs/heads/main"]);
    expect((await push(3)).text).toContain("ok refs/heads/b2");
    expect(strict.services.refs.count(repo.id, "refs/heads/")).toBe(4);
  } finally {
    await strict.close();
  }
});
