/** Pushes by real git, and by hand where no git would send such a thing. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { deflateSync, gzipSync } from "node:zlib";
import type { VerifiedPush } from "../../../src/git/transport/receive/receive-pack.ts";
import { PacketList, packetsOf } from "../../../src/git/wire/pktline.ts";
import { untilHolds } from "../../until.ts";
import { aRichHistory, commitAll, write } from "./histories.ts";
import {
  aFolder,
  applyToFolder,
  type GitServer,
  git,
  ok,
  reachableObjects,
  removeFolders,
  startServer,
  storedObjects,
} from "./server.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

const ZERO = "0".repeat(40);

let server: GitServer;
let source: string;
let pushes: VerifiedPush[] = [];

beforeAll(async () => {
  const root = aFolder();
  source = await aRichHistory(join(root, "work"));
  server = startServer(root, {
    async apply(push, say, repoDir) {
      pushes.push(push);
      if (push.pushOptions.includes("say")) say("\x1b[31mhello\x07 there\n");
      if (push.pushOptions.includes("fail")) throw new Error("secret inside");
      if (push.pushOptions.includes("decline"))
        return {
          results: push.commands.map(({ name }) => ({ name, ok: false as const, reason: "pre-receive hook declined" })),
        };
      return applyToFolder(push, say, repoDir);
    },
  });
});
afterAll(() => {
  server.close();
  removeFolders();
});

let count = 0;
async function aTarget(from?: string): Promise<{ dir: string; url: string; name: string }> {
  const name = `target-${count++}.git`;
  const dir = join(server.root, name);
  if (from) await ok(server.root, "clone", "-q", "--bare", from, name);
  else await ok(server.root, "init", "-q", "--bare", name);
  return { dir, url: `${server.url}/${name}`, name };
}

async function aClone(url: string): Promise<string> {
  const dir = aFolder();
  await ok(dir, "clone", "-q", url, "c");
  return join(dir, "c");
}

const refsIn = (dir: string) => ok(dir, "for-each-ref", "--format=%(refname) %(objectname)");
const quarantines = (dir: string) => readdirSync(join(dir, "objects")).filter((name) => name.startsWith("tmp_"));

async function isSound(dir: string): Promise<void> {
  const checked = await git(dir, ["fsck", "--strict", "--full"]);
  expect(checked).toMatchObject({ code: 0 });
  expect(quarantines(dir)).toEqual([]);
}

describe("by real git", () => {
  test("a mirror push stores everything, and a clone brings it back", async () => {
    for (const version of ["2", "0"]) {
      const target = await aTarget();
      await ok(source, "-c", `protocol.version=${version}`, "push", "-q", "--mirror", target.url);
      expect(await refsIn(target.dir)).toBe(await refsIn(source));
      expect(await storedObjects(target.dir)).toEqual(await reachableObjects(source));
      await isSound(target.dir);
      const dir = aFolder();
      await ok(dir, "clone", "-q", "--mirror", target.url, "c");
      expect(await storedObjects(join(dir, "c"))).toEqual(await reachableObjects(source));
      await ok(join(dir, "c"), "fsck", "--strict");
    }
  });

  test("a clone after several pushes is whole and has nothing twice", async () => {
    const target = await aTarget();
    const work = await aClone(source);
    for (const at of ["main~6", "main~3", "side/one", "main"]) {
      const oid = await ok(source, "rev-parse", at);
      await ok(work, "push", "-q", "-f", target.url, `${oid}:refs/heads/main`);
    }
    const dir = aFolder();
    await ok(dir, "-c", "fetch.fsckObjects=true", "clone", "-q", "--mirror", target.url, "c");
    expect(await storedObjects(join(dir, "c"))).toEqual(await reachableObjects(target.dir));
    await isSound(target.dir);
  });

  test("what a forced push took away is sent to no one", async () => {
    const target = await aTarget();
    const work = await aClone(source);
    write(work, "secret.txt", "secret\n");
    const secret = await commitAll(work, "secret", 40);
    const blob = await ok(work, "rev-parse", "HEAD:secret.txt");
    await ok(work, "push", "-q", target.url, "HEAD:refs/heads/main");
    await ok(work, "push", "-q", "-f", target.url, "HEAD~1:refs/heads/main");
    expect(await storedObjects(target.dir)).toContain(secret);
    const dir = aFolder();
    await ok(dir, "clone", "-q", "--mirror", target.url, "c");
    expect(await storedObjects(join(dir, "c"))).toEqual(await reachableObjects(target.dir));
    const tree = await ok(work, "rev-parse", `${secret}^{tree}`);
    for (const oid of [secret, blob, tree]) {
      const asked = await git(join(dir, "c"), ["fetch", "-q", target.url, oid]);
      expect(asked.err).toContain(`not our ref ${oid}`);
    }
    for (const oid of [await ok(work, "rev-parse", "HEAD~1:README.md"), await ok(work, "rev-parse", "HEAD~4^{tree}")])
      await ok(join(dir, "c"), "fetch", "-q", target.url, oid);
  });

  test("branches and tags are made, moved, forced and deleted", async () => {
    const target = await aTarget(source);
    const work = await aClone(target.url);
    write(work, "new.txt", "new\n");
    await commitAll(work, "new", 30);
    await ok(work, "tag", "-a", "-m", "two", "v2");
    await ok(work, "push", "-q", "origin", "main", "v2", "HEAD~1:refs/heads/feature/a");
    await ok(work, "push", "-q", "--force", "origin", "HEAD~3:feature/a");
    await ok(work, "push", "-q", "origin", "--delete", "side/one", "light");
    const refs = await refsIn(target.dir);
    expect(refs).toContain(`refs/heads/feature/a ${await ok(work, "rev-parse", "HEAD~3")}`);
    expect(refs).toContain(`refs/tags/v2 ${await ok(work, "rev-parse", "v2")}`);
    expect(refs).not.toContain("side/one");
    expect(refs).not.toContain("refs/tags/light");
    await isSound(target.dir);
  });

  test("a lease that no longer holds, and a ref that moved in between, are refused", async () => {
    const target = await aTarget(source);
    const [first, second] = [await aClone(target.url), await aClone(target.url)];
    await commitAll(first, "first", 30);
    await ok(first, "push", "-q", "origin", "HEAD");
    await commitAll(second, "second", 31);
    const stale = await git(second, ["push", "--force-with-lease", "origin", "HEAD"]);
    expect(stale.err).toContain("stale info");
    expect((await git(second, ["push", "origin", "HEAD"])).err).toContain("[rejected]");
    await ok(second, "fetch", "-q");
    await ok(second, "push", "-q", "--force-with-lease", "origin", "HEAD");
    expect(await ok(target.dir, "rev-parse", "main")).toBe(await ok(second, "rev-parse", "HEAD"));
  });

  test("an atomic push changes all refs or none", async () => {
    const target = await aTarget(source);
    const work = await aClone(target.url);
    await commitAll(work, "more", 30);
    const before = await refsIn(target.dir);
    const refused = await git(work, [
      "push",
      "--atomic",
      "origin",
      "HEAD:refs/heads/fine",
      "HEAD:refs/heads/main/below",
    ]);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain("failed to update ref");
    expect(refused.err).toContain("atomic transaction failed");
    expect(await refsIn(target.dir)).toBe(before);
    await ok(work, "push", "-q", "--atomic", "origin", "HEAD:refs/heads/fine", "HEAD:refs/heads/fine2");
    const half = await git(work, ["push", "origin", "HEAD:refs/heads/other", "HEAD:refs/heads/main/below"]);
    expect(half.err).toContain("[new branch]");
    expect(half.err).toContain("[remote rejected]");
    await isSound(target.dir);
  });

  test("push options, words of the host and its refusal reach where they should", async () => {
    const target = await aTarget(source);
    const work = await aClone(target.url);
    await commitAll(work, "more", 30);
    pushes = [];
    const declined = await git(work, ["push", "-o", "say", "-o", "decline", "-o", "a=b c", "origin", "HEAD"]);
    expect(declined.err).toContain("remote: [31mhello there");
    expect(declined.err).toContain("(pre-receive hook declined)");
    expect(pushes[0]?.pushOptions).toEqual(["say", "decline", "a=b c"]);
    expect(pushes[0]?.agent).toStartWith("git/");
    const failed = await git(work, ["push", "-o", "fail", "origin", "HEAD"]);
    expect(failed.err).toContain("internal server error");
    expect(failed.err).not.toContain("secret");
    await isSound(target.dir);
    expect(await storedObjects(target.dir)).not.toContain(await ok(work, "rev-parse", "HEAD"));
    await ok(work, "push", "-q", "origin", "HEAD");
  });

  test("bodies come in chunks, compressed and thin", async () => {
    const target = await aTarget(source);
    const work = await aClone(target.url);
    write(work, "big.bin", randomBytes(3 << 20));
    write(work, "growing.txt", Array.from({ length: 500 }, (_, line) => `line ${line}`).join("\n"));
    await commitAll(work, "big", 30);
    await ok(work, "-c", "http.postBuffer=65536", "push", "-q", "origin", "HEAD");
    const many = Array.from({ length: 100 }, (_, at) => `HEAD:refs/heads/many/${at}`);
    await ok(work, "push", "-q", "origin", ...many);
    expect((await refsIn(target.dir)).split("\n").length).toBeGreaterThan(100);
    await isSound(target.dir);
    expect(await ok(target.dir, "cat-file", "-s", "main:big.bin")).toBe(String(3 << 20));
  });

  test("a shallow clone can push, and one that lacks history cannot to another repository", async () => {
    const target = await aTarget(source);
    const dir = aFolder();
    await ok(dir, "clone", "-q", "--depth", "1", target.url, "c");
    const work = join(dir, "c");
    write(work, "from-shallow.txt", "x\n");
    const oid = await commitAll(work, "from shallow", 30);
    await ok(work, "push", "-q", "origin", "HEAD");
    expect(await ok(target.dir, "rev-parse", "main")).toBe(oid);
    const empty = await aTarget();
    const refused = await git(work, ["push", empty.url, "HEAD:refs/heads/main"]);
    expect(refused.err).toContain("shallow update not allowed");
    await isSound(target.dir);
    await isSound(empty.dir);
    expect(await storedObjects(empty.dir)).toEqual([]);
  });
});

/** A push by hand: answers the report's lines, or what came instead of one. */
async function pushByHand(
  name: string,
  commands: [oldOid: string, newOid: string, ref: string][],
  pack: Uint8Array,
  capabilities = "report-status side-band-64k",
  headers: Record<string, string> = {},
): Promise<{ lines: string[]; said: string }> {
  const list = new PacketList();
  commands.forEach(([oldOid, newOid, ref], at) => {
    list.line(`${oldOid} ${newOid} ${ref}${at === 0 ? `\0 ${capabilities}` : ""}`);
  });
  const body = list.flush().raw(pack).bytes();
  const response = await fetch(`${server.url}/${name}/git-receive-pack`, {
    method: "POST",
    headers: { "content-type": "application/x-git-receive-pack-request", ...headers },
    body: headers["content-encoding"] === "gzip" ? gzipSync(body) : body,
  });
  const bytes = await response.bytes();
  const bands: Buffer[][] = [[], [], [], []];
  if (!capabilities.includes("side-band-64k")) bands[1]!.push(Buffer.from(bytes));
  else
    for (const one of packetsOf(bytes))
      if (one.kind === "data") bands[one.data[0]!]!.push(Buffer.from(one.data.subarray(1)));
  const lines: string[] = [];
  for (const one of packetsOf(Buffer.concat(bands[1]!)))
    if (one.kind === "data") lines.push(Buffer.from(one.data).toString().trimEnd());
  return { lines, said: Buffer.concat([...bands[2]!, ...bands[3]!]).toString() };
}

