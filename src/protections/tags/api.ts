import { Type } from "@sinclair/typebox";
import { maybeText, text, texts, time, whole } from "../../http/fields.ts";
import { created, json, noContent } from "../../http/respond.ts";
import { type Call, param, type Route, takes } from "../../http/route.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import { NotFound } from "../../kernel/errors.ts";
import { administersRepo } from "../../repos/access.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changeRules, readRules } from "../access.ts";
import type { TagRule } from "./types.ts";

const path = "/api/v1/repos/:owner/:repo/tag_protections";

export const TagProtectionResource = Type.Object(
  {
    id: whole("Number of the rule."),
    name_pattern: text("A glob, or a regular expression between slashes."),
    whitelist_usernames: texts("Who may create, move and delete matching tags.", "A user name."),
    whitelist_teams: texts("Teams that may do so.", "A name of a team."),
    created_at: time("When it was created."),
    updated_at: time("When it was last changed."),
  },
  { $id: "TagProtection", description: "A tag protection rule." },
);

const maybeNames = (description: string) =>
  Type.Optional(Type.Array(Type.String({ description: "A name." }), { description }));

const fields = {
  name_pattern: maybeText("A glob, or a regular expression between slashes."),
  whitelist_usernames: maybeNames("Who may create, move and delete matching tags."),
  whitelist_teams: maybeNames("Teams that may do so."),
};

const CreateTagProtectionBody = Type.Object(fields, {
  $id: "CreateTagProtectionOption",
  description: "A rule for tags.",
});

const EditTagProtectionBody = Type.Object(fields, {
  $id: "EditTagProtectionOption",
  description: "Changes to a rule; fields left out are unchanged.",
});

/** Tag rules over REST (contract git-content.md 10.2). */
export function tagProtectionRoutes({ tagProtections }: Services): Route[] {
  const idOf = (call: Call): number => {
    const id = Number(param(call, "id"));
    if (!Number.isSafeInteger(id)) throw new NotFound();
    return id;
  };
  const show = (rule: TagRule) => {
    const { users, teams } = tagProtections.namesOf(rule);
    return {
      id: rule.id,
      name_pattern: rule.pattern,
      whitelist_usernames: users,
      whitelist_teams: teams,
      created_at: rfc3339(rule.createdAt),
      updated_at: rfc3339(rule.updatedAt),
    };
  };
  const editOf = (body: { name_pattern?: string; whitelist_usernames?: string[]; whitelist_teams?: string[] }) => ({
    pattern: body.name_pattern,
    users: body.whitelist_usernames,
    teams: body.whitelist_teams,
  });
  const api = { surface: "api" } as const;
  const params = { id: "Number of the rule." };
  const one = { description: "The rule.", schema: TagProtectionResource };
  const missing = { 404: { description: "There is no such rule." } };
  const refused = {
    403: { description: "There is already a rule with that pattern." },
    422: { description: "A value is invalid, or a name is unknown." },
    423: { description: "The repository is archived." },
  };

  return [
    {
      ...api,
      method: "GET",
      path,
      access: readRules,
      doc: {
        id: "repoListTagProtection",
        tag: "repository",
        summary: "List a repository's tag protection rules",
        answers: { 200: { description: "The rules, oldest first.", schema: Type.Array(TagProtectionResource) } },
      },
      handle: (call) => json(tagProtections.list(seenRepo(call)).map(show)),
    },
    {
      ...api,
      method: "POST",
      path,
      access: changeRules,
      doc: {
        id: "repoCreateTagProtection",
        tag: "repository",
        summary: "Create a tag protection rule",
        answers: { 201: one, 400: { description: "The rule has no pattern, or an empty list." }, ...refused },
      },
      ...takes(CreateTagProtectionBody, (call, body) =>
        created(show(tagProtections.create(seenRepo(call), editOf(body)))),
      ),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:id`,
      access: readRules,
      doc: {
        id: "repoGetTagProtection",
        tag: "repository",
        summary: "Get a tag protection rule",
        params,
        answers: { 200: one, ...missing },
      },
      handle: (call) => json(show(tagProtections.get(seenRepo(call), idOf(call)))),
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/:id`,
      access: changeRules,
      doc: {
        id: "repoEditTagProtection",
        tag: "repository",
        summary: "Edit a tag protection rule",
        params,
        answers: { 200: one, ...missing, ...refused },
      },
      ...takes(
        EditTagProtectionBody,
        (call, body) => json(show(tagProtections.edit(seenRepo(call), idOf(call), editOf(body)))),
        { before: (call) => tagProtections.get(seenRepo(call), idOf(call)) },
      ),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:id`,
      // Allowed in archived repositories too (contract repositories.md 18).
      access: administersRepo,
      doc: {
        id: "repoDeleteTagProtection",
        tag: "repository",
        summary: "Delete a tag protection rule",
        params,
        answers: { 204: { description: "Deleted." }, ...missing },
      },
      handle: (call) => {
        tagProtections.remove(seenRepo(call), idOf(call));
        return noContent();
      },
    },
  ];
}
