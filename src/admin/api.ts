import { Type } from "@sinclair/typebox";
import { visibilities } from "../access/levels.ts";
import { pageParams } from "../http/openapi.ts";
import { flag, number, text } from "../http/query.ts";
import { created, json, noContent, page } from "../http/respond.ts";
import { type Call, type Route, takes } from "../http/route.ts";
import { EmailResource, emailResource } from "../identity/emails/resource.ts";
import { namedUser } from "../identity/named-user.ts";
import { UserResource, userResource, userResources } from "../identity/resource.ts";
import { BadRequest, ValidationFailed } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { administersAccounts } from "./access.ts";
import { cronRoutes } from "./background/api.ts";
import { CreateUserBody, EditUserBody, RenameUserBody } from "./resource.ts";

const forbidden = { 403: { description: "The caller is no site administrator." } };

/** What site administrators do over REST. */
export function adminRoutes(services: Services): Route[] {
  return [...accountRoutes(services), ...cronRoutes(services)];
}

/** `/admin`: accounts and addresses of the whole site. */
function accountRoutes({ admin, config, emails, identity, links }: Services): Route[] {
  const users = "/api/v1/admin/users";
  const list = (call: Call) => ({ rootUrl: links.rootUrl, ...call });
  return [
    {
      method: "GET",
      path: users,
      surface: "api",
      access: administersAccounts,
      doc: {
        id: "adminSearchUsers",
        tag: "admin",
        summary: "List all users",
        query: [
          { name: "q", description: "Part of the name, full name or address.", schema: Type.String() },
          { name: "login_name", description: "Name at an external sign-in source.", schema: Type.String() },
          { name: "source_id", description: "Sign-in source; 0 is local.", schema: Type.Integer() },
          { name: "visibility", description: "public, limited or private.", schema: Type.String() },
          { name: "is_active", description: "Only accounts that may be used, or only others.", schema: Type.Boolean() },
          { name: "is_admin", description: "Only site administrators, or only others.", schema: Type.Boolean() },
          { name: "is_restricted", description: "Only restricted accounts, or only others.", schema: Type.Boolean() },
          { name: "is_2fa_enabled", description: "Only accounts with a second factor.", schema: Type.Boolean() },
          { name: "is_prohibit_login", description: "Only accounts that may not sign in.", schema: Type.Boolean() },
          { name: "sort", description: "name (the default), created, updated or id.", schema: Type.String() },
          { name: "order", description: "asc (the default) or desc.", schema: Type.String() },
          ...pageParams,
        ],
        answers: {
          200: { description: "A page of accounts, nothing masked.", schema: Type.Array(UserResource) },
          ...forbidden,
          422: { description: "An order or visibility that does not exist." },
        },
      },
      handle: (call) => {
        const { items, total } = listUsers(call, identity);
        return page(userResources({ identity, links }, call.principal, items), total, list(call));
      },
    },
    {
      method: "POST",
      path: users,
      surface: "api",
      access: administersAccounts,
      doc: {
        id: "adminCreateUser",
        tag: "admin",
        summary: "Create a user",
        answers: {
          201: { description: "The account, which may be used at once.", schema: UserResource },
          400: { description: "No password, or too short a one." },
          ...forbidden,
          422: { description: "A name or address that breaks a rule or is taken." },
        },
      },
      ...takes(CreateUserBody, async (call, body) => {
        if (body.source_id) throw new ValidationFailed("account.source-missing", { params: { id: body.source_id } });
        if ((body.password ?? "").length < config["password.min_length"])
          throw new BadRequest("account.password-required");
        const user = await identity.create(call.principal, {
          login: body.username,
          email: body.email,
          password: body.password,
          mustChangePassword: body.must_change_password ?? true,
          fullName: body.full_name,
          loginName: body.login_name,
          isRestricted: body.restricted,
          visibility: body.visibility,
          createdAt: timeOf(body.created_at),
        });
        return created(userResource(user, call.principal, links));
      }),
    },
    {
      method: "PATCH",
      path: `${users}/:username`,
      surface: "api",
      access: administersAccounts,
      doc: {
        id: "adminEditUser",
        tag: "admin",
        summary: "Edit a user",
        answers: {
          200: { description: "The account after the change.", schema: UserResource },
          400: {
            description: "A bad or taken address, a short password, or the last administrator. Nothing was changed.",
          },
          ...forbidden,
          422: { description: "A value that breaks a rule. Nothing was changed." },
        },
      },
      ...takes(
        EditUserBody,
        async (call, body) => {
          const user = namedUser(call, identity);
          if (body.source_id) throw new ValidationFailed("account.source-missing", { params: { id: body.source_id } });
          const edited = await identity.edit(call.principal, user, {
            // Clients of Gitea must send it, and send the login for local accounts, which have none.
            loginName: body.login_name === user.login ? undefined : body.login_name,
            email: body.email,
            fullName: body.full_name,
            // An empty one means "leave it", as forms send it.
            password: body.password === "" ? undefined : body.password,
            mustChangePassword: body.must_change_password,
            website: body.website,
            location: body.location,
            description: body.description,
            pronouns: body.pronouns,
            isActive: body.active,
            isAdmin: body.admin,
            allowGitHook: body.allow_git_hook,
            allowImportLocal: body.allow_import_local,
            maxRepoCreation: body.max_repo_creation,
            prohibitLogin: body.prohibit_login,
            allowCreateOrganization: body.allow_create_organization,
            isRestricted: body.restricted,
            visibility: body.visibility,
          });
          return json(userResources({ identity, links }, call.principal, [edited])[0]);
        },
        { before: (call) => namedUser(call, identity) },
      ),
    },
    {
      method: "DELETE",
      path: `${users}/:username`,
      surface: "api",
      access: administersAccounts,
      doc: {
        id: "adminDeleteUser",
        tag: "admin",
        summary: "Delete a user",
        query: [{ name: "purge", description: "Remove what it owns too.", schema: Type.Boolean() }],
        answers: {
          204: { description: "It is gone." },
          ...forbidden,
          404: { description: "There is no such account." },
          422: { description: "Oneself, the last administrator, or an owner of repositories without purge." },
        },
      },
      handle: (call) => {
        const purge = flag(call.query, "purge") ?? false;
        admin.deleteUser(call.principal, namedUser(call, identity), { purge });
        return noContent();
      },
    },
    {
      method: "POST",
      path: `${users}/:username/rename`,
      surface: "api",
      access: administersAccounts,
      doc: {
        id: "adminRenameUser",
        tag: "admin",
        summary: "Rename a user",
        answers: {
          204: { description: "It has the new name; the old one leads to it." },
          ...forbidden,
          422: { description: "The new name breaks a rule or is taken." },
        },
      },
      ...takes(
        RenameUserBody,
        (call, body) => {
          identity.rename(call.principal, namedUser(call, identity), body.new_username);
          return noContent();
        },
        { before: (call) => namedUser(call, identity) },
      ),
    },
    ...emailRoutes(),
  ];

  function emailRoutes(): Route[] {
    const answers = { 200: { description: "A page of addresses.", schema: Type.Array(EmailResource) }, ...forbidden };
    const handle = (call: Call) => {
      const { items, total } = emails.search(call.principal, text(call.query, "q").trim(), call.paging);
      return page(
        items.map(({ email, owner }) => emailResource(email, owner)),
        total,
        list(call),
      );
    };
    return [
      {
        method: "GET",
        path: "/api/v1/admin/emails",
        surface: "api",
        access: administersAccounts,
        doc: {
          id: "adminGetAllEmails",
          tag: "admin",
          summary: "List all e-mail addresses",
          query: pageParams,
          answers,
        },
        handle,
      },
      {
        method: "GET",
        path: "/api/v1/admin/emails/search",
        surface: "api",
        access: administersAccounts,
        doc: {
          id: "adminSearchEmails",
          tag: "admin",
          summary: "Search e-mail addresses",
          query: [
            { name: "q", description: "Part of the address, or of its owner's name.", schema: Type.String() },
            ...pageParams,
          ],
          answers,
        },
        handle,
      },
    ];
  }
}

