import { type Static, Type } from "@sinclair/typebox";
import { time, whole } from "../http/fields.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Block } from "./service.ts";

export const BlockedUserResource = Type.Object(
  { block_id: whole("Number of the blocked account."), created_at: time("When it was blocked.") },
  { $id: "BlockedUser", description: "A block." },
);

export function blockedUserResource({ user, createdAt }: Block): Static<typeof BlockedUserResource> {
  return { block_id: user.id, created_at: rfc3339(createdAt) };
}
