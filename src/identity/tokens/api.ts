import { Type } from "@sinclair/typebox";
import type { User } from "../../access/user.ts";
import { readChecked } from "../../http/body.ts";
import { pageParams } from "../../http/openapi.ts";
import { counted, created, json, noContent } from "../../http/respond.ts";
import { type Access, type Call, param, type Route } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { BODY_LIMIT } from "../body-limit.ts";
import { namedUser } from "../named-user.ts";
import type { AccessToken } from "../types.ts";
import {
  AccessTokenResource,
  accessTokenResource,
  CreateAccessTokenBody,
  CurrentAccessTokenResource,
  currentAccessTokenResource,
} from "./resource.ts";

const managed: Access = {
  who: "anyone",
  subject: { kind: "own-account" },
  scopes: ["user"],
  publicOnly: "filtered",
  basicOnly: true,
};
const self: Access = { who: "user", scopes: [], publicOnly: "filtered" };

/** `/users/{username}/tokens` and `/token`: personal access tokens. */
export function tokenRoutes({ identity, tokens }: Services): Route[] {
  const path = "/api/v1/users/:username/tokens";
  /** The token of the Authorization header; one given as a password or in the address does not count here. */
  const current = (call: Call): { token: AccessToken; owner: User } => {
    const inHeader = !call.principal.basic && !call.query.get("token") && !call.query.get("access_token");
    const token = inHeader && call.principal.tokenId !== undefined ? tokens.byId(call.principal.tokenId) : undefined;
    const owner = token && identity.byId(token.userId);
    if (!token || !owner) throw new NotFound("token.invalid");
    return { token, owner };
  };
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: managed,
      doc: {
        id: "userGetTokens",
        tag: "user",
        summary: "List a user's access tokens, newest first",
        query: pageParams,
        answers: {
          200: {
            description: "A page of tokens, without the tokens themselves.",
            schema: Type.Array(AccessTokenResource),
          },
          403: { description: "The caller is neither the account nor an administrator." },
        },
      },
      handle: (call) => {
        const { items, total } = tokens.list(namedUser(call, identity), call.paging);
        return counted(
          items.map((token) => accessTokenResource(token)),
          total,
        );
      },
    },
    {
      method: "POST",
      path,
      surface: "api",
      access: managed,
      doc: {
        id: "userCreateToken",
        tag: "user",
        summary: "Create an access token",
        body: CreateAccessTokenBody,
        answers: {
          201: { description: "The token, shown this once.", schema: AccessTokenResource },
          400: { description: "The name is used already, or a scope is unknown, or there is none." },
          403: { description: "The caller may not, or has less scope than the new token would." },
        },
      },
      handle: async (call) => {
        const user = namedUser(call, identity);
        const { name, scopes = [] } = await readChecked(CreateAccessTokenBody, call, BODY_LIMIT);
        const { token, secret } = tokens.create(call.principal, user, name, scopes);
        return created(accessTokenResource(token, secret));
      },
    },
    {
      method: "DELETE",
      path: `${path}/:token`,
      surface: "api",
      access: managed,
      doc: {
        id: "userDeleteAccessToken",
        tag: "user",
        summary: "Delete an access token",
        params: { token: "Number of the token, or its name when that is no number." },
        answers: {
          204: { description: "It is revoked." },
          403: { description: "The caller is neither the account nor an administrator." },
          404: { description: "The account has no such token." },
        },
      },
      handle: (call) => {
        tokens.remove(namedUser(call, identity), param(call, "token"));
        return noContent();
      },
    },
    {
      method: "GET",
      path: "/api/v1/token",
      surface: "api",
      access: self,
      doc: {
        id: "getCurrentToken",
        tag: "miscellaneous",
        summary: "Get the token used for this request",
        answers: {
          200: { description: "The token and whose it is.", schema: CurrentAccessTokenResource },
          404: { description: "The request came with something else." },
        },
      },
      handle: (call) => {
        const { token, owner } = current(call);
        return json(currentAccessTokenResource(token, owner));
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/token",
      surface: "api",
      access: self,
      doc: {
        id: "deleteCurrentToken",
        tag: "miscellaneous",
        summary: "Delete the token used for this request",
        answers: {
          204: { description: "It is revoked." },
          404: { description: "The request came with something else." },
        },
      },
      handle: (call) => {
        const { token, owner } = current(call);
        tokens.remove(owner, String(token.id));
        return noContent();
      },
    },
  ];
}
