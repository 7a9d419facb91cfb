import { expect, test } from "bun:test";
import { inChunks } from "../../../src/git/archive/chunks.ts";

async function* of(...sizes: number[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let at = 0;
  for (const size of sizes) yield Uint8Array.from({ length: size }, () => at++ & 255);
}

test("fifty thousand small pieces are a few chunks, and none of their bytes is lost", async () => {
  const sizes = [...Array.from({ length: 50_000 }, (_, at) => at % 60), 1_000_000, 0, 3];
  const chunks = await Array.fromAsync(inChunks(of(...sizes)));
  expect(chunks.length).toBeLessThan(25);
  expect(Buffer.concat(chunks).equals(Buffer.concat(await Array.fromAsync(of(...sizes))))).toBe(true);
  expect(await Array.fromAsync(inChunks(of()))).toEqual([]);
});
