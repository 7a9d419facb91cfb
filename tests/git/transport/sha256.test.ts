/** A server of repositories whose ids are made by SHA-256, with real git as its client in every protocol version. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { answerDumb, parseDumbPath } from "../../../src/git/transport/dumb.ts";
import { PacketList } from "../../../src/git/wire/pktline.ts";
import { buildHistory, gitText } from "../objects/real-git.ts";
import { commitAll, write } from "./histories.ts";
import {
  aFolder,
  type GitServer,
  git,
  ok,
  reachableObjects,
  refsOf,
  removeFolders,
  sourceOf,
  startServer,
} from "./server.ts";

setDefaultTimeout(600_000);

let server: GitServer;

beforeAll(() => {
  const root = aFolder();
  buildHistory(join(root, "full.git"), 60, 5, "sha256");
  server = startServer(root);
});
afterAll(() => {
  server.close();
  removeFolders();
});

describe.each([0, 1, 2])("in protocol version %d", (version) => {
  const protocol = ["-c", `protocol.version=${version}`];

  test("clones, shallow and partial ones, and fetches are whole", async () => {
    const root = aFolder();
    const url = `${server.url}/full.git`;
    const wanted = await reachableObjects(join(server.root, "full.git"));
    await ok(root, ...protocol, "clone", "-q", "--mirror", url, "whole.git");
    expect(await reachableObjects(join(root, "whole.git"))).toEqual(wanted);
    await ok(join(root, "whole.git"), "fsck", "--strict");

    await ok(root, ...protocol, "clone", "-q", "--depth=3", url, "shallow");
    expect(await ok(join(root, "shallow"), "rev-list", "--count", "--first-parent", "HEAD")).toBe("3");
    await ok(join(root, "shallow"), ...protocol, "fetch", "-q", "--deepen=4");
    await ok(join(root, "shallow"), ...protocol, "fetch", "-q", "--unshallow");
    await ok(join(root, "shallow"), "fsck", "--strict");

    await ok(root, ...protocol, "clone", "-q", "--filter=blob:none", url, "partial");
    await ok(join(root, "partial"), ...protocol, "log", "-p", "-5", "--format=%H");
    rmSync(root, { recursive: true });
  });

  test("pushes, and fetches what others pushed", async () => {
    const root = aFolder();
    const name = `pushed-${version}.git`;
    await ok(server.root, "init", "-q", "--bare", "--object-format=sha256", name);
    const url = `${server.url}/${name}`;
    const [one, two] = [join(root, "one"), join(root, "two")];
    await ok(root, "init", "-q", "--object-format=sha256", "one");
    for (let at = 0; at < 6; at++) {
      write(one, `d${at % 2}/file.txt`, Array.from({ length: 300 + at }, (_, line) => `line ${line}`).join("\n"));
      await commitAll(one, `change ${at}`, at);
    }
    await ok(one, "tag", "-a", "-m", "first", "v1", "HEAD~2");
    await ok(one, ...protocol, "push", "-q", url, "HEAD:refs/heads/main", "v1");
    await ok(root, ...protocol, "clone", "-q", url, "two");
    write(two, "d0/file.txt", Array.from({ length: 305 }, (_, line) => `line ${line}`).join("\n"));
    await commitAll(two, "by another", 10);
    await ok(two, ...protocol, "push", "-q", "origin", "HEAD:main", "HEAD:refs/heads/side");
    await ok(one, ...protocol, "fetch", "-q", url, "+refs/heads/*:refs/remotes/o/*");
    expect(await ok(one, "rev-parse", "o/side")).toBe(await ok(two, "rev-parse", "HEAD"));
    await ok(two, ...protocol, "push", "-q", "origin", "--delete", "side");
    await ok(join(server.root, name), "fsck", "--strict", "--no-dangling");
    expect(gitText(["-C", join(server.root, name), "for-each-ref", "--format=%(refname)"])).toBe(
      "refs/heads/main\nrefs/tags/v1",
    );
  });

  test("an empty repository says its format", async () => {
    const name = `empty-${version}.git`;
    await ok(server.root, "init", "-q", "--bare", "--object-format=sha256", name);
    // git 2.39 clones any empty repository as one of SHA-1, from its own server, too.
    expect((await git(aFolder(), [...protocol, "clone", "-q", `${server.url}/${name}`, "c"])).code).toBe(0);
    for (const service of ["git-upload-pack", "git-receive-pack"]) {
      const answer = await fetch(`${server.url}/${name}/info/refs?service=${service}`, {
        headers: { "git-protocol": `version=${version}` },
      });
      expect(await answer.text()).toContain("object-format=sha256");
    }
  });

  test("a client of the other format is refused in words", async () => {
    const root = aFolder();
    await ok(root, "init", "-q", "old");
    const old = join(root, "old");
    write(old, "a", "a");
    await commitAll(old, "first", 0);
    const url = `${server.url}/full.git`;
    const pushed = await git(old, [...protocol, "push", url, "HEAD:refs/heads/old"]);
    expect(pushed.code).not.toBe(0);
    expect(pushed.err).toMatch(/hash algorithm|object format|mismatched algorithms/);
    const fetched = await git(old, [...protocol, "fetch", url]);
    expect(fetched.code).not.toBe(0);
    expect(fetched.err).toMatch(/hash algorithm|object format|mismatched algorithms/);
  });
});

describe("by hand", () => {
  test("plain files are named by long ids", () => {
    const refs = sourceOf(refsOf(join(server.root, "full.git")));
    const id = "ab".repeat(32);
    expect(parseDumbPath(`objects/ab/${id.slice(2)}`)).toEqual({ kind: "loose-object", oid: id });
    expect(parseDumbPath(`objects/pack/pack-${id}.idx`)).toEqual({ kind: "pack-index", packId: id });
    expect(parseDumbPath(`objects/ab/${id.slice(4)}`)).toBeUndefined();
    const store = ObjectStore.open(join(server.root, "full.git"));
    const answer = answerDumb(
      join(server.root, "full.git"),
      { kind: "info-refs" },
      refs,
      { has: () => true, packs: () => new Set() },
      store,
    );
    store.close();
    const text = answer && "bytes" in answer.content ? Buffer.from(answer.content.bytes).toString() : "";
    expect(text).toMatch(/^[0-9a-f]{64}\trefs\/heads\/main\n/);
  });

  const post = async (service: string, body: Uint8Array<ArrayBuffer>, version?: number) => {
    const answer = await fetch(`${server.url}/full.git/${service}`, {
      method: "POST",
      body,
      headers: version === undefined ? {} : { "git-protocol": `version=${version}` },
    });
    return answer.text();
  };
  const words = "mismatched object format: server sha256; client sha1";

  test("version 2 without a format, or with another, is refused", async () => {
    const command = (...lines: string[]) => {
      const list = new PacketList().line("command=ls-refs\n");
      for (const line of lines) list.line(line);
      return list.delimiter().flush().bytes();
    };
    expect(await post("git-upload-pack", command(), 2)).toContain(words);
    expect(await post("git-upload-pack", command("object-format=sha1\n"), 2)).toContain(words);
    expect(await post("git-upload-pack", command("object-format=sha256\n"), 2)).toContain("refs/heads/main");
    const fetching = new PacketList().line("command=fetch\n").delimiter().line("done\n").flush().bytes();
    expect(await post("git-upload-pack", fetching, 2)).toContain(words);
  });

  test("version 0 that names another format is refused", async () => {
    const head = gitText(["-C", join(server.root, "full.git"), "rev-parse", "main"]);
    const want = (capabilities: string) =>
      new PacketList().line(`want ${head} ${capabilities}\n`).flush().line("done\n").bytes();
    expect(await post("git-upload-pack", want("object-format=sha1"))).toContain(words);
    expect(await post("git-upload-pack", want("ofs-delta"))).toContain("PACK");
    const short = new PacketList()
      .line(`want ${head.slice(0, 40)}\n`)
      .flush()
      .line("done\n")
      .bytes();
    expect(await post("git-upload-pack", short)).toContain("not our ref");
  });

  test("pushes that name another format, none, or ids of it are refused", async () => {
    const push = (id: string, capabilities: string) =>
      new PacketList()
        .line(`${"0".repeat(id.length)} ${id} refs/heads/x\0${capabilities}\n`)
        .flush()
        .bytes();
    const long = "a".repeat(64);
    expect(await post("git-receive-pack", push("a".repeat(40), "report-status side-band-64k"))).toContain(words);
    expect(await post("git-receive-pack", push(long, "report-status"))).toContain(words);
    expect(await post("git-receive-pack", push("a".repeat(40), "object-format=sha256"))).toContain(
      "expected old/new/ref",
    );
  });
});