const orders = ["name", "created", "updated", "id"] as const;

function listUsers(call: Call, identity: Services["identity"]) {
  const { query, paging } = call;
  const oneOf = <T extends string>(name: string, known: readonly T[], what: string): T | undefined => {
    const given = text(query, name);
    if (given === "") return undefined;
    const found = known.find((candidate) => candidate === given);
    if (!found)
      throw new ValidationFailed("list.bad-parameter", { field: name, params: { what, given: JSON.stringify(given) } });
    return found;
  };
  const by = oneOf("sort", orders, "sort mode") ?? "name";
  const descending = oneOf("order", ["asc", "desc"], "sort order") === "desc";
  const visibility = oneOf("visibility", visibilities, "visibility mode");
  return identity.list(
    call.principal,
    {
      kinds: ["individual"],
      text: text(query, "q").trim(),
      loginName: text(query, "login_name") || undefined,
      sourceId: number(query, "source_id"),
      ...(visibility ? { visibility } : {}),
      isActive: flag(query, "is_active"),
      isAdmin: flag(query, "is_admin"),
      isRestricted: flag(query, "is_restricted"),
      prohibitLogin: flag(query, "is_prohibit_login"),
      hasSecondFactor: flag(query, "is_2fa_enabled"),
    },
    { by, descending },
    paging,
  );
}

/** Milliseconds of an RFC 3339 time. @throws ValidationFailed */
function timeOf(given: string | undefined): number | undefined {
  if (given === undefined || given === "") return undefined;
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isFinite(time)) throw new ValidationFailed("account.bad-creation-time", { field: "created_at" });
  return time;
}
