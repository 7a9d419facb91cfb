import { Type } from "@sinclair/typebox";
import { lists } from "../http/query.ts";
import { counted, created, json, noContent, page } from "../http/respond.ts";
import { param, type Route, takes } from "../http/route.ts";
import { namedUser } from "../identity/named-user.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import type { Services } from "../services.ts";
import { administersQuotas } from "./access.ts";
import {
  CreateGroupBody,
  CreateRuleBody,
  EditRuleBody,
  groupResource,
  QuotaGroupResource,
  QuotaInfoResource,
  QuotaRuleResource,
  quotaResource,
  ruleResource,
  SetGroupsBody,
} from "./resource.ts";

const RULES = "/api/v1/admin/quota/rules";
const GROUPS = "/api/v1/admin/quota/groups";

const route = { surface: "api", access: administersQuotas } as const;
const aRule = { quotarule: "Name of the rule." };
const aGroup = { quotagroup: "Name of the group." };
const invalid = { 422: { description: "A value is invalid. Nothing was changed." } };
const missing = { 404: { description: "One of them does not exist." } };

/** Rules, groups and their members: for site administrators. */
export function quotaAdministrationRoutes(services: Services): Route[] {
  return [...ruleRoutes(services), ...groupRoutes(services), ...memberRoutes(services), ...accountRoutes(services)];
}

function ruleRoutes({ quotaAdministration: quotas }: Services): Route[] {
  const rule = { description: "The rule.", schema: QuotaRuleResource };
  return [
    {
      ...route,
      method: "POST",
      path: RULES,
      doc: {
        id: "adminCreateQuotaRule",
        tag: "admin",
        summary: "Create a quota rule",
        answers: { 201: rule, 409: { description: "That name is already in use." }, ...invalid },
      },
      ...takes(CreateRuleBody, (call, body) => created(ruleResource(quotas.addRule(call.principal, body)))),
    },
    {
      ...route,
      method: "GET",
      path: RULES,
      doc: {
        id: "adminListQuotaRules",
        tag: "admin",
        summary: "List the quota rules",
        answers: { 200: { description: "All of them, sorted by name.", schema: Type.Array(QuotaRuleResource) } },
      },
      handle: (call) => {
        const rules = quotas.rules(call.principal);
        return counted(
          rules.map((each) => ruleResource(each)),
          rules.length,
        );
      },
    },
    {
      ...route,
      method: "GET",
      path: `${RULES}/:quotarule`,
      doc: {
        id: "adminGetQuotaRule",
        tag: "admin",
        summary: "Get a quota rule",
        params: aRule,
        answers: { 200: rule, ...missing },
      },
      handle: (call) => json(ruleResource(quotas.rule(call.principal, param(call, "quotarule")))),
    },
    {
      ...route,
      method: "PATCH",
      path: `${RULES}/:quotarule`,
      doc: {
        id: "adminEditQuotaRule",
        tag: "admin",
        summary: "Edit a quota rule",
        params: aRule,
        answers: { 200: rule, ...missing, ...invalid },
      },
      ...takes(EditRuleBody, (call, body) =>
        json(ruleResource(quotas.editRule(call.principal, param(call, "quotarule"), body))),
      ),
    },
    {
      ...route,
      method: "DELETE",
      path: `${RULES}/:quotarule`,
      doc: {
        id: "adminDEleteQuotaRule",
        tag: "admin",
        summary: "Delete a quota rule",
        params: aRule,
        answers: { 204: { description: "The rule is deleted and removed from its groups." }, ...missing },
      },
      handle: (call) => {
        quotas.removeRule(call.principal, param(call, "quotarule"));
        return noContent();
      },
    },
  ];
}

