import { expect, test } from "bun:test";
import { failWhenStalled } from "../../../src/git/transport/stall-timeout.ts";

test("a body that falls silent is given up, one that goes on is read to its end", async () => {
  async function* talking() {
    for (let at = 0; at < 5; at++) yield new Uint8Array([at]);
  }
  const read = async (body: AsyncIterable<Uint8Array>, stallTimeoutMs: number) => {
    const bytes: number[] = [];
    for await (const piece of failWhenStalled(body, stallTimeoutMs)) bytes.push(...piece);
    return bytes;
  };
  expect(await read(talking(), 1000)).toEqual([0, 1, 2, 3, 4]);
  const silent = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new Uint8Array(3)) });
  expect(read(silent, 20)).rejects.toThrow("the request's body stopped coming");
  // A byte at a time, each of them in time.
  async function* trickling() {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      yield new Uint8Array(1);
    }
  }
  await expect(read(trickling(), 50)).rejects.toThrow("the request's body stopped coming");
  const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("gone")) });
  expect(read(broken, 1000)).rejects.toThrow("gone");
});
