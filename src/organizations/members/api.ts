import { Type } from "@sinclair/typebox";
import type { User } from "../../access/user.ts";
import { type ListCall, lists } from "../../http/query.ts";
import { noContent, page } from "../../http/respond.ts";
import { type Call, param, type Route, signedIn } from "../../http/route.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { NotFound, Redirected } from "../../kernel/errors.ts";
import type { Slice } from "../../kernel/paging.ts";
import { segment } from "../../kernel/url-path.ts";
import type { Services } from "../../services.ts";
import { organizationOwner, seesOrganization, signedInSees } from "../access.ts";
import { seenOrganization } from "../subject.ts";
import { knowsMembers } from "./service.ts";

const base = "/api/v1/orgs/:org";
const params = { username: "Name of the account." };
const missing = { 404: { description: "There is no such organization or account, or the caller may not see it." } };

/** Members of an organization over REST (contract identity.md 12.3). */
export function memberRoutes(services: Services): Route[] {
  const { links, members } = services;
  const list = (call: ListCall, { items, total }: Slice<User>) =>
    page(userResources(services, call.principal, items), total, { rootUrl: links.rootUrl, ...call });
  const named = (call: Call) => members.named(seenOrganization(call), param(call, "username"));
  const people = (description: string) => ({
    200: { description, schema: Type.Array(UserResource) },
    404: { description: "There is no such organization, or the caller may not see it." },
  });
  return [
    {
      method: "GET",
      path: `${base}/members`,
      surface: "api",
      access: signedInSees,
      doc: {
        id: "orgListMembers",
        tag: "organization",
        summary: "List an organization's members",
        answers: people("All members if the caller is one, otherwise only public members; sorted by name."),
      },
      ...lists({}, (call) => list(call, members.list(seenOrganization(call), call.paging))),
    },
    {
      method: "GET",
      path: `${base}/members/:username`,
      surface: "api",
      access: signedInSees,
      doc: {
        id: "orgIsMember",
        tag: "organization",
        summary: "Check whether a user is a member of an organization",
        params,
        answers: {
          204: { description: "The account is a member." },
          303: { description: "The caller is not a member and is redirected to the check for public members." },
          404: { description: "The account is not a member, or does not exist." },
        },
      },
      handle: (call) => {
        const seen = seenOrganization(call);
        const user = named(call);
        if (knowsMembers(seen)) {
          if (!members.isMember(seen, user)) throw new NotFound();
          return noContent();
        }
        if (signedIn(call).id === user.id) throw new NotFound();
        const to = `/api/v1/orgs/${segment(seen.organization.login)}/public_members/${segment(user.login)}`;
        throw new Redirected(303, to);
      },
    },
    {
      method: "DELETE",
      path: `${base}/members/:username`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgDeleteMember",
        tag: "organization",
        summary: "Remove a member from an organization",
        params,
        answers: {
          204: { description: "The account is no longer in any of its teams." },
          403: { description: "The caller is not an owner." },
          ...missing,
          422: { description: "The account is the last owner." },
        },
      },
      handle: (call) => {
        members.remove(seenOrganization(call), named(call));
        return noContent();
      },
    },
    {
      method: "GET",
      path: `${base}/public_members`,
      surface: "api",
      access: seesOrganization,
      doc: {
        id: "orgListPublicMembers",
        tag: "organization",
        summary: "List an organization's public members",
        answers: people("Members whose membership is public, sorted by name."),
      },
      ...lists({}, (call) => list(call, members.listPublic(seenOrganization(call), call.paging))),
    },
    {
      method: "GET",
      path: `${base}/public_members/:username`,
      surface: "api",
      access: seesOrganization,
      doc: {
        id: "orgIsPublicMember",
        tag: "organization",
        summary: "Check whether a user is a public member of an organization",
        params,
        answers: {
          204: { description: "The account is a public member." },
          404: { description: "The account is not a member, or conceals its membership." },
        },
      },
      handle: (call) => {
        if (!members.isPublicMember(seenOrganization(call), named(call))) throw new NotFound();
        return noContent();
      },
    },
    ...(["PUT", "DELETE"] as const).map(
      (method): Route => ({
        method,
        path: `${base}/public_members/:username`,
        surface: "api",
        access: signedInSees,
        doc: {
          id: method === "PUT" ? "orgPublicizeMember" : "orgConcealMember",
          tag: "organization",
          summary: method === "PUT" ? "Publicize a membership" : "Conceal a membership",
          params,
          answers: {
            204: { description: method === "PUT" ? "The membership is public." : "Only members see the membership." },
            403: { description: "It is someone else's membership, or the caller is not a member." },
            ...missing,
          },
        },
        handle: (call) => {
          members.setPublic(seenOrganization(call), named(call), method === "PUT");
          return noContent();
        },
      }),
    ),
  ];
}
