import type { Contexts, NeedResult } from "./types.ts";

export function run({
  contexts,
  jobs,
  source,
}: {
  readonly source: string;
  readonly contexts: Contexts;
  readonly jobs: Readonly<Record<string, NeedResult>>;
}): Record<string, string> {
  throw new Error(`${source}${contexts}${jobs}`);
}
