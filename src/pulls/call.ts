import { type Call, param } from "../http/route.ts";
import { seenRepo } from "../repos/subject.ts";
import type { PullService } from "./service.ts";
import type { SeenPull } from "./types.ts";

/** A number in the path; for anything else 0, which no item has. */
export function numberIn(call: Call, name: string): number {
  const text = param(call, name);
  return /^\d{1,15}$/.test(text) ? Number(text) : 0;
}

/** The pull request named by `:index` in the path. @throws NotFound, Forbidden */
export function seenPull(call: Call, pulls: PullService): SeenPull {
  return pulls.see(seenRepo(call), numberIn(call, "index"));
}

/** The number and extension of `12.diff`. */
export function numberedFile(call: Call): { readonly number: number; readonly ending: string } | undefined {
  const [, number, ending] = /^(\d{1,15})\.(diff|patch)$/.exec(param(call, "index")) ?? [];
  return number === undefined || ending === undefined ? undefined : { number: Number(number), ending };
}
