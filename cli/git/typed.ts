import { readFileSync } from "node:fs";
import { decodeName } from "../../src/git/objects/names.ts";

/**
 * The last words of a command line as they were typed. The runtime gives them as text, in which a byte that is no UTF-8
 * (a file of another age is called so) is lost; the system still has it.
 */
export function typedWords(given: readonly string[]): readonly string[] {
  if (!given.some((word) => word.includes("\ufffd"))) return given;
  let line: Uint8Array;
  try {
    line = readFileSync("/proc/self/cmdline");
  } catch {
    // Not a Linux.
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
