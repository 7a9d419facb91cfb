import { type Static, Type } from "@sinclair/typebox";
import type { User } from "../../access/user.ts";
import { text, time, whole } from "../../http/fields.ts";
import { rfc3339, ZERO_TIME } from "../../kernel/clock.ts";
import type { AccessToken } from "../types.ts";
import { ACCOUNT_LIMITS } from "../values.ts";

const scopes = Type.Array(text("A scope, such as read:repository."), {
  description: "The token's scopes, normalized.",
});
const times = {
  created_at: time("When it was created."),
  last_used_at: Type.String({
    format: "date-time",
    description: "Approximately when it was last used; the creation time if it never was.",
  }),
};

export const AccessTokenResource = Type.Object(
  {
    id: whole("Number of the token."),
    name: text("The name its owner gave it."),
    sha1: text("The token itself, right after it was created; empty in lists."),
    token_last_eight: text("Its last eight characters, to tell tokens apart."),
    scopes,
    ...times,
  },
  { $id: "AccessToken", description: "A personal access token." },
);
export type AccessTokenResource = Static<typeof AccessTokenResource>;

export const CurrentAccessTokenResource = Type.Object(
  {
    id: whole("Number of the token."),
    name: text("The name its owner gave it."),
    scopes,
    ...times,
    user: Type.Object(
      {
        id: whole("Number of the account."),
        login: text("Name of the account."),
      },
      { $id: "UserMeta", description: "The account the token belongs to." },
    ),
  },
  { $id: "CurrentAccessToken", description: "The token used for a request." },
);
export type CurrentAccessTokenResource = Static<typeof CurrentAccessTokenResource>;

export const CreateAccessTokenBody = Type.Object(
  {
    name: Type.String({
      maxLength: ACCOUNT_LIMITS.tokenName,
      description: "A name for it, unique within the account.",
    }),
    scopes: Type.Optional(
      Type.Array(text("A scope, such as read:repository."), {
        maxItems: 100,
        description: "Scopes: all, public-only, read:X and write:X; at least one besides public-only.",
      }),
    ),
  },
  { $id: "CreateAccessTokenOption", description: "A token to create." },
);

function timesOf(token: AccessToken) {
  return {
    created_at: rfc3339(token.createdAt),
    last_used_at: rfc3339(token.lastUsedAt ?? token.createdAt),
  };
}

export function accessTokenResource(token: AccessToken): AccessTokenResource {
  return {
    id: token.id,
    name: token.name,
    sha1: "",
    token_last_eight: token.lastEight,
    scopes: token.scopes,
    ...timesOf(token),
  };
}

/** With the secret itself, shown once; its times are only in the list (contract identity.md 2.4). */
export function newAccessTokenResource(token: AccessToken, secret: string): AccessTokenResource {
  return { ...accessTokenResource(token), sha1: secret, created_at: ZERO_TIME, last_used_at: ZERO_TIME };
}

export function currentAccessTokenResource(token: AccessToken, user: User): CurrentAccessTokenResource {
  return {
    id: token.id,
    name: token.name,
    scopes: token.scopes,
    ...timesOf(token),
    user: { id: user.id, login: user.login },
  };
}
