import type { WorkerPool } from "../../workers/pool.ts";
import { run } from "./xml.job.ts";
import { textOfXml } from "./xml-texts.ts";

/** Longer texts are parsed in a worker: a megabyte takes fifty milliseconds. */
const SHORT_TEXT = 128 << 10;

/** Parses an XML document, with every scalar as a string. @returns undefined if it is invalid */
export async function readXml(pool: WorkerPool, bytes: Uint8Array): Promise<unknown> {
  let text: string;
  try {
    text = textOfXml(bytes);
  } catch {
    return undefined;
  }
  return text.length > SHORT_TEXT ? pool.run("packages.xml", { text }) : run({ text });
}
