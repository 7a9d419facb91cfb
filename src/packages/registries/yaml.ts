import type { WorkerPool } from "../../workers/pool.ts";
import { jsonOfYaml, textsOfYaml } from "./yaml-texts.ts";

/** Longer texts are parsed in a worker: a kilobyte takes up to two milliseconds. */
const SHORT_TEXT = 4096;

/** Parses a YAML document, with every scalar as a string, or as JSON values. @returns undefined if it is invalid */
export async function readYaml(pool: WorkerPool, bytes: Uint8Array, as: "json" | "texts" = "texts"): Promise<unknown> {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
  if (text.length > SHORT_TEXT) return pool.run("packages.yaml", { as, text });
  return as === "json" ? jsonOfYaml(text) : textsOfYaml(text);
}
