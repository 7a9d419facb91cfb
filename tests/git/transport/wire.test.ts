/** The wire itself: the same requests to us and to `git upload-pack --stateless-rpc`, compared line by line. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ProtocolError } from "../../../src/git/errors.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { parseFilter } from "../../../src/git/pack-objects/filter.ts";
import { advertise } from "../../../src/git/transport/advertise.ts";
import { BodyTooLarge, BodyUndecodable, inflatedBody } from "../../../src/git/transport/body.ts";
import { answerDumb, type DumbFile, parseDumbPath } from "../../../src/git/transport/dumb.ts";
import { requestedVersion } from "../../../src/git/transport/protocol.ts";
import { lineOf, PacketList, PacketReader, packet, packetsOf } from "../../../src/git/wire/pktline.ts";
import { framedText } from "../../../src/git/wire/sideband.ts";
import { aRichHistory } from "./histories.ts";
import { aFolder, type GitServer, ok, refsOf, removeFolders, sourceOf, startServer } from "./server.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

let server: GitServer;
let dir: string;
const at = new Map<string, string>();
const UNKNOWN = ["1".repeat(40), "2".repeat(40)];

beforeAll(async () => {
  const root = aFolder();
  const source = await aRichHistory(join(root, "work"));
  await ok(root, "clone", "-q", "--mirror", source, "rich.git");
  dir = join(root, "rich.git");
  for (const setting of ["allowFilter", "allowReachableSHA1InWant", "allowRefInWant", "advertiseObjectInfo"])
    await ok(dir, "config", `uploadpack.${setting}`, "true");
  await ok(dir, "config", "transfer.advertiseObjectInfo", "true");
  server = startServer(root);
  for (const name of [
    "main",
    "main~1",
    "main~3",
    "main~6",
    "side/one",
    "unrelated",
    "v1",
    "main^{tree}",
    "main:README.md",
  ])
    at.set(name, await ok(dir, "rev-parse", name));
});
afterAll(() => {
  server.close();
  removeFolders();
});
const id = (name: string) => at.get(name)!;

/** What is said before the pack, as text; a pack is named `PACK` with its number of objects. */
function spoken(bytes: Uint8Array): string[] {
  const lines: string[] = [];
  const pack: Uint8Array[] = [];
  let packLine = -1;
  for (let from = 0; from < bytes.byteLength; ) {
    const rest = bytes.subarray(from);
    if (Buffer.from(rest.subarray(0, 4)).toString() === "PACK") {
      packLine = lines.push("") - 1;
      pack.push(rest);
      break;
    }
    const length = Number.parseInt(Buffer.from(rest.subarray(0, 4)).toString(), 16);
    const payload = rest.subarray(4, Math.max(4, length));
    if (length < 4) lines.push(["flush", "delim", "end"][length]!);
    else if (payload[0] === 1) {
      if (packLine < 0) packLine = lines.push("") - 1;
      pack.push(payload.subarray(1));
    } else if (payload[0]! > 3) lines.push(lineOf(payload));
    from += Math.max(4, length);
  }
  if (packLine >= 0) lines[packLine] = `PACK ${Buffer.concat(pack).readUInt32BE(8)}`;
  return lines;
}

async function ours(body: Uint8Array<ArrayBuffer>, version: string): Promise<string[]> {
  const response = await fetch(`${server.url}/rich.git/git-upload-pack`, {
    method: "POST",
    body,
    headers: { "git-protocol": `version=${version}` },
  });
  expect(response.status).toBe(200);
  return spoken(await response.bytes());
}

async function theirs(body: Uint8Array<ArrayBuffer>, version: string): Promise<string[]> {
  const child = Bun.spawn(["git", "upload-pack", "--stateless-rpc", dir], {
    env: { PATH: process.env["PATH"] ?? "", GIT_PROTOCOL: `version=${version}`, GIT_CONFIG_NOSYSTEM: "1", HOME: "/x" },
    stdin: body,
    stdout: "pipe",
    stderr: "ignore",
  });
  return spoken(new Uint8Array(await new Response(child.stdout).arrayBuffer()));
}

