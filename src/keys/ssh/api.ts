import { Type } from "@sinclair/typebox";
import { administersAccounts } from "../../admin/access.ts";
import { type ListCall, lists, textParam } from "../../http/query.ts";
import { created, json, noContent, page } from "../../http/respond.ts";
import { type Route, signedIn, takes } from "../../http/route.ts";
import { namedUser } from "../../identity/named-user.ts";
import type { Slice } from "../../kernel/paging.ts";
import type { Services } from "../../services.ts";
import { keysOfOthers, ownKeys } from "../access.ts";
import { numberOf } from "../number-of.ts";
import type { SshKey } from "../types.ts";
import { CreateKeyBody, PublicKeyResource, publicKeyResources } from "./resource.ts";

const byFingerprint = { fingerprint: textParam("Only keys with this fingerprint.") };
const refused = {
  422: { description: "The key cannot be read or is too weak, or the key or its title is already in use." },
};

/** SSH keys over REST (contract identity.md 9.2). */
export function sshKeyRoutes(services: Services): Route[] {
  return [...ownKeyRoutes(services), ...otherKeyRoutes(services)];
}

function ownKeyRoutes(services: Services): Route[] {
  const { sshKeys } = services;
  const own = { surface: "api", access: ownKeys, path: "/api/v1/user/keys" } as const;
  const one = { ...own, path: `${own.path}/:id` } as const;
  const params = { id: "Number of the key." };
  return [
    {
      ...own,
      method: "GET",
      doc: {
        id: "userCurrentListKeys",
        tag: "user",
        summary: "List the authenticated user's public keys",
        answers: {
          200: {
            description: "The user's keys; with a fingerprint, anyone's, without their owners.",
            schema: Type.Array(PublicKeyResource),
          },
        },
      },
      ...lists(byFingerprint, (call, { fingerprint }) => {
        const found = fingerprint
          ? sshKeys.byFingerprint(fingerprint, call.paging)
          : sshKeys.listOf(signedIn(call), undefined, call.paging);
        return keyPage(services, call, found);
      }),
    },
    {
      ...own,
      method: "POST",
      doc: {
        id: "userCurrentPostKey",
        tag: "user",
        summary: "Add a public key",
        answers: { 201: { description: "The key.", schema: PublicKeyResource }, ...refused },
      },
      ...takes(CreateKeyBody, async (call, { title, key, read_only: isReadOnly = false }) => {
        const added = await sshKeys.add(call.principal, signedIn(call), { title, key, isReadOnly });
        return created(publicKeyResources(services, call.principal, [added])[0]);
      }),
    },
    {
      ...one,
      method: "GET",
      doc: {
        id: "userCurrentGetKey",
        tag: "user",
        summary: "Get a public key",
        params,
        answers: {
          200: { description: "The key, whoever owns it.", schema: PublicKeyResource },
          404: { description: "There is no such key." },
        },
      },
      handle: (call) => json(publicKeyResources(services, call.principal, [sshKeys.get(numberOf(call))])[0]),
    },
    {
      ...one,
      method: "DELETE",
      doc: {
        id: "userCurrentDeleteKey",
        tag: "user",
        summary: "Delete a public key",
        params,
        answers: {
          204: { description: "Deleted; it no longer gives access." },
          403: { description: "It belongs to someone else." },
          404: { description: "There is no such key." },
        },
      },
      handle: (call) => {
        sshKeys.remove(call.principal, numberOf(call));
        return noContent();
      },
    },
  ];
}

function otherKeyRoutes(services: Services): Route[] {
  const { identity, sshKeys } = services;
  const admin = "/api/v1/admin/users/:username/keys";
  return [
    {
      method: "GET",
      path: "/api/v1/users/:username/keys",
      surface: "api",
      access: keysOfOthers,
      doc: {
        id: "userListKeys",
        tag: "user",
        summary: "List a user's public keys",
        answers: {
          200: { description: "The keys.", schema: Type.Array(PublicKeyResource) },
          404: { description: "There is no such account, or the caller may not see it." },
        },
      },
      ...lists(byFingerprint, (call, { fingerprint }) => {
        const user = namedUser(call, identity);
        return keyPage(services, call, sshKeys.listOf(user, fingerprint || undefined, call.paging));
      }),
    },
    {
      method: "POST",
      path: admin,
      surface: "api",
      access: administersAccounts,
      doc: {
        id: "adminCreatePublicKey",
        tag: "admin",
        summary: "Add a public key for a user",
        answers: {
          201: { description: "The key.", schema: PublicKeyResource },
          403: { description: "The caller is not a site administrator." },
          ...refused,
        },
      },
      ...takes(
        CreateKeyBody,
        async (call, { title, key, read_only: isReadOnly = false }) => {
          const added = await sshKeys.add(call.principal, namedUser(call, identity), { title, key, isReadOnly });
          return created(publicKeyResources(services, call.principal, [added])[0]);
        },
        { before: (call) => namedUser(call, identity) },
      ),
    },
    {
      method: "DELETE",
      path: `${admin}/:id`,
      surface: "api",
      access: administersAccounts,
      doc: {
        id: "adminDeleteUserPublicKey",
        tag: "admin",
        summary: "Delete a user's public key",
        params: { id: "Number of the key." },
        answers: {
          204: { description: "Removed." },
          403: { description: "The caller is not a site administrator." },
          404: { description: "The user has no such key." },
        },
      },
      handle: (call) => {
        sshKeys.removeOf(call.principal, namedUser(call, identity), numberOf(call));
        return noContent();
      },
    },
  ];
}

function keyPage(services: Services, call: ListCall, { items, total }: Slice<SshKey>): Response {
  const { rootUrl } = services.links;
  return page(publicKeyResources(services, call.principal, items), total, { rootUrl, ...call });
}
