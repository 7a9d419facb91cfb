import { expect, test } from "bun:test";
import { nextTurn } from "../../src/kernel/next-turn.ts";
import { Buffers, ByteSender, takenOf } from "../../src/ssh/byte-sender.ts";

/** A sender, and what arrived of it, as the other side has it until it is done with it. */
function aSender(buffers = new Buffers()) {
  const arrived: Uint8Array<ArrayBuffer>[] = [];
  let rooms = 0;
  const sender = new ByteSender(
    buffers,
    // Handed over: the sender has no more of it.
    (chunk) => arrived.push(structuredClone(chunk, { transfer: [chunk.buffer] })),
    () => rooms++,
  );
  const bytes = () => Buffer.concat(arrived);
  return { sender, arrived, bytes, rooms: () => rooms };
}

test("pieces of any size arrive in their order, joined", async () => {
  const { sender, arrived, bytes } = aSender();
  const sizes = [1, 0, 4, 32_768, 7, 300_000, 131_072, 20_000, 15_000];
  const pieces = sizes.map((size) => crypto.getRandomValues(Buffer.alloc(Math.min(size, 65_536))).toString("hex"));
  const all = pieces.map((text, at) => Buffer.alloc(sizes[at] ?? 0, text));
  for (const piece of all) sender.add(piece);
  sender.flush();
  expect(bytes().equals(Buffer.concat(all))).toBe(true);
  expect(arrived.length).toBeLessThan(sizes.length);
  expect(sender.unsentBytes).toBe(bytes().length);
  for (const chunk of arrived) sender.taken(takenOf(chunk));
  expect(sender.unsentBytes).toBe(0);
});

test("small pieces go out by themselves, once everything else had its turn", async () => {
  const { sender, arrived, bytes } = aSender();
  for (const text of ["a", "b", "c"]) sender.add(Buffer.from(text));
  expect(arrived).toHaveLength(0);
  await nextTurn();
  expect({ messages: arrived.length, text: bytes().toString() }).toEqual({ messages: 1, text: "abc" });
});

test("whoever has a window full on the way is told when there is room, once", () => {
  const { sender, arrived, rooms } = aSender();
  const isFull = () => sender.isFull;
  while (!isFull()) sender.add(Buffer.alloc(65_536));
  expect(sender.unsentBytes).toBe(262_144);
  for (const chunk of arrived) sender.taken(takenOf(chunk));
  expect({ isFull: isFull(), rooms: rooms() }).toEqual({ isFull: false, rooms: 1 });
});

test("a buffer that came back is filled again, and says no more than was put into it", () => {
  const buffers = new Buffers();
  const { sender, arrived, bytes } = aSender(buffers);
  sender.add(Buffer.alloc(131_072, "x"));
  const [first] = arrived.splice(0);
  const taken = first && takenOf(first);
  if (!taken?.buffer) throw new Error("the buffer did not come back");
  sender.taken(taken);
  expect(buffers.take()).toBe(taken.buffer);
  buffers.giveBack(taken.buffer);
  sender.add(Buffer.alloc(20_000, "y"));
  sender.flush();
  expect(bytes().toString()).toBe("y".repeat(20_000));
});
