import { Type } from "@sinclair/typebox";
import { lists } from "../../http/query.ts";
import { counted, created, json, noContent } from "../../http/respond.ts";
import { type Call, param, type Route, takes } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { managesTokens, ownToken } from "../access.ts";
import { namedUser } from "../named-user.ts";
import {
  AccessTokenResource,
  accessTokenResource,
  CreateAccessTokenBody,
  CurrentAccessTokenResource,
  currentAccessTokenResource,
  newAccessTokenResource,
} from "./resource.ts";

/** `/users/{username}/tokens` and `/token`: personal access tokens. */
export function tokenRoutes({ identity, tokens }: Services): Route[] {
  const path = "/api/v1/users/:username/tokens";
  /** The token in the Authorization header; one given as a password or in the address does not count here. */
  const requireInHeader = (call: Call) => {
    const isInHeader = call.request.headers.has("authorization") && !call.principal.basic;
    if (!isInHeader || call.query.get("token") || call.query.get("access_token")) throw new NotFound("token.invalid");
  };
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: managesTokens,
      doc: {
        id: "userGetTokens",
        tag: "user",
        summary: "List a user's access tokens, newest first",
        answers: {
          200: {
            description: "A page of tokens, without the tokens themselves.",
            schema: Type.Array(AccessTokenResource),
          },
          403: { description: "The caller is neither the account nor an administrator." },
        },
      },
      ...lists({}, (call) => {
        const { items, total } = tokens.list(call.principal, namedUser(call, identity), call.paging);
        return counted(items.map(accessTokenResource), total);
      }),
    },
    {
      method: "POST",
      path,
      surface: "api",
      access: managesTokens,
      doc: {
        id: "userCreateToken",
        tag: "user",
        summary: "Create an access token",
        answers: {
          201: { description: "The token, which is shown only once.", schema: AccessTokenResource },
          400: { description: "The name is already in use, or a scope is unknown or missing." },
          403: { description: "The caller is not allowed to, or the new token would have more scope than the caller." },
        },
      },
      ...takes(
        CreateAccessTokenBody,
        (call, { name, scopes = [] }) => {
          const { token, secret } = tokens.create(call.principal, namedUser(call, identity), name, scopes);
          return created(newAccessTokenResource(token, secret));
        },
        { before: (call) => namedUser(call, identity) },
      ),
    },
    {
      method: "DELETE",
      path: `${path}/:token`,
      surface: "api",
      access: managesTokens,
      doc: {
        id: "userDeleteAccessToken",
        tag: "user",
        summary: "Delete an access token",
        params: { token: "Number of the token, or its name if that is not a number." },
        answers: {
          204: { description: "Revoked." },
          403: { description: "The caller is neither the account nor an administrator." },
          404: { description: "The account has no such token." },
        },
      },
      handle: (call) => {
        tokens.remove(call.principal, namedUser(call, identity), param(call, "token"));
        return noContent();
      },
    },
    {
      method: "GET",
      path: "/api/v1/token",
      surface: "api",
      access: ownToken,
      doc: {
        id: "getCurrentToken",
        tag: "miscellaneous",
        summary: "Get the token used for this request",
        answers: {
          200: { description: "The token and its owner.", schema: CurrentAccessTokenResource },
          404: { description: "The request did not use an access token." },
        },
      },
      handle: (call) => {
        requireInHeader(call);
        const token = tokens.current(call.principal);
        const owner = identity.byId(token.userId);
        if (!owner) throw new NotFound("token.invalid");
        return json(currentAccessTokenResource(token, owner));
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/token",
      surface: "api",
      access: ownToken,
      doc: {
        id: "deleteCurrentToken",
        tag: "miscellaneous",
        summary: "Delete the token used for this request",
        answers: {
          204: { description: "Revoked." },
          404: { description: "The request did not use an access token." },
        },
      },
      handle: (call) => {
        requireInHeader(call);
        tokens.removeCurrent(call.principal);
        return noContent();
      },
    },
  ];
}