function packOf(...objects: [kind: number, content: string | Uint8Array][]): Uint8Array {
  const header = Buffer.alloc(12);
  header.write("PACK");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const parts: Uint8Array[] = [header];
  for (const [kind, content] of objects) {
    const bytes = Buffer.from(content);
    const head = [(kind << 4) | (bytes.length & 15)];
    for (let rest = bytes.length >>> 4; rest > 0; rest >>>= 7) {
      head[head.length - 1]! |= 0x80;
      head.push(rest & 127);
    }
    parts.push(Uint8Array.from(head), deflateSync(bytes));
  }
  const all = Buffer.concat(parts);
  return Buffer.concat([all, new Bun.CryptoHasher("sha1").update(all).digest()]);
}

const idOf = (type: string, content: string | Uint8Array) => {
  const bytes = Buffer.from(content);
  return new Bun.CryptoHasher("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex");
};

function aCommit(content: string): { id: string; pack: Uint8Array; entries: [number, string | Uint8Array][] } {
  const tree = Buffer.concat([Buffer.from("100644 f\0"), Buffer.from(idOf("blob", content), "hex")]);
  const who = "A <a@example.com> 1700000000 +0000";
  const commit = `tree ${idOf("tree", tree)}\nauthor ${who}\ncommitter ${who}\n\nby hand\n`;
  const entries: [number, string | Uint8Array][] = [
    [1, commit],
    [2, tree],
    [3, content],
  ];
  return { id: idOf("commit", commit), pack: packOf(...entries), entries };
}

