import { Type } from "@sinclair/typebox";
import { ActivityResource, activityResources } from "../activity/resource.ts";
import { reposOf } from "../activity/service.ts";
import { IMAGE_BODY_BYTES, ImageBody, imageOf } from "../avatars/api.ts";
import { lists, textParam } from "../http/query.ts";
import { json, noContent, page } from "../http/respond.ts";
import { type Call, type Route, takes } from "../http/route.ts";
import type { Services } from "../services.ts";
import { organizationOwner, seesOrganization } from "./access.ts";
import { EditOrganizationBody, editOf, RenameOrganizationBody } from "./bodies.ts";
import { OrganizationResource, organizationResource } from "./resource.ts";
import { seenOrganization } from "./subject.ts";
import type { Organization } from "./types.ts";

/** One organization over REST: its profile, name, picture and feed (contract identity.md 12). */
export function organizationRoutesOfOne(services: Services): Route[] {
  const { activity, links, organizations } = services;
  const path = "/api/v1/orgs/:org";
  const show = (call: Call, organization: Organization) =>
    json(organizationResource(organization, call.principal, links));
  const done = { 204: { description: "Done." } };
  const owners = {
    403: { description: "The caller is not an owner." },
    404: { description: "It does not exist, or the caller may not see it." },
  };
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: seesOrganization,
      doc: {
        id: "orgGet",
        tag: "organization",
        summary: "Get an organization",
        answers: {
          200: { description: "The organization.", schema: OrganizationResource },
          404: { description: "It does not exist, or the caller may not see it." },
        },
      },
      handle: (call) => {
        const { organization, repoAdminsChangeTeams } = seenOrganization(call);
        return show(call, { account: organization, repoAdminsChangeTeams });
      },
    },
    {
      method: "PATCH",
      path,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgEdit",
        tag: "organization",
        summary: "Edit an organization",
        answers: {
          200: { description: "The organization after the change.", schema: OrganizationResource },
          ...owners,
          422: { description: "A value is invalid; nothing was changed." },
        },
      },
      ...takes(EditOrganizationBody, (call, body) =>
        show(call, organizations.edit(seenOrganization(call), editOf(body))),
      ),
    },
    {
      method: "POST",
      path: `${path}/rename`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "renameOrg",
        tag: "organization",
        summary: "Rename an organization",
        answers: {
          204: { description: "The account has its new name; the old one redirects to it." },
          ...owners,
          422: { description: "The new name is invalid or taken." },
        },
      },
      ...takes(RenameOrganizationBody, (call, body) => {
        organizations.rename(seenOrganization(call), body.new_name);
        return noContent();
      }),
    },
    {
      method: "DELETE",
      path,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgDelete",
        tag: "organization",
        summary: "Delete an organization",
        answers: {
          204: { description: "Deleted." },
          ...owners,
          422: { description: "It still has repositories." },
        },
      },
      handle: (call) => {
        organizations.remove(seenOrganization(call));
        return noContent();
      },
    },
    {
      method: "POST",
      path: `${path}/avatar`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgUpdateAvatar",
        tag: "organization",
        summary: "Update an organization's avatar",
        answers: {
          ...done,
          400: { description: "Not base64." },
          ...owners,
          422: { description: "Not a picture, too large, or of an unknown format. Nothing was changed." },
        },
      },
      ...takes(
        ImageBody,
        async (call, body) => {
          await organizations.setAvatar(seenOrganization(call), imageOf(body.image));
          return noContent();
        },
        { limitBytes: IMAGE_BODY_BYTES },
      ),
    },
    {
      method: "DELETE",
      path: `${path}/avatar`,
      surface: "api",
      access: organizationOwner,
      doc: {
        id: "orgDeleteAvatar",
        tag: "organization",
        summary: "Delete an organization's avatar",
        answers: { ...done, ...owners },
      },
      handle: (call) => {
        organizations.removeAvatar(seenOrganization(call));
        return noContent();
      },
    },
    {
      method: "GET",
      path: `${path}/activities/feeds`,
      surface: "api",
      access: seesOrganization,
      doc: {
        id: "orgListActivityFeeds",
        tag: "organization",
        summary: "List an organization's activity",
        answers: {
          200: {
            description: "Activity in its repositories that the caller may see, newest first.",
            schema: Type.Array(ActivityResource),
          },
          404: { description: "It does not exist, or the caller may not see it." },
        },
      },
      ...lists({ date: textParam("A day, as YYYY-MM-DD; anything else is ignored.") }, async (call, { date }) => {
        const { organization } = seenOrganization(call);
        const { items, total } = activity.feed(call.principal, reposOf(organization), date, call.paging);
        return page(await activityResources(services, call, organization.id, items), total, {
          rootUrl: links.rootUrl,
          ...call,
        });
      }),
    },
  ];
}
