import { afterAll, beforeAll, expect, test } from "bun:test";
import { utils } from "ssh2";
import { aServer, type TestServer } from "../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
  await server.services.ssh.hostKeys.load();
});
afterAll(() => server.close());

const fingerprints = () => server.services.ssh.hostKeys.list().map(({ fingerprint }) => fingerprint);

test("every host key that is made can be read, also the one of 256 whose public half begins with a zero", async () => {
  const { db } = server.core;
  const { hostKeys } = server.services.ssh;
  for (let at = 0; at < 600; at++) {
    db.query("DELETE FROM ssh_host_keys WHERE type = 'ssh-ed25519'").run();
    const [first = ""] = await hostKeys.load();
    expect(utils.parseKey(first)).not.toBeInstanceOf(Error);
  }
});

test("a key that was cut when it was made is made again, and no other", async () => {
  const { db } = server.core;
  const { hostKeys } = server.services.ssh;
  const before = fingerprints();
  await hostKeys.load();
  expect(fingerprints()).toEqual(before);
  db.query("UPDATE ssh_host_keys SET public_key = substr(public_key, 1, 50) WHERE type = 'ssh-ed25519'").run();
  const [first = ""] = await hostKeys.load();
  expect(utils.parseKey(first)).not.toBeInstanceOf(Error);
  expect(fingerprints().filter((one) => before.includes(one)).length).toBe(before.length - 1);
});
