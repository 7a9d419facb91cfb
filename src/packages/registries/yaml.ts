import type { WorkerPool } from "../../workers/pool.ts";
import { textsOfYaml } from "./yaml-texts.ts";

/** Longer texts are parsed by a worker: a kilobyte takes up to two milliseconds. */
const SHORT_TEXT = 4096;

/** What a YAML document says, every scalar as a text. @returns undefined: it is none */
export async function readYaml(pool: WorkerPool, bytes: Uint8Array): Promise<unknown> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
  return text.length <= SHORT_TEXT ? textsOfYaml(text) : pool.run("packages.yaml", { text });
}