describe("version 0 speaks as git does", () => {
  const dialects = ["", "multi_ack", "multi_ack_detailed", "multi_ack_detailed no-done"];
  const side = " ofs-delta no-progress side-band-64k";
  const rounds: [name: string, steps: string[]][] = [
    ["a clone", ["done"]],
    ["one in common", ["main~3", "flush", "done"]],
    ["one in common, not done", ["main~3", "flush"]],
    ["nothing in common", ["?0", "flush", "done"]],
    ["nothing in common, not done", ["?0", "?1", "flush"]],
    ["some in common", ["?0", "main~6", "?1", "flush", "main~3", "done"]],
    ["some in common, not done", ["?0", "main~6", "?1", "flush"]],
    ["a tag in common", ["v1", "flush", "done"]],
    ["no flush", ["main~1", "?0", "done"]],
    ["all in common", ["main", "unrelated", "flush", "done"]],
  ];
  for (const dialect of dialects)
    for (const [name, steps] of rounds)
      test(`${dialect || "plain"}: ${name}`, async () => {
        const body = new PacketList()
          .line(`want ${id("main")} ${dialect}${side}\n`)
          .line(`want ${id("unrelated")}\n`)
          .flush();
        for (const step of steps) {
          if (step === "flush") body.flush();
          else if (step === "done") body.line("done\n");
          else body.line(`have ${step.startsWith("?") ? UNKNOWN[Number(step[1])] : id(step)}\n`);
        }
        const said = await ours(body.bytes(), "0");
        expect(said).toEqual(await theirs(body.bytes(), "0"));
      });

  const shallow: [name: string, lines: string[], clientShallow: string[]][] = [
    ["depth 1", ["deepen 1"], []],
    ["depth 3", ["deepen 3"], []],
    ["deeper than before", ["deepen 3"], ["main~1"]],
    ["all of it", ["deepen 2147483647"], ["main~3"]],
    ["since", [`deepen-since ${Date.UTC(2020, 0, 5) / 1000}`], []],
    ["not", ["deepen-not v1"], []],
  ];
  for (const [name, lines, clientShallow] of shallow)
    test(`shallow: ${name}`, async () => {
      const body = new PacketList().line(`want ${id("main")} multi_ack_detailed${side}\n`);
      for (const one of clientShallow) body.line(`shallow ${id(one)}\n`);
      for (const line of lines) body.line(`${line}\n`);
      const sorted = (all: string[]) => all.toSorted();
      for (const end of [body.flush().bytes(), new PacketList().raw(body.bytes()).line("done\n").bytes()])
        expect(sorted(await ours(end, "0"))).toEqual(sorted(await theirs(end, "0")));
    });

  test("without a side band the pack follows", async () => {
    const body = new PacketList()
      .line(`want ${id("unrelated")}\n`)
      .flush()
      .line("done\n")
      .bytes();
    expect(await ours(body, "0")).toEqual(["NAK", "PACK 3"]);
    const narrow = new PacketList()
      .line(`want ${id("main")} side-band\n`)
      .flush()
      .line("done\n")
      .bytes();
    expect(await ours(narrow, "1")).toEqual(await theirs(narrow, "1"));
  });
});

describe("version 2 speaks as git does", () => {
  const command = (name: string, args: string[]) => {
    const body = new PacketList()
      .line(`command=${name}\n`)
      .line("agent=test\n")
      .line("object-format=sha1\n")
      .delimiter();
    for (const arg of args) body.line(`${arg}\n`);
    return body.flush().bytes();
  };
  const same = async (name: string, ...args: string[]) => {
    const said = await ours(command(name, args), "2");
    expect(said).toEqual(await theirs(command(name, args), "2"));
    return said;
  };

  test("ls-refs", async () => {
    await same("ls-refs");
    await same("ls-refs", "peel", "symrefs", "unborn");
    await same("ls-refs", "peel", "ref-prefix refs/tags/");
    await same("ls-refs", "symrefs", "ref-prefix HEAD", "ref-prefix refs/heads/ma", "ref-prefix ma");
    await same("ls-refs", "ref-prefix refs/heads/side", "ref-prefix refs/notes/");
    expect(await same("ls-refs", "ref-prefix none")).toEqual(["flush"]);
  });

  test("fetch negotiates", async () => {
    const want = [`want ${id("main")}`, `want ${id("unrelated")}`];
    await same("fetch", "ofs-delta", ...want, "done");
    await same("fetch", "ofs-delta", ...want, `have ${UNKNOWN[0]}`);
    await same("fetch", "ofs-delta", ...want, `have ${id("main~3")}`, `have ${UNKNOWN[0]}`);
    await same("fetch", "ofs-delta", want[0]!, `have ${id("main~3")}`);
    await same("fetch", "ofs-delta", "wait-for-done", want[0]!, `have ${id("main~3")}`);
    await same("fetch", "ofs-delta", "thin-pack", ...want, `have ${id("main~3")}`, "done");
    await same("fetch", "ofs-delta", ...want, `have ${id("main")}`, "done");
  });

  test("fetch by ref, with cuts and filters", async () => {
    await same("fetch", "ofs-delta", "want-ref refs/heads/main", "done");
    await same("fetch", "ofs-delta", `want ${id("main")}`, "deepen 2", "done");
    await same(
      "fetch",
      "ofs-delta",
      `want ${id("main")}`,
      `shallow ${id("main~1")}`,
      "deepen 1",
      "deepen-relative",
      "done",
    );
    await same("fetch", "ofs-delta", `want ${id("main")}`, "filter blob:none", "done");
    await same("fetch", "ofs-delta", `want ${id("main")}`, "filter combine:blob:limit%3D1k+tree:3", "done");
    await same("fetch", "ofs-delta", "include-tag", `want ${id("side/one")}`, "done");
    await same("fetch", "ofs-delta", `want ${id("main:README.md")}`, `want ${id("main^{tree}")}`, "done");
  });

  test("object-info tells sizes, and only of what may be had", async () => {
    await same("object-info", "size", `oid ${id("main:README.md")}`, `oid ${id("main")}`);
    const lost = (await ok(dir, "commit-tree", "-m", "lost", "main^{tree}")).trim();
    expect(await ours(command("object-info", ["size", `oid ${lost}`]), "2")).toEqual(["size", `${lost} `, "flush"]);
  });

  test("mistakes are answered in words and without data", async () => {
    const wrong: [Uint8Array<ArrayBuffer>, string][] = [
      [command("frobnicate", []), "unknown command"],
      [command("fetch", ["nonsense"]), "unexpected line"],
      [command("fetch", [`want ${UNKNOWN[0]}`, "done"]), `not our ref ${UNKNOWN[0]}`],
      [command("fetch", ["want-ref refs/heads/none", "done"]), "unknown ref refs/heads/none"],
      [command("fetch", [`want ${id("main")}`, "deepen-not none", "done"]), "deepen-not"],
      [command("fetch", [`want ${id("main")}`, "deepen-since 4000000000", "done"]), "no commits selected"],
      [command("fetch", [`want ${id("main")}`, "filter sparse:oid=x", "done"]), "not supported"],
      [Buffer.from("00zz"), "bad line length"],
      [Buffer.from("0032want"), "ends inside a packet"],
    ];
    for (const [body, words] of wrong) {
      const said = await ours(body, "2");
      expect(said.join("\n")).toContain(words);
      expect(said[0]).toStartWith("ERR ");
      expect(said.join("\n")).not.toContain("PACK");
    }
  });
});

