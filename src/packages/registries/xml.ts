import type { WorkerPool } from "../../workers/pool.ts";
import { run } from "./xml.job.ts";
import { textOfXml } from "./xml-texts.ts";

/** Longer texts are parsed by a worker: a megabyte takes fifty milliseconds. */
const SHORT_TEXT = 128 << 10;

/** What an XML document says, every scalar as a text. @returns undefined: it is none */
export async function readXml(pool: WorkerPool, bytes: Uint8Array): Promise<unknown> {
  let text: string;
  try {
    text = textOfXml(bytes);
  } catch {
    return undefined;
  }
  return text.length > SHORT_TEXT ? pool.run("packages.xml", { text }) : run({ text });
}
