import { readFileSync } from "node:fs";
import { decodeName } from "../../src/git/objects/names.ts";

/**
 * The last words of the command line as typed. The runtime provides them as text, which loses bytes that are not UTF-8
 * (such as in a file name of an older encoding); the system still has them.
 */
export function typedWords(given: readonly string[]): readonly string[] {
  if (!given.some((word) => word.includes("\ufffd"))) return given;
  let line: Uint8Array;
  try {
    line = readFileSync("/proc/self/cmdline");
  } catch {
    // Not on Linux.
    return given;
  }
  const words: string[] = [];
  for (let from = 0; from < line.length; ) {
    const end = line.indexOf(0, from);
    words.push(decodeName(line, from, end));
    from = end + 1;
  }
  return words.slice(-given.length);
}
