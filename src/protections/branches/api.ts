import { Type } from "@sinclair/typebox";
import { created, json, noContent } from "../../http/respond.ts";
import { type Call, type Route, takes } from "../../http/route.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changeRules, readRules } from "../access.ts";
import { CreateBranchProtectionBody, EditBranchProtectionBody, RulePriorityBody, ruleEditOf } from "./bodies.ts";
import { BranchProtectionResource, branchProtectionResource } from "./resource.ts";
import type { BranchRule } from "./types.ts";

const path = "/api/v1/repos/:owner/:repo/branch_protections";

/** Branch rules over REST (contract git-content.md 9). */
export function branchProtectionRoutes({ branchProtections }: Services): Route[] {
  const nameOf = (call: Call) => call.params["*"] ?? "";
  const show = (rule: BranchRule) => branchProtectionResource(branchProtections, rule);
  const api = { surface: "api" } as const;
  const params = { path: "Name of the rule." };
  const one = { description: "The rule.", schema: BranchProtectionResource };
  const missing = { 404: { description: "There is no such rule." } };
  const refused = {
    422: { description: "A value is invalid, or a name is unknown." },
    423: { description: "The repository is archived." },
  };
  /** A missing rule is reported before the body is read. */
  const present = { before: (call: Call) => branchProtections.get(seenRepo(call), nameOf(call)) };

  return [
    {
      ...api,
      method: "GET",
      path,
      access: readRules,
      doc: {
        id: "repoListBranchProtection",
        tag: "repository",
        summary: "List a repository's branch protection rules",
        answers: {
          200: { description: "The rules in order of priority.", schema: Type.Array(BranchProtectionResource) },
        },
      },
      handle: (call) => json(branchProtections.list(seenRepo(call)).map(show)),
    },
    {
      ...api,
      method: "POST",
      path,
      access: changeRules,
      doc: {
        id: "repoCreateBranchProtection",
        tag: "repository",
        summary: "Create a branch protection rule",
        answers: {
          201: one,
          400: { description: "The rule has no name." },
          403: { description: "There is already a rule with that name." },
          ...refused,
        },
      },
      ...takes(CreateBranchProtectionBody, (call, body) => {
        const name = body.rule_name || body.branch_name || "";
        return created(show(branchProtections.create(seenRepo(call), name, ruleEditOf(body))));
      }),
    },
    {
      ...api,
      method: "POST",
      path: `${path}/priority`,
      access: changeRules,
      doc: {
        id: "repoUpdateBranchProtectionPriories",
        tag: "repository",
        summary: "Set the order of a repository's branch protection rules",
        answers: { 204: { description: "The rules have that order." }, ...refused },
      },
      ...takes(RulePriorityBody, (call, body) => {
        branchProtections.reorder(seenRepo(call), body.ids ?? []);
        return noContent();
      }),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/*`,
      access: readRules,
      doc: {
        id: "repoGetBranchProtection",
        tag: "repository",
        summary: "Get a branch protection rule",
        params,
        answers: { 200: one, ...missing },
      },
      handle: (call) => json(show(branchProtections.get(seenRepo(call), nameOf(call)))),
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/*`,
      access: changeRules,
      doc: {
        id: "repoEditBranchProtection",
        tag: "repository",
        summary: "Edit a branch protection rule",
        params,
        answers: { 200: one, ...missing, ...refused },
      },
      ...takes(
        EditBranchProtectionBody,
        (call, body) => json(show(branchProtections.edit(seenRepo(call), nameOf(call), ruleEditOf(body)))),
        present,
      ),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/*`,
      access: changeRules,
      doc: {
        id: "repoDeleteBranchProtection",
        tag: "repository",
        summary: "Delete a branch protection rule",
        params,
        answers: { 204: { description: "Deleted." }, ...missing, 423: refused[423] },
      },
      handle: (call) => {
        branchProtections.remove(seenRepo(call), nameOf(call));
        return noContent();
      },
    },
  ];
}
