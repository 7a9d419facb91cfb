import { Type } from "@sinclair/typebox";
import { lists } from "../../http/query.ts";
import { created, json, noContent, page } from "../../http/respond.ts";
import { type Call, param, type Route, type TakesBody, takes } from "../../http/route.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { signedInReader } from "../../repos/access.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changesItems, readsItems } from "../access.ts";
import { namedIssue } from "../item.ts";
import { IssueResource, issueResource } from "../resource.ts";
import { requireWrite } from "../rights.ts";
import type { SeenIssue } from "../types.ts";

const repo = "/api/v1/repos/:owner/:repo";

const AssigneesBody = Type.Object(
  {
    assignees: Type.Optional(
      Type.Array(
        Type.String({
          description: "Name of an account, or of a team as `organization/team`, which stands for its current members.",
        }),
        { description: "The accounts.", maxItems: 100 },
      ),
    ),
  },
  { $id: "IssueAssigneesOption", description: "Accounts, all of which must be valid." },
);

/** Assignees over REST (contract issues.md 5). */
export function assigneeRoutes(services: Services): Route[] {
  const { assignees, issues, links } = services;
  const api = { surface: "api" } as const;
  const params = { index: "Number of the item." };
  const assignable = {
    204: { description: "The account may be assigned." },
    400: { description: "The account is an organization." },
    404: { description: "There is no such account, or it may not be assigned." },
  };
  const check = (call: Call) => {
    assignees.requireAssignable(seenRepo(call), param(call, "assignee"));
    return noContent();
  };
  const changes = (
    change: (item: SeenIssue, names: readonly string[]) => void,
    answer: (resource: unknown) => Response,
  ): TakesBody =>
    takes(
      AssigneesBody,
      (call, { assignees: names = [] }) => {
        const item = namedIssue(call, issues);
        change(item, names);
        return answer(issueResource(services, issues.again(item)));
      },
      { before: (call) => requireWrite(namedIssue(call, issues)) },
    );
  return [
    {
      ...api,
      method: "GET",
      path: `${repo}/assignees`,
      access: signedInReader,
      doc: {
        id: "repoGetAssignees",
        tag: "repository",
        summary: "List the accounts that may be assigned to issues",
        answers: { 200: { description: "Likely assignees, sorted by name.", schema: Type.Array(UserResource) } },
      },
      ...lists({}, (call) => {
        const all = assignees.candidates(seenRepo(call));
        const shown = all.slice(call.paging.offset, call.paging.offset + call.paging.limit);
        const resources = userResources(services, call.principal, shown);
        return page(resources, all.length, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${repo}/assignees/:assignee`,
      access: signedInReader,
      doc: {
        id: "repoCheckAssignee",
        tag: "repository",
        summary: "Check whether an account may be assigned to issues",
        params: { assignee: "Name of the account." },
        answers: assignable,
      },
      handle: check,
    },
    {
      ...api,
      method: "GET",
      path: `${repo}/issues/:index/assignees/:assignee`,
      access: readsItems,
      doc: {
        id: "issueCheckAssignee",
        tag: "issue",
        summary: "Check whether an account may be assigned to an issue",
        params: { ...params, assignee: "Name of the account." },
        answers: assignable,
      },
      handle: (call) => {
        namedIssue(call, issues);
        return check(call);
      },
    },
    {
      ...api,
      method: "POST",
      path: `${repo}/issues/:index/assignees`,
      access: changesItems,
      doc: {
        id: "issueAddAssignees",
        tag: "issue",
        summary: "Assign accounts to an issue",
        params,
        answers: {
          201: { description: "The updated issue.", schema: IssueResource },
          400: { description: "One is an organization." },
          403: { description: "The caller has no write access, or one of the accounts may not be assigned." },
        },
      },
      ...changes(
        (item, names) => assignees.add(item, assignees.named(item.seen, names)),
        (resource) => created(resource),
      ),
    },
    {
      ...api,
      method: "DELETE",
      path: `${repo}/issues/:index/assignees`,
      access: changesItems,
      doc: {
        id: "issueRemoveAssignees",
        tag: "issue",
        summary: "Remove assignees from an issue",
        params,
        answers: {
          200: { description: "The updated issue.", schema: IssueResource },
          403: { description: "The caller has no write access." },
        },
      },
      ...changes(
        (item, names) => assignees.remove(item, assignees.assignedNamed(item, names)),
        (resource) => json(resource),
      ),
    },
  ];
}
