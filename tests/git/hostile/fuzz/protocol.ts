import { gzipSync } from "node:zlib";
import { Commits } from "../../../../src/git/graph/commits.ts";
import { SHA1 } from "../../../../src/git/objects/format.ts";
import { ObjectStore } from "../../../../src/git/odb/store.ts";
import { ingestPack } from "../../../../src/git/receive/ingest.ts";
import { discard } from "../../../../src/git/receive/quarantine.ts";
import { FolderRefs } from "../../../../src/git/refs/folder.ts";
import { inflatedBody } from "../../../../src/git/transport/body.ts";
import { readPushRequest } from "../../../../src/git/transport/receive/request.ts";
import { RefLines } from "../../../../src/git/transport/ref-lines.ts";
import { RefSnapshot } from "../../../../src/git/transport/ref-snapshot.ts";
import { answerFetch } from "../../../../src/git/transport/upload/answer.ts";
import { lsRefs, parseLsRefs } from "../../../../src/git/transport/upload/ls-refs.ts";
import { parseV2 } from "../../../../src/git/transport/upload/request.ts";
import { PacketReader, packetsOf } from "../../../../src/git/wire/pktline.ts";
import { pieces } from "../../receive/packs.ts";
import type { Templates } from "./folders.ts";
import { aPack } from "./packs.ts";
import { type Choice, type FuzzTarget, mutated } from "./target.ts";

