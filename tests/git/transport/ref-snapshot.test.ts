import { describe, expect, test } from "bun:test";
import { compareRefNames } from "../../../src/git/refs/names.ts";
import type { Ref } from "../../../src/git/refs/types.ts";
import { RefLines } from "../../../src/git/transport/ref-lines.ts";
import { RefSnapshot } from "../../../src/git/transport/ref-snapshot.ts";
import { lsRefs } from "../../../src/git/transport/upload/ls-refs.ts";
import { packet } from "../../../src/git/wire/pktline.ts";
import { newSeed, random } from "../../random.ts";

const seed = newSeed();
const chance = random(seed);
const below = (most: number) => Math.floor(chance() * most);
const anOid = () => Array.from({ length: 40 }, () => below(16).toString(16)).join("");

/** Names that share beginnings, some beyond ASCII and beyond the basic plane, one that ends like an id. */
function someRefs(count: number): Ref[] {
  const words = ["a", "ab", "b", "é", "éa", "\u{1f600}", "\uffee", "main"];
  const names = new Set<string>();
  while (names.size < count) {
    const parts = Array.from({ length: 1 + below(3) }, () => words[below(words.length)]! + below(20));
    names.add(`refs/${below(2) === 0 ? "heads" : "tags"}/${parts.join("/")}`);
  }
  names.add(`refs/tags/${"0".repeat(40)}`);
  return [...names]
    .sort(compareRefNames)
    .map((name) =>
      below(3) === 0 || name.endsWith("00000") ? { name, oid: anOid(), peeled: anOid() } : { name, oid: anOid() },
    );
}

/** The answer as the protocol describes it, a packet at a time. */
function expected(refs: readonly Ref[], head: string, prefixes: readonly string[], peel: boolean): string {
  const wanted = (name: string) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix));
  const lines = refs.filter(({ name }) => wanted(name)).map((ref) => ({ ...ref, extra: "" }));
  const born = refs.find(({ name }) => name === head);
  if (born && wanted("HEAD")) lines.unshift({ name: "HEAD", oid: born.oid, extra: ` symref-target:${head}` });
  const packets = lines.map(({ oid, name, peeled, extra }) =>
    packet(`${oid} ${name}${extra}${peel && peeled ? ` peeled:${peeled}` : ""}\n`),
  );
  return Buffer.concat([...packets, Buffer.from("0000")]).toString();
}

describe("all refs of a repository at one moment", () => {
  // More than one segment of them.
  const refs = someRefs(900);
  const snapshot = RefSnapshot.of(refs);

  test(`any prefixes list what begins with them, each once, in order (seed ${seed})`, () => {
    for (let round = 0; round < 300; round++) {
      const prefixes = Array.from({ length: below(5) }, () => {
        const letters = [...(below(8) === 0 ? "HEAD" : refs[below(refs.length)]!.name)];
        return letters.slice(0, below(letters.length + 1)).join("");
      });
      const head = below(4) === 0 ? "refs/heads/unborn" : refs[below(refs.length)]!.name;
      const peel = below(2) === 0;
      const answer = lsRefs({ peel, symrefs: true, unborn: false, prefixes }, snapshot, head);
      expect(Buffer.concat([...answer]).toString()).toBe(expected(refs, head, prefixes, peel));
    }
  });

  test("a worker reads the same refs from the packets", () => {
    const lines = new RefLines(snapshot.packets);
    expect(lines.all()).toEqual(refs);
    expect([...lines.tags()]).toEqual(refs.flatMap(({ oid, peeled }) => (peeled ? [{ oid, peeled }] : [])));
    for (const ref of refs) {
      expect(lines.names(ref.oid)).toBe(true);
      if (ref.peeled) expect(lines.names(ref.peeled)).toBe(true);
    }
    for (let round = 0; round < 50; round++) expect(lines.names(anOid())).toBe(false);
    expect(lines.names("0".repeat(40))).toBe(false);
  });

  test(`carried on through changes it is the one that would be made from the rows (seed ${seed})`, () => {
    let rows = new Map(refs.map((ref) => [ref.name, ref]));
    let carried = snapshot;
    const others = someRefs(900);
    for (let round = 0; round < 60; round++) {
      const changed = new Map<string, Ref | undefined>();
      const changes = below(5) === 0 ? 400 : 1 + below(5);
      for (let at = 0; at < changes; at++) {
        const known = [...refs, ...others][below(refs.length + others.length)]!;
        changed.set(known.name, below(3) === 0 ? undefined : { name: known.name, oid: anOid() });
      }
      rows = new Map(rows);
      for (const [name, ref] of changed)
        if (ref) rows.set(name, ref);
        else rows.delete(name);
      carried = carried.with(changed);
      const made = RefSnapshot.of([...rows.values()].sort((a, b) => compareRefNames(a.name, b.name)));
      expect(carried.refs).toEqual(made.refs);
      for (const framing of ["plain", "peeled", "dereferenced"] as const)
        expect(Buffer.concat(carried.packetsBelow([""], framing))).toEqual(
          Buffer.concat(made.packetsBelow([""], framing)),
        );
      expect(new Set(carried.tips.split("\n"))).toEqual(new Set(made.refs.map(({ oid, peeled }) => peeled ?? oid)));
      const [hidden] = ["refs/heads/a", "refs/tags/", "refs/heads/\u{1f600}", "refs/", "refs/none/"].slice(below(5));
      expect(carried.without(hidden!).refs).toEqual(made.refs.filter(({ name }) => !name.startsWith(hidden!)));
      for (const { name } of [refs[below(refs.length)]!, others[below(others.length)]!])
        expect(carried.find(name)).toEqual(rows.get(name));
    }
    const none = carried.with(new Map([...rows.keys()].map((name) => [name, undefined])));
    expect(none.refs).toEqual([]);
    expect(none.with(new Map([[refs[0]!.name, refs[0]!]])).refs).toEqual([refs[0]!]);
  });

  test("a change frames only what stands beside it anew", () => {
    const ref = refs[below(refs.length)]!;
    const before = snapshot.packetsBelow([""], "plain");
    const after = snapshot.with(new Map([[ref.name, { name: ref.name, oid: anOid() }]])).packetsBelow([""], "plain");
    const shared = after.filter((bytes) => before.some(({ buffer }) => buffer === bytes.buffer));
    expect(before.length).toBeGreaterThan(2);
    expect(shared.length).toBe(before.length - 1);
  });

  test("a repository without refs has nothing to list", () => {
    const none = RefSnapshot.of([]);
    const answer = lsRefs({ peel: true, symrefs: true, unborn: true, prefixes: [] }, none, "refs/heads/main");
    const line = packet("unborn HEAD symref-target:refs/heads/main\n");
    expect(Buffer.concat([...answer]).toString()).toBe(`${Buffer.from(line)}0000`);
    expect(new RefLines(none.packets).all()).toEqual([]);
  });
});