test("the advertisement names the same refs as git's", async () => {
  for (const service of ["git-upload-pack", "git-receive-pack"] as const) {
    const mine = spoken(
      Buffer.concat([...advertise({ service, version: 0, refs: sourceOf(refsOf(dir)), format: SHA1, http: false })]),
    );
    const listed = Bun.spawnSync([...service.replace("-", " ").split(" "), "--advertise-refs", dir]);
    const refs = (lines: string[]) => lines.map((line) => line.split("\0")[0]!);
    expect(refs(mine)).toEqual(refs(spoken(listed.stdout)));
  }
});

describe("packets", () => {
  test("come out of a stream in pieces of any size, and the rest after them", async () => {
    const bytes = new PacketList()
      .line("one\n")
      .line("")
      .flush()
      .delimiter()
      .line("x".repeat(65516))
      .raw(Buffer.from("PACKrest"))
      .bytes();
    for (const size of [1, 3, 5, 1000, 70_000]) {
      const pieces = async function* () {
        for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size);
      };
      const reader = new PacketReader(pieces());
      expect(lineOf(((await reader.next()) as { data: Uint8Array }).data)).toBe("one");
      expect(await reader.next()).toEqual({ kind: "data", data: new Uint8Array(0) });
      expect(await reader.next()).toEqual({ kind: "flush" });
      expect(await reader.next()).toEqual({ kind: "delimiter" });
      expect(((await reader.next()) as { data: Uint8Array }).data.length).toBe(65516);
      const rest: Uint8Array[] = [];
      for await (const piece of reader.rest()) rest.push(piece);
      expect(Buffer.concat(rest).toString()).toBe("PACKrest");
    }
  });

  test("that are malformed are refused", () => {
    for (const text of ["0003", "zzzz", "ffff", "00", "000", "0009abc", "fff1"])
      expect(() => [...packetsOf(Buffer.from(text))]).toThrow(ProtocolError);
    expect(() => packet("x".repeat(65517))).toThrow(RangeError);
  });

  test("of text for a person carry no control characters", () => {
    const [one] = [...packetsOf(framedText(2, "\x1b[2Jgone\u009b31m\x07 but\ttab\r\n", "side-band-64k"))];
    expect(Buffer.from((one as { data: Uint8Array }).data).toString()).toBe("\x02[2Jgone31m but\ttab\r\n");
  });
});

test("a protocol header counts when it is a list of keys and values", () => {
  for (const [header, version] of [
    ["version=2", 2],
    ["version=1", 1],
    ["version=0", 0],
    ["foo=bar:version=2", 2],
    ["version=1:version=2", 2],
    ["version=3", 0],
    ["version=2;x", 0],
    ["-version=2", 0],
    ["version=2:a=$(id)", 0],
    [null, 0],
  ] as const)
    expect([header, requestedVersion(header)]).toEqual([header, version]);
});

