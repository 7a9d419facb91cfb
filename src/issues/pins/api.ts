import { type Static, Type } from "@sinclair/typebox";
import { yesNo } from "../../http/fields.ts";
import { json, noContent } from "../../http/respond.ts";
import { type Call, param, type Route } from "../../http/route.ts";
import { seesRepo } from "../../repos/access.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changesItems, readsItems } from "../access.ts";
import { seenIssue } from "../item.ts";
import { IssueResource, issueResources } from "../resource.ts";
import type { SeenIssue } from "../types.ts";

const repo = "/api/v1/repos/:owner/:repo";
const pin = `${repo}/issues/:index/pin`;

const NewPinsResource = Type.Object(
  {
    issues: yesNo("Whether another issue may be pinned."),
    pull_requests: yesNo("Whether another pull request may be pinned."),
  },
  { $id: "NewIssuePinsAllowed", description: "Whether more items may be pinned." },
);

/** Pinned items over REST (contract issues.md 7). */
export function pinRoutes(services: Services): Route[] {
  const { issues, pins } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  const administrators = { description: "The caller is not an administrator of the repository." };
  const changes = (change: (item: SeenIssue, call: Call) => void) => (call: Call) => {
    change(seenIssue(call, issues), call);
    return noContent();
  };
  return [
    {
      ...api,
      method: "GET",
      path: `${repo}/issues/pinned`,
      access: readsItems,
      doc: {
        id: "repoListPinnedIssues",
        tag: "repository",
        summary: "List the pinned issues of a repository",
        answers: {
          200: { description: "In their order.", schema: Type.Array(IssueResource) },
          403: { description: "The caller may not read issues here." },
        },
      },
      handle: (call) => json(issueResources(services, pins.list(seenRepo(call), false))),
    },
    {
      ...api,
      method: "GET",
      path: `${repo}/new_pin_allowed`,
      access: seesRepo,
      doc: {
        id: "repoNewPinAllowed",
        tag: "repository",
        summary: "Check whether more issues or pull requests may be pinned",
        answers: { 200: { description: "The answer for each kind.", schema: NewPinsResource } },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        issues.requireReadable(seen);
        const answer: Static<typeof NewPinsResource> = {
          issues: pins.mayPinMore(seen, false),
          pull_requests: pins.mayPinMore(seen, true),
        };
        return json(answer);
      },
    },
    {
      ...api,
      method: "POST",
      path: pin,
      access: changesItems,
      doc: {
        id: "pinIssue",
        tag: "issue",
        summary: "Pin an issue",
        params,
        answers: {
          204: { description: "Pinned." },
          400: { description: "The maximum number of pins is reached." },
          403: administrators,
        },
      },
      handle: changes((item) => pins.pin(item)),
    },
    {
      ...api,
      method: "DELETE",
      path: pin,
      access: changesItems,
      doc: {
        id: "unpinIssue",
        tag: "issue",
        summary: "Unpin an issue",
        params,
        answers: { 204: { description: "Unpinned." }, 403: administrators },
      },
      handle: changes((item) => pins.unpin(item)),
    },
    {
      ...api,
      method: "PATCH",
      path: `${pin}/:position`,
      access: changesItems,
      doc: {
        id: "moveIssuePin",
        tag: "issue",
        summary: "Move a pinned issue",
        params: { ...params, position: "The new position, from 1." },
        answers: {
          204: { description: "Moved." },
          400: { description: "The position is invalid." },
          403: administrators,
          404: { description: "There is no such item, or it is not pinned." },
        },
      },
      handle: changes((item, call) => {
        const position = param(call, "position");
        pins.move(item, /^\d{1,9}$/.test(position) ? Number(position) : 0);
      }),
    },
  ];
}
