import { type Static, Type } from "@sinclair/typebox";
import type { Principal } from "../../access/principal.ts";
import { text, time } from "../../http/fields.ts";
import { UserResource } from "../../identity/resource.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { Services } from "../../services.ts";
import { peopleOf } from "../comments/resource.ts";
import type { Reaction } from "./store.ts";

export const ReactionResource = Type.Object(
  {
    user: UserResource,
    content: text("Short name of an emoji."),
    created_at: time("When it was added."),
  },
  { $id: "Reaction", description: "A reaction to an item or a comment." },
);
export type ReactionResource = Static<typeof ReactionResource>;

export function reactionResources(
  services: Services,
  viewer: Principal,
  reactions: readonly Reaction[],
): ReactionResource[] {
  const person = peopleOf(
    services,
    viewer,
    reactions.map(({ userId }) => userId),
  );
  return reactions.map(({ content, createdAt, userId }) => ({
    user: person(userId),
    content,
    created_at: rfc3339(createdAt),
  }));
}