test("filters are read, and what is wrong with them is said", () => {
  expect(parseFilter("combine:blob:limit=2k+combine:tree:3%2Bblob:limit=1m")).toEqual({
    blobLimitBytes: 2048,
    treeDepth: 3,
    type: undefined,
  });
  for (const spec of [
    "",
    "blob:some",
    "blob:limit=-1",
    "tree:x",
    "sparse:oid=main:x",
    "object:type=x",
    "combine:%zz",
    `combine:${"tree:1+".repeat(40)}tree:1`,
  ])
    expect(() => parseFilter(spec)).toThrow(ProtocolError);
});

describe("bodies", () => {
  const read = async (bytes: Uint8Array, encoding: string | null, limit = 1 << 20) => {
    const pieces = async function* () {
      for (let from = 0; from < bytes.length; from += 1000) yield bytes.slice(from, from + 1000);
    };
    const out: Uint8Array[] = [];
    for await (const piece of inflatedBody(pieces(), encoding, limit)) out.push(piece);
    return Buffer.concat(out);
  };
  const text = Buffer.from("some text ".repeat(5000));

  test("are inflated when they say so", async () => {
    expect(await read(text, null)).toEqual(text);
    expect(await read(gzipSync(text), "gzip")).toEqual(text);
    expect(await read(gzipSync(text), "x-gzip")).toEqual(text);
  });

  test("that are not what they say, or grow too large, are refused", async () => {
    expect(read(Buffer.from("certainly not gzip"), "gzip")).rejects.toThrow(BodyUndecodable);
    expect(read(gzipSync(text).subarray(0, 100), "gzip")).rejects.toThrow(BodyUndecodable);
    expect(read(text, "br")).rejects.toThrow(BodyUndecodable);
    expect(read(gzipSync(Buffer.alloc(50 << 20)), "gzip")).rejects.toThrow(BodyTooLarge);
    expect(read(text, null, 1000)).rejects.toThrow(BodyTooLarge);
  });
});

describe("plain files", () => {
  test("are named by what they are and by nothing else", () => {
    const pack = "a".repeat(40);
    const named: [string, DumbFile][] = [
      ["HEAD", { kind: "head" }],
      ["info/refs", { kind: "info-refs" }],
      ["objects/info/packs", { kind: "pack-list" }],
      [`objects/aa/${"a".repeat(38)}`, { kind: "loose-object", oid: pack }],
      [`objects/pack/pack-${pack}.pack`, { kind: "pack", packId: pack }],
      [`objects/pack/pack-${pack}.idx`, { kind: "pack-index", packId: pack }],
    ];
    for (const [path, file] of named) expect(parseDumbPath(path)).toEqual(file);
    for (const path of [
      "config",
      "objects/info/alternates",
      "objects/info/http-alternates",
      "../HEAD",
      "objects/info/../../config",
      "objects\\info\\packs",
      `objects/pack/pack-${pack}.keep`,
      "objects/aa/..",
      "HEAD/",
      "/HEAD",
      `objects/AA/${"a".repeat(38)}`,
      "packed-refs",
      "refs/heads/main",
      "HEAD\n",
    ])
      expect(parseDumbPath(path)).toBeUndefined();
  });

  test("are what real git clones from over the plain protocol", async () => {
    const refs = refsOf(dir);
    const objects = ObjectStore.open(dir);
    // Some packs may be had whole; what is in the others comes object by object.
    const packs = new Set(
      objects
        .packs()
        .map(({ name }) => name)
        .slice(1),
    );
    const reach = { has: () => true, packs: () => packs };
    const plain = Bun.serve({
      port: 0,
      fetch(request) {
        const file = parseDumbPath(new URL(request.url).pathname.slice("/x.git/".length));
        const answer = file && answerDumb(dir, file, sourceOf(refs), reach, objects);
        if (!answer) return new Response("not found", { status: 404 });
        const { content } = answer;
        if ("head" in content) throw new Error("nothing here is so large");
        return new Response("bytes" in content ? content.bytes.slice() : Bun.file(content.path), {
          headers: { "content-type": answer.contentType },
        });
      },
    });
    try {
      const copy = aFolder();
      await ok(copy, "clone", "-q", "--mirror", `http://localhost:${plain.port}/x.git`, "c");
      const listed = (where: string) => ok(where, "for-each-ref");
      expect(await listed(join(copy, "c"))).toBe(await listed(dir));
      await ok(join(copy, "c"), "fsck", "--strict");
    } finally {
      plain.stop(true);
      objects.close();
    }
  });
});
