import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { compareRefNames } from "../../../src/git/refs/names.ts";
import { RefLines } from "../../../src/git/transport/ref-lines.ts";
import { RefSnapshot } from "../../../src/git/transport/ref-snapshot.ts";
import { lsRefs } from "../../../src/git/transport/upload/ls-refs.ts";
import { errorPacket, MAX_PACKET_BYTES, packet } from "../../../src/git/wire/pktline.ts";
import { aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";
import { newSeed, random } from "../../random.ts";

/** Requests to fetch that ask for much with little, or are not what they say. */

let server: TestServer;
let ada: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
});
afterAll(() => server.close());

async function fetched(body: Uint8Array, headers: Record<string, string> = {}) {
  const repo = aRepo(server, ada.user);
  const answer = await fetch(`${server.url}${ada.login}/${repo.name}.git/git-upload-pack`, {
    method: "POST",
    body: new Uint8Array(body),
    headers: {
      "content-type": "application/x-git-upload-pack-request",
      "git-protocol": "version=2",
      authorization: `token ${ada.token}`,
      ...headers,
    },
  });
  return { status: answer.status, text: await answer.text() };
}

const command = (name: string, args: readonly string[]) =>
  Buffer.concat([
    packet(`command=${name}`),
    Buffer.from("0001"),
    ...args.map((arg) => packet(arg)),
    Buffer.from("0000"),
  ]);

describe("a request", () => {
  test("that is longer than any, or inflates to that, is the client's mistake", async () => {
    const bomb = gzipSync(Buffer.alloc(40 << 20, "0004"));
    expect((await fetched(bomb, { "content-encoding": "gzip" })).status).toBe(413);
    expect((await fetched(Buffer.alloc(33 << 20, "0004"))).status).toBe(413);
    expect(server.errors).toEqual([]);
  });

  test("of which the answer repeats a part is answered in one packet, without its control characters", async () => {
    const { status, text } = await fetched(command("ls-refs", ["\x1b[2J".repeat(16_000)]));
    expect(status).toBe(200);
    expect(text).toMatch(/^03f0ERR unexpected line: '\?\[2J\?\[2J/);
    expect(text).not.toContain("\x1b");
    expect((await fetched(command("fetch\x00\x07", []))).text).toBe("0021ERR unknown command 'fetch??'");
    expect(errorPacket("é".repeat(100_000)).length).toBeLessThan(MAX_PACKET_BYTES);
    expect(server.errors).toEqual([]);
  });

  test("for the list of refs is short", async () => {
    const { text } = await fetched(command("ls-refs", Array(9).fill(`ref-prefix ${"r".repeat(65_000)}`)));
    expect(text).toEndWith("ERR ls-refs: the request is too long");
  });
});

test("thousands of prefixes list what looking at each of them lists", () => {
  const next = random(newSeed());
  const word = () =>
    Array.from({ length: 1 + Math.floor(next() * 4) }, () => "abc/é\u{1f600}"[Math.floor(next() * 5)]).join("");
  const refs = Array.from({ length: 300 }, (_, at) => ({ name: `refs/heads/${word()}${at}`, oid: "1".repeat(40) }));
  const snapshot = RefSnapshot.of(refs.sort((a, b) => compareRefNames(a.name, b.name)));
  for (let round = 0; round < 200; round++) {
    const prefixes = Array.from({ length: 1 + Math.floor(next() * 30) }, () => `refs/heads/${word()}`);
    const request = { peel: false, symrefs: false, unborn: false, prefixes };
    const listed = Buffer.concat([...lsRefs(request, snapshot, "refs/heads/main")]).toString();
    const expected = refs.filter(({ name }) => prefixes.some((prefix) => name.startsWith(prefix)));
    expect([...listed.matchAll(/1{40} (\S+)/g)].map(([, name]) => name)).toEqual(expected.map(({ name }) => name));
  }
});

test("the refs of a fetch answer the first question and the thousandth alike", () => {
  const oid = (at: number) => at.toString(16).padStart(40, "0");
  const all = Array.from({ length: 500 }, (_, at) => ({
    name: `refs/tags/t${at}`,
    oid: oid(at),
    ...(at % 3 === 0 ? { peeled: oid(at + 1000) } : {}),
  }));
  const { packets } = RefSnapshot.of(all);
  const lines = new RefLines(packets);
  for (let at = 0; at < 1600; at++) {
    const isThere = at < 500 || (at >= 1000 && at < 1500 && (at - 1000) % 3 === 0);
    expect(lines.names(oid(at))).toBe(isThere);
    expect(new RefLines(packets).names(oid(at))).toBe(isThere);
  }
  expect(lines.named("refs/tags/t7")).toEqual(all[7]!);
  expect(lines.named("refs/tags/t500")).toBeUndefined();
});
