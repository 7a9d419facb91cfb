import { expect, test } from "bun:test";
import { readSize, sizeText } from "../../src/kernel/size.ts";

const sizes = [
  [-1, "-1"],
  [0, "0"],
  [1, "1"],
  [1023, "1023"],
  [1024, "1K"],
  [1025, "1025"],
  [1536, "1536"],
  [10 * 1024 ** 3, "10G"],
  [10_000_000_000, "9765625K"],
  [5 * 1024 ** 5, "5P"],
] as const;

test.each(sizes)("%d bytes are written %s, which is read as so many", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
  expect(readSize(text)).toBe(bytes);
});
