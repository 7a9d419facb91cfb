import { Type } from "@sinclair/typebox";
import type { User } from "../../access/user.ts";
import { type ListCall, lists } from "../../http/query.ts";
import { created, json, noContent, page, plain } from "../../http/respond.ts";
import { type Route, signedIn, takes } from "../../http/route.ts";
import { namedUser } from "../../identity/named-user.ts";
import type { Services } from "../../services.ts";
import { keysOfOthers, ownKeys } from "../access.ts";
import { numberOf } from "../number-of.ts";
import { CreateGpgKeyBody, GpgKeyResource, gpgKeyResource, VerifyGpgKeyBody } from "./resource.ts";

/** Bodies hold a whole armored key. */
const LIMIT_BYTES = 524_288;

/** OpenPGP keys over REST (contract identity.md 10.2). */
export function gpgKeyRoutes({ gpgKeys, identity, links }: Services): Route[] {
  const own = { surface: "api", access: ownKeys } as const;
  const all = { ...own, path: "/api/v1/user/gpg_keys" } as const;
  const one = { ...own, path: `${all.path}/:id` } as const;
  const params = { id: "Number of the key or subkey." };
  const list = (call: ListCall, user: User) => {
    const { items, total } = gpgKeys.listOf(user, call.paging);
    return page(items.map(gpgKeyResource), total, { rootUrl: links.rootUrl, ...call });
  };
  const keyList = { 200: { description: "The keys with their subkeys.", schema: Type.Array(GpgKeyResource) } };
  return [
    {
      ...all,
      method: "GET",
      doc: {
        id: "userCurrentListGPGKeys",
        tag: "user",
        summary: "List the authenticated user's OpenPGP keys",
        answers: keyList,
      },
      ...lists({}, (call) => list(call, signedIn(call))),
    },
    {
      ...all,
      method: "POST",
      doc: {
        id: "userCurrentPostGPGKey",
        tag: "user",
        summary: "Add an OpenPGP key",
        answers: {
          201: { description: "The first key of the block.", schema: GpgKeyResource },
          404: { description: "The key names none of the user's addresses, and nothing shows that it is theirs." },
          422: { description: "The key cannot be read or already exists, or the signature does not match." },
        },
      },
      ...takes(
        CreateGpgKeyBody,
        async (call, { armored_public_key: armored, armored_signature: signature }) => {
          const [first] = await gpgKeys.add(call.principal, armored, signature);
          return created(first && gpgKeyResource(first));
        },
        { limitBytes: LIMIT_BYTES },
      ),
    },
    {
      ...one,
      method: "GET",
      doc: {
        id: "userCurrentGetGPGKey",
        tag: "user",
        summary: "Get an OpenPGP key of the authenticated user",
        params,
        answers: {
          200: { description: "The key.", schema: GpgKeyResource },
          404: { description: "The user has no such key." },
        },
      },
      handle: (call) => json(gpgKeyResource(gpgKeys.get(call.principal, numberOf(call)))),
    },
    {
      ...one,
      method: "DELETE",
      doc: {
        id: "userCurrentDeleteGPGKey",
        tag: "user",
        summary: "Delete an OpenPGP key",
        params,
        answers: { 204: { description: "Deleted." } },
      },
      handle: (call) => {
        gpgKeys.remove(call.principal, numberOf(call));
        return noContent();
      },
    },
    {
      ...own,
      path: "/api/v1/user/gpg_key_token",
      method: "GET",
      doc: {
        id: "getVerificationToken",
        tag: "user",
        summary: "Get the token to sign to prove that a key is yours",
        answers: { 200: { description: "The token, which changes every minute.", mediaType: "text/plain" } },
      },
      handle: (call) => plain(gpgKeys.proofToken(signedIn(call)), 200, { "content-type": "text/plain;charset=utf-8" }),
    },
    {
      ...own,
      path: "/api/v1/user/gpg_key_verify",
      method: "POST",
      doc: {
        id: "userVerifyGPGKey",
        tag: "user",
        summary: "Verify an OpenPGP key",
        answers: {
          200: { description: "The key, now verified.", schema: GpgKeyResource },
          404: { description: "The user has no such key." },
          422: { description: "The signature was not made with the key, or signs something else." },
        },
      },
      ...takes(VerifyGpgKeyBody, async (call, { key_id: keyId, armored_signature: signature = "" }) =>
        json(gpgKeyResource(await gpgKeys.verify(call.principal, keyId, signature))),
      ),
    },
    {
      path: "/api/v1/users/:username/gpg_keys",
      surface: "api",
      access: keysOfOthers,
      method: "GET",
      doc: {
        id: "userListGPGKeys",
        tag: "user",
        summary: "List a user's OpenPGP keys",
        answers: {
          ...keyList,
          404: { description: "There is no such account, or the caller may not see it." },
        },
      },
      ...lists({}, (call) => list(call, namedUser(call, identity))),
    },
  ];
}
