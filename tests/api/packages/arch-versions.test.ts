import { expect, test } from "bun:test";
import { compareVersions } from "../../../src/packages/registries/arch/vercmp.ts";

/** As pacman's `vercmp` answers (contract packages.md 9.20). */

test.each([
  ["1.5.0", "1.5.0", 0],
  ["1.5.1", "1.5.0", 1],
  ["1.10", "1.9", 1],
  ["1.5.1", "1.5", 1],
  ["1.0-1", "1.0-2", -1],
  ["1.0-10", "1.0-9", 1],
  // A release counts where both have one.
  ["1.0", "1.0-5", 0],
  ["1.1-1", "1.1", 0],
  ["1.0rc1", "1.0", -1],
  ["1.0a", "1.0b", -1],
  ["1.0a", "1.0.1", -1],
  ["1.0beta", "1.0rc", -1],
  ["2.0a", "2.0.a", -1],
  ["1.0.", "1.0", 1],
  ["1.0..1", "1.0.1", 1],
  ["1.0-1", "1:0.1-1", -1],
  ["0:1.0-1", "1.0-1", 0],
  ["1:1.0-1", "0:1.0-2", 1],
  ["007", "7", 0],
  ["1.0+git", "1.0", 1],
  ["20001231234567890123", "20001231234567890124", -1],
])("%s and %s", (a, b, expected) => {
  expect([Math.sign(compareVersions(a, b)), Math.sign(compareVersions(b, a))]).toEqual([expected, 0 - expected]);
});