function groupRoutes({ quotaAdministration: quotas }: Services): Route[] {
  const group = { description: "The group.", schema: QuotaGroupResource };
  return [
    {
      ...route,
      method: "POST",
      path: GROUPS,
      doc: {
        id: "adminCreateQuotaGroup",
        tag: "admin",
        summary: "Create a quota group",
        answers: {
          201: group,
          409: { description: "There is already a group of that name, or a different rule of that name." },
          ...invalid,
        },
      },
      ...takes(CreateGroupBody, (call, { name, rules }) =>
        created(groupResource(quotas.addGroup(call.principal, name, rules))),
      ),
    },
    {
      ...route,
      method: "GET",
      path: GROUPS,
      doc: {
        id: "adminListQuotaGroups",
        tag: "admin",
        summary: "List the quota groups",
        answers: { 200: { description: "All of them, sorted by name.", schema: Type.Array(QuotaGroupResource) } },
      },
      handle: (call) => {
        const groups = quotas.groups(call.principal);
        return counted(
          groups.map((each) => groupResource(each)),
          groups.length,
        );
      },
    },
    {
      ...route,
      method: "GET",
      path: `${GROUPS}/:quotagroup`,
      doc: {
        id: "adminGetQuotaGroup",
        tag: "admin",
        summary: "Get a quota group",
        params: aGroup,
        answers: { 200: group, ...missing },
      },
      handle: (call) => json(groupResource(quotas.group(call.principal, param(call, "quotagroup")))),
    },
    {
      ...route,
      method: "DELETE",
      path: `${GROUPS}/:quotagroup`,
      doc: {
        id: "adminDeleteQuotaGroup",
        tag: "admin",
        summary: "Delete a quota group",
        params: aGroup,
        answers: { 204: { description: "The group is deleted; no account is in it any more." }, ...missing },
      },
      handle: (call) => {
        quotas.removeGroup(call.principal, param(call, "quotagroup"));
        return noContent();
      },
    },
    {
      ...route,
      method: "PUT",
      path: `${GROUPS}/:quotagroup/rules/:quotarule`,
      doc: {
        id: "adminAddRuleToQuotaGroup",
        tag: "admin",
        summary: "Add a rule to a quota group",
        params: { ...aGroup, ...aRule },
        answers: {
          204: { description: "The rule is part of the group." },
          ...missing,
          409: { description: "The rule was already part of the group." },
        },
      },
      handle: (call) => {
        quotas.addRuleTo(call.principal, param(call, "quotagroup"), param(call, "quotarule"));
        return noContent();
      },
    },
    {
      ...route,
      method: "DELETE",
      path: `${GROUPS}/:quotagroup/rules/:quotarule`,
      doc: {
        id: "adminRemoveRuleFromQuotaGroup",
        tag: "admin",
        summary: "Remove a rule from a quota group",
        params: { ...aGroup, ...aRule },
        answers: { 204: { description: "The rule is no longer part of the group." }, ...missing },
      },
      handle: (call) => {
        quotas.removeRuleFrom(call.principal, param(call, "quotagroup"), param(call, "quotarule"));
        return noContent();
      },
    },
  ];
}

function memberRoutes({ identity, links, quotaAdministration: quotas }: Services): Route[] {
  const params = { ...aGroup, username: "Name of the account or organization." };
  return [
    {
      ...route,
      method: "GET",
      path: `${GROUPS}/:quotagroup/users`,
      doc: {
        id: "adminListUsersInQuotaGroup",
        tag: "admin",
        summary: "List the users in a quota group",
        params: aGroup,
        answers: { 200: { description: "A page of accounts.", schema: Type.Array(UserResource) }, ...missing },
      },
      ...lists({}, (call) => {
        const { items, total } = quotas.members(call.principal, param(call, "quotagroup"), call.paging);
        return page(userResources({ identity, links }, call.principal, items), total, {
          rootUrl: links.rootUrl,
          ...call,
        });
      }),
    },
    {
      ...route,
      method: "PUT",
      path: `${GROUPS}/:quotagroup/users/:username`,
      doc: {
        id: "adminAddUserToQuotaGroup",
        tag: "admin",
        summary: "Add a user to a quota group",
        params,
        answers: {
          204: { description: "The account is in the group." },
          ...missing,
          409: { description: "The account was already in the group." },
        },
      },
      handle: (call) => {
        quotas.addMember(call.principal, param(call, "quotagroup"), namedUser(call, identity));
        return noContent();
      },
    },
    {
      ...route,
      method: "DELETE",
      path: `${GROUPS}/:quotagroup/users/:username`,
      doc: {
        id: "adminRemoveUserFromQuotaGroup",
        tag: "admin",
        summary: "Remove a user from a quota group",
        params,
        answers: { 204: { description: "The account is no longer in the group." }, ...missing },
      },
      handle: (call) => {
        quotas.removeMember(call.principal, param(call, "quotagroup"), namedUser(call, identity));
        return noContent();
      },
    },
  ];
}

function accountRoutes({ identity, quotaAdministration, quotas }: Services): Route[] {
  const params = { username: "Name of the account or organization." };
  return [
    {
      ...route,
      method: "GET",
      path: "/api/v1/admin/users/:username/quota",
      doc: {
        id: "adminGetUserQuota",
        tag: "admin",
        summary: "Get a user's quota",
        params,
        answers: { 200: { description: "What the account uses and may use.", schema: QuotaInfoResource }, ...missing },
      },
      handle: (call) => json(quotaResource(quotas.ofAccount(call.principal, namedUser(call, identity)), true)),
    },
    {
      ...route,
      method: "POST",
      path: "/api/v1/admin/users/:username/quota/groups",
      doc: {
        id: "adminSetUserQuotaGroups",
        tag: "admin",
        summary: "Set the quota groups of a user",
        params,
        answers: { 204: { description: "The account is in exactly these groups." }, ...missing, ...invalid },
      },
      ...takes(SetGroupsBody, (call, { groups }) => {
        quotaAdministration.setGroups(call.principal, namedUser(call, identity), groups);
        return noContent();
      }),
    },
  ];
}
