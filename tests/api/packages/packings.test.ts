import { afterAll, describe, expect, test } from "bun:test";
import { BadRequest } from "../../../src/kernel/errors.ts";
import { xzipped } from "../../../src/packages/registries/archives/pack.ts";
import { type Packing, unpacked } from "../../../src/packages/registries/archives/unpack.ts";
import { WorkerPool } from "../../../src/workers/pool.ts";
import { newSeed, random } from "../../random.ts";

const pool = new WorkerPool({ bulk: 2, interactive: 1, idleMs: 1000 });
afterAll(() => pool.close());

const TEXT = "one two three\n".repeat(2000);
/** What `xz -6` makes of it, and `bzip2` of its two halves, one after the other. */
const packedTexts = {
  xz: "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4G1fAE9dADebiM524vTjZd79IVAZ4VMf70oFH7/f/KQnnRHM+kkdwvN/lwzoJJCq84Q5eieb3uByZaDAb7lhGGsyLDxSvA4oK334cadpLuSNZOgjAAAAAKHWX6sFdi36AAFr4NoBAABR35nBscRn+wIAAAAABFla",
  bzip2:
    "QlpoOTFBWSZTWaDfNDQAE4fRgAAQQAACQZSAIABwQZMQJqqD0nqd1IMqQdVSDKkHKkH1SD2pBtSDlSDakG1SDKkH4u5IpwoSFBvmhoBCWmg5MUFZJlNZoN80NAATh9GAABBAAAJBlIAgAHBBkxAmqoPSep3UgypB1VIMqQcqQfVIPakG1IOVINqQbVIMqQfi7kinChIUG+aGgA==",
} as const;
const packings = Object.keys(packedTexts) as (keyof typeof packedTexts)[];
const packed = (packing: keyof typeof packedTexts) => Buffer.from(packedTexts[packing], "base64");

async function read(content: Uint8Array<ArrayBuffer>, packing: Packing, maxBytes?: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of unpacked(new Blob([content]), packing, maxBytes, pool)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const refusal = (content: Uint8Array<ArrayBuffer>, packing: Packing, maxBytes?: number) =>
  read(content, packing, maxBytes).catch((error: unknown) => error);

describe.each(packings)("%s", (packing) => {
  test("is unpacked", async () => {
    expect((await read(packed(packing), packing)).toString()).toBe(TEXT);
  });

  test("is not unpacked beyond what is read of it", async () => {
    expect((await read(packed(packing), packing, TEXT.length)).byteLength).toBe(TEXT.length);
    expect(await refusal(packed(packing), packing, TEXT.length - 1)).toBeInstanceOf(BadRequest);
  });

  test("what is cut short or changed is refused, and what comes next is read", async () => {
    const whole = packed(packing);
    const second = whole.lastIndexOf("BZh");
    for (let end = 0; end < whole.byteLength - 1; end += 7)
      if (end !== second) expect(await refusal(whole.subarray(0, end), packing)).toBeInstanceOf(BadRequest);
    const changed = packed(packing);
    changed[60] = (changed[60] ?? 0) ^ 0xff;
    expect(await refusal(changed, packing)).toBeInstanceOf(BadRequest);
    expect((await read(whole, packing)).toString()).toBe(TEXT);
  });

  test("who wants only its beginning leaves the rest", async () => {
    for await (const chunk of unpacked(new Blob([packed(packing)]), packing, undefined, pool)) {
      expect(TEXT).toStartWith(Buffer.from(chunk).toString());
      break;
    }
    expect((await read(packed(packing), packing)).toString()).toBe(TEXT);
  });
});

describe("writing xz", () => {
  const seed = newSeed();
  const next = random(seed);
  const noise = (length: number) => Uint8Array.from({ length }, () => Math.floor(next() * 256));
  const text = (length: number) => Uint8Array.from({ length }, () => 97 + Math.floor(next() * 3));

  test.each([
    ["nothing", new Uint8Array(0)],
    ["a byte", new Uint8Array(1)],
    ["text", text(700_000)],
    ["what cannot be packed", noise(300_000)],
    ["both", Buffer.concat([text(100_000), noise(200_000), text(1)])],
  ])("%s comes back", async (_, content) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of xzipped(new Blob([content]), pool)) chunks.push(chunk);
    const written = Buffer.concat(chunks);
    expect(`${seed} ${Bun.hash(await read(written, "xz"))}`).toBe(`${seed} ${Bun.hash(content)}`);
    expect(written.byteLength).toBeLessThan(content.byteLength + 4096);
  });
});