describe("by hand", () => {
  test("whole packs are taken in every dialect of the report", async () => {
    const target = await aTarget();
    for (const [at, capabilities] of [
      "report-status",
      "report-status side-band-64k",
      "report-status-v2 side-band-64k",
    ].entries()) {
      const made = aCommit(`one ${at}`);
      const report = await pushByHand(target.name, [[ZERO, made.id, `refs/heads/b${at}`]], made.pack, capabilities, {
        ...(at === 1 ? { "content-encoding": "gzip" } : {}),
      });
      expect(report.lines).toEqual(["unpack ok", `ok refs/heads/b${at}`]);
    }
    await isSound(target.dir);
  });

  test("broken packs are refused with a reason and leave nothing", async () => {
    const target = await aTarget();
    const made = aCommit("broken");
    const flipped = (at: number) => {
      const pack = Buffer.from(made.pack);
      pack[at < 0 ? pack.length + at : at]! ^= 0x41;
      return pack;
    };
    const broken = [0, 5, 12, made.pack.length - 25, made.pack.length - 1].map((length) =>
      made.pack.subarray(0, length),
    );
    for (const pack of [...broken, flipped(-1), flipped(11), flipped(0), flipped(20), Buffer.from("no pack")]) {
      const report = await pushByHand(target.name, [[ZERO, made.id, "refs/heads/x"]], pack);
      expect(report.lines[0]).toStartWith("unpack ");
      expect(report.lines[0]).not.toBe("unpack ok");
      expect(report.lines[1]).toBe("ng refs/heads/x unpacker error");
    }
    expect(await storedObjects(target.dir)).toEqual([]);
    expect(await refsIn(target.dir)).toBe("");
    await isSound(target.dir);
  });

  test("a pack without all that its commit needs is refused", async () => {
    const target = await aTarget();
    const made = aCommit("parts");
    for (const pack of [packOf(...made.entries.slice(0, 2)), packOf(...made.entries.slice(0, 1)), packOf()]) {
      const report = await pushByHand(target.name, [[ZERO, made.id, "refs/heads/x"]], pack);
      expect(report.lines).toEqual(["unpack ok", "ng refs/heads/x missing necessary objects"]);
    }
    await isSound(target.dir);
  });

  test("names that no ref may have, branches on blobs and doubled commands are refused alone", async () => {
    const target = await aTarget();
    const made = aCommit("names");
    const blob = idOf("blob", "names");
    const report = await pushByHand(
      target.name,
      [
        [ZERO, made.id, "refs/heads/fine"],
        [ZERO, made.id, "refs/heads/../evil"],
        [ZERO, made.id, "HEAD"],
        [ZERO, made.id, "refs/heads/fine"],
        [ZERO, blob, "refs/heads/on-a-blob"],
        [ZERO, blob, "refs/tags/on-a-blob"],
        [made.id, ZERO, "refs/heads/not-there"],
      ],
      made.pack,
    );
    expect(report.lines).toEqual([
      "unpack ok",
      "ok refs/heads/fine",
      "ng refs/heads/../evil funny refname",
      "ng HEAD funny refname",
      "ng refs/heads/fine multiple updates for ref not allowed",
      "ng refs/heads/on-a-blob failed to update ref",
      "ok refs/tags/on-a-blob",
      "ng refs/heads/not-there failed to update ref",
    ]);
    await isSound(target.dir);
  });

  test("a signed push and other nonsense are answered in words", async () => {
    const target = await aTarget();
    const bodies = [
      new PacketList().line("push-cert\0 report-status side-band-64k\n").flush().bytes(),
      new PacketList().line("nonsense\n").flush().bytes(),
      Buffer.from("zzzz"),
    ];
    for (const body of bodies) {
      const response = await fetch(`${server.url}/${target.name}/git-receive-pack`, { method: "POST", body });
      expect(response.status).toBe(200);
      expect(await response.text()).toMatch(/signed pushes are not supported|protocol error|bad line length/);
    }
  });

  test("the probe before a large push is answered with nothing", async () => {
    const target = await aTarget();
    const response = await fetch(`${server.url}/${target.name}/git-receive-pack`, { method: "POST", body: "0000" });
    expect(response.status).toBe(200);
    expect((await response.bytes()).byteLength).toBe(0);
  });

  test("a client that goes away in the middle leaves no trace", async () => {
    const target = await aTarget();
    const made = aCommit("x".repeat(200_000) + randomBytes(200_000).toString("hex"));
    const head = new PacketList().line(`${ZERO} ${made.id} refs/heads/x\0 report-status side-band-64k`).flush().bytes();
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST /${target.name}/git-receive-pack HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\n`);
      socket.write(head);
      socket.write(made.pack.subarray(0, 100_000));
    });
    await untilHolds(() => quarantines(target.dir).length > 0);
    socket.destroy();
    await untilHolds(() => quarantines(target.dir).length === 0);
    expect(quarantines(target.dir)).toEqual([]);
    expect(await refsIn(target.dir)).toBe("");
    await isSound(target.dir);
  });
});
