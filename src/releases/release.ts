import { type Call, param } from "../http/route.ts";
import { seenRepo } from "../repos/subject.ts";
import type { ReleaseService } from "./service.ts";
import type { Release } from "./types.ts";

/** The release named by `:id` in the path. @throws NotFound */
export function releaseOf({ releases }: { readonly releases: ReleaseService }, call: Call): Release {
  const id = param(call, "id");
  return releases.get(seenRepo(call), /^\d{1,15}$/.test(id) ? Number(id) : 0);
}
