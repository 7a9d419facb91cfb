import { type Static, Type } from "@sinclair/typebox";
import type { Principal } from "../../access/principal.ts";
import { administersSite } from "../../access/requirements.ts";
import { text, time, whole, yesNo } from "../../http/fields.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { Services } from "../../services.ts";
import type { SshKey } from "../types.ts";

export const PublicKeyResource = Type.Object(
  {
    id: whole("Number of the key."),
    key: text("Type, base64 and comment."),
    url: text("API address of the key."),
    title: text("The name its owner gave it."),
    fingerprint: text("SHA256: and the hash of the key in base64."),
    created_at: time("When it was added."),
    last_used_at: time("Approximately when it was last used; when it was added if never."),
    user: Type.Optional(UserResource),
    read_only: Type.Optional(yesNo("Whether it gives only read access; absent if not.")),
    key_type: Type.Optional(text("user or deploy; for its owner and administrators.")),
  },
  { $id: "PublicKey", description: "A public SSH key." },
);
export type PublicKeyResource = Static<typeof PublicKeyResource>;

export const CreateKeyBody = Type.Object(
  {
    title: Type.String({ description: "A name for it, unique among the account's." }),
    key: Type.String({ description: "The public key, in one of the usual text formats." }),
    read_only: Type.Optional(Type.Boolean({ description: "Whether the key gives only read access." })),
  },
  { $id: "CreateKeyOption", description: "A key to add." },
);

/** Keys as `viewer` may see them: only owners and administrators see who owns them. */
export function publicKeyResources(
  services: Pick<Services, "identity" | "links">,
  viewer: Principal,
  keys: readonly SshKey[],
): PublicKeyResource[] {
  const isShown = (key: SshKey) =>
    administersSite(viewer) || (key.userId !== undefined && key.userId === viewer.user?.id);
  const owners = services.identity.byIds(keys.flatMap((key) => (isShown(key) ? (key.userId ?? []) : [])));
  const shown = new Map(userResources(services, viewer, [...owners.values()]).map((user) => [user.id, user]));
  return keys.map((key) => {
    const user = key.userId === undefined ? undefined : shown.get(key.userId);
    return {
      id: key.id,
      key: keyLine(key),
      url: `${services.links.rootUrl}api/v1/user/keys/${key.id}`,
      title: key.title,
      fingerprint: key.fingerprint,
      created_at: rfc3339(key.createdAt),
      last_used_at: rfc3339(key.lastUsedAt ?? key.createdAt),
      ...(user ? { user } : {}),
      ...(key.isReadOnly ? { read_only: true } : {}),
      ...(isShown(key) ? { key_type: key.userId === undefined ? "deploy" : "user" } : {}),
    };
  });
}

/** The whole line, with the comment. */
export function keyLine({ content, comment }: { readonly content: string; readonly comment: string }): string {
  return comment === "" ? content : `${content} ${comment}`;
}