function line(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

const NUMBERS = ["0", "1", "-1", "2147483647", "99999999999999999999", "1e9", "x", ""];

function argument(choice: Choice, oids: readonly string[]): Buffer {
  const special = choice.below(20);
  if (special < 3) return Buffer.from(choice.of(["0000", "0001", "0002", "0003", "0004", "fff1", "zzzz", "00"]));
  const oid = choice.onceIn(6)
    ? choice.text("0123456789abcdefABCDEFg", choice.of([0, 39, 40, 41, 64]))
    : choice.of(oids);
  const text = choice.of([
    `want ${oid}`,
    `want ${oid} multi_ack side-band-64k thin-pack ofs-delta filter no-done`,
    `have ${oid}`,
    `shallow ${oid}`,
    `deepen ${choice.of(NUMBERS)}`,
    `deepen-since ${choice.of(NUMBERS)}`,
    `deepen-not ${choice.of(["main", "v1", "x", oid])}`,
    `filter ${choice.of(["blob:none", "blob:limit=1k", "tree:0", "tree:999999", "sparse:oid=x", "combine:blob:none+tree:1", `combine:${"combine:".repeat(50)}tree:0`, ""])}`,
    "done",
    "thin-pack",
    "ofs-delta",
    "include-tag",
    "no-progress",
    "wait-for-done",
    "sideband-all",
    `want-ref ${choice.of(["refs/heads/main", "x", ""])}`,
    "peel",
    "symrefs",
    `ref-prefix ${choice.of(["refs/", "", "HEAD"])}`,
    `oid ${oid}`,
    "size",
    "agent=x",
    "object-format=sha1",
    "object-format=sha256",
    "command=fetch",
    "deepen-relative",
  ]);
  return line(choice.onceIn(3) ? text : `${text}\n`);
}

function fetchRequest(choice: Choice, oids: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  if (choice.onceIn(2))
    parts.push(
      line(`command=${choice.of(["fetch", "fetch", "ls-refs", "object-info", "x"])}\n`),
      Buffer.from(choice.of(["0001", "0001", "0000", "0002"])),
    );
  for (let k = choice.below(12); k > 0; k--) parts.push(argument(choice, oids));
  if (!choice.onceIn(3)) parts.push(line("done\n"));
  if (!choice.onceIn(3)) parts.push(Buffer.from("0000"));
  const body = Buffer.concat(parts);
  return choice.onceIn(3) ? mutated(choice, body) : body;
}

function pushRequest(choice: Choice, oids: readonly string[]): Buffer {
  const name = () =>
    choice.of([
      "refs/heads/x",
      "refs/heads/../x",
      "x",
      "",
      "refs/heads/\xff",
      "HEAD",
      "refs/heads/a b",
      "refs/tags/x.lock",
    ]);
  const oid = () => (choice.onceIn(3) ? SHA1.zeroOid : choice.of(oids));
  const parts = Array.from({ length: choice.below(4) }, (_, i) =>
    line(
      `${oid()} ${oid()} ${name()}${i === 0 ? "\0report-status-v2 side-band-64k atomic push-options object-format=sha1 agent=x" : ""}${choice.of(["", "\n"])}`,
    ),
  );
  if (choice.onceIn(5)) parts.push(line(choice.of(["push-cert\0x\n", `shallow ${oid()}`, "x"])));
  parts.push(Buffer.from("0000"));
  if (choice.onceIn(2)) parts.push(line("an option\n"), Buffer.from("0000"));
  parts.push(aPack(choice));
  const body = Buffer.concat(parts);
  return choice.onceIn(4) ? mutated(choice, body) : body;
}

/** The body as HTTP brings it: plain, or gzip, sound or not. */
function decoded(choice: Choice, body: Buffer): AsyncGenerator<Uint8Array> {
  const piece = choice.of([1, 13, 65536]);
  if (choice.onceIn(2)) return inflatedBody(pieces(body, piece), null, 2 ** 20);
  const zipped = gzipSync(body);
  return inflatedBody(pieces(choice.onceIn(2) ? mutated(choice, zipped) : zipped, piece), "gzip", 2 ** 20);
}

export function protocolTargets({ packed, oids }: Templates): FuzzTarget[] {
  const snapshot = RefSnapshot.of(new FolderRefs(packed).list());
  return [
    {
      name: "a fetch request",
      async run(choice) {
        const parts: Uint8Array[] = [];
        for await (const part of decoded(choice, fetchRequest(choice, oids))) parts.push(part);
        const body = Buffer.concat(parts);
        const version = choice.of([0, 1, 2] as const);
        if (version === 2) {
          const command = parseV2(body, SHA1);
          if (!command) return;
          if (command.command === "ls-refs") {
            for (const piece of lsRefs(parseLsRefs(command.args), snapshot, "refs/heads/main")) void piece;
            return;
          }
        }
        let bytes = 0;
        const store = ObjectStore.open(packed);
        try {
          await answerFetch(
            { repoDir: packed, version, body, refs: new RefLines(snapshot.packets), head: "refs/heads/main" },
            { store, commits: Commits.open(packed, store) },
            async (piece) => {
              bytes += piece.byteLength;
            },
          );
        } finally {
          store.close();
        }
        if (bytes > 50_000_000) throw new Error("an answer larger than the repository");
      },
    },
    {
      name: "a push request",
      async run(choice, folder) {
        const reader = new PacketReader(decoded(choice, pushRequest(choice, oids)));
        const request = await readPushRequest(reader, SHA1);
        if (!request) return;
        const repoDir = `${folder}/r.git`;
        const { initRepository } = await import("../../../../src/git/odb/write.ts");
        initRepository(repoDir, { defaultBranch: "main" });
        ObjectStore.open(repoDir).close();
        const newTips = request.commands.flatMap(({ newOid }) => newOid ?? []);
        discard(await ingestPack({ repoDir, pack: reader.rest(), newTips, connectedTo: [], strict: true }));
      },
    },
    {
      name: "packets",
      async run(choice) {
        const bytes = mutated(choice, Buffer.concat(Array.from({ length: 8 }, () => argument(choice, oids))));
        const reader = new PacketReader(pieces(bytes, choice.of([1, 3, 1000])));
        try {
          while ((await reader.next()) !== undefined);
        } finally {
          await reader.cancel();
        }
        for (const packet of packetsOf(bytes)) void packet;
      },
    },
  ];
}
