import type { JobContext } from "../../workers/job.ts";
import type { Oid } from "../objects/types.ts";
import { fetchLocally, type LocallyFetched } from "./local-fetch.ts";

export interface LocalFetchInput {
  /** The bare repository to copy from, and the one to copy to. */
  readonly fromDir: string;
  readonly repoDir: string;
  readonly tips: readonly Oid[];
  readonly connectedTo: readonly Oid[];
}

export function run(
  { fromDir, repoDir, tips, connectedTo }: LocalFetchInput,
  context: Pick<JobContext, "signal" | "crash">,
): Promise<LocallyFetched> {
  return fetchLocally(fromDir, repoDir, { tips, connectedTo, signal: context.signal, crashPoint: context.crash });
}
