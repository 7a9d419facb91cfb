import { Type } from "@sinclair/typebox";
import { visibilities } from "../access/levels.ts";
import type { User } from "../access/user.ts";
import {
  asks,
  choiceParam,
  flagParam,
  type ListCall,
  lists,
  numberParam,
  searchParam,
  textParam,
  type ValuesOf,
} from "../http/query.ts";
import { created, json, noContent, page } from "../http/respond.ts";
import { type Route, takes } from "../http/route.ts";
import { EmailResource, emailResource } from "../identity/emails/resource.ts";
import { namedUser } from "../identity/named-user.ts";
import { UserResource, userResource, userResources } from "../identity/resource.ts";
import type { IdentityService } from "../identity/service.ts";
import { BadRequest, ValidationFailed } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { administersAccounts } from "./access.ts";
import { cronRoutes } from "./background/api.ts";
import { CreateUserBody, EditUserBody, RenameUserBody } from "./resource.ts";
import { unadoptedRoutes } from "./unadopted.ts";

const forbidden = { 403: { description: "The caller is not a site administrator." } };

const findingUsers = {
  q: searchParam("Part of the name, full name or address."),
  login_name: textParam("Name at an external sign-in source."),
  source_id: numberParam("Sign-in source; 0 is local."),
  visibility: choiceParam("public, limited or private.", visibilities, "visibility mode"),
  is_active: flagParam("Only active accounts, or only inactive ones."),
  is_admin: flagParam("Only site administrators, or only other accounts."),
  is_restricted: flagParam("Only restricted accounts, or only other accounts."),
  is_2fa_enabled: flagParam("Only accounts with a second factor."),
  is_prohibit_login: flagParam("Only accounts that are not allowed to sign in."),
  sort: choiceParam("name (the default), created, updated or id.", ["name", "created", "updated", "id"], "sort mode"),
  order: choiceParam("asc (the default) or desc.", ["asc", "desc"], "sort order"),
};

/** Site administration over REST. */
export function adminRoutes(services: Services): Route[] {
  return [...accountRoutes(services), ...cronRoutes(services), ...unadoptedRoutes(services)];
}

/**
 * Gitea's clients must send it, and send the login or an empty value if they do not mean to change it: accounts from
 * a source keep theirs then.
 */
function givenLoginName(body: { login_name?: string; source_id?: number }, user: User): string | undefined {
  const saysNothing = body.login_name === "" || (body.login_name === user.login && !body.source_id);
  return saysNothing && user.sourceId !== 0 ? undefined : body.login_name;
}

/** `/admin`: accounts and addresses of the whole site. */
function accountRoutes({ accountCreation, admin, config, emails, identity, links, sources }: Services): Route[] {
  const requireSource = (id: number) => {
    if (!sources.byId(id)) throw new ValidationFailed("account.source-missing", { params: { id } });
  };
  const users = "/api/v1/admin/users";
  const list = (call: ListCall) => ({ rootUrl: links.rootUrl, ...call });
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
        answers: {
          200: { description: "A page of accounts with all their fields.", schema: Type.Array(UserResource) },
          ...forbidden,
          422: { description: "Unknown order or visibility." },
        },
      },
      ...lists(findingUsers, (call, wanted) => {
        const { items, total } = listUsers(call, wanted, identity);
        return page(userResources({ identity, links }, call.principal, items), total, list(call));
      }),
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
          201: { description: "The account, which can be used at once.", schema: UserResource },
          400: { description: "The password is missing or too short." },
          ...forbidden,
          422: { description: "The name or address is invalid or taken." },
        },
      },
      ...takes(CreateUserBody, async (call, body) => {
        if (body.source_id) requireSource(body.source_id);
        else if ((body.password ?? "").length < config["password.min_length"])
          throw new BadRequest("account.password-required");
        const user = await accountCreation.create(call.principal, {
          login: body.username,
          email: body.email,
          // Accounts from a source have no local password.
          password: body.source_id ? undefined : body.password,
          sourceId: body.source_id ?? 0,
          mustChangePassword: !body.source_id && (body.must_change_password ?? true),
          fullName: body.full_name,
          loginName: body.login_name,
          isRestricted: body.restricted,
          visibility: body.visibility || undefined,
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
            description:
              "The address is invalid or taken, the password is too short, or this is the last administrator. Nothing was changed.",
          },
          ...forbidden,
          422: { description: "A value is invalid. Nothing was changed." },
        },
      },
      ...takes(
        EditUserBody,
        async (call, body) => {
          const user = namedUser(call, identity);
          if (body.source_id) requireSource(body.source_id);
          const edited = await identity.edit(call.principal, user, {
            loginName: givenLoginName(body, user),
            // Clients send 0 when they do not mean to change it.
            sourceId: body.source_id || undefined,
            email: body.email,
            fullName: body.full_name,
            // An empty one means unchanged, as forms send it.
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
            visibility: body.visibility || undefined,
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
        answers: {
          204: { description: "Deleted." },
          ...forbidden,
          404: { description: "There is no such account." },
          422: {
            description:
              "The account is the caller's own, the last administrator, or owns repositories and purge is not set.",
          },
        },
      },
      ...asks({ purge: flagParam("Also delete everything the account owns.", false) }, async (call, { purge }) => {
        await admin.deleteUser(call.principal, namedUser(call, identity), { purge });
        return noContent();
      }),
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
          204: { description: "The account has its new name; the old one redirects to it." },
          ...forbidden,
          422: { description: "The new name is invalid or taken." },
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
    const answers = {
      200: { description: "A page of addresses, sorted by address.", schema: Type.Array(EmailResource) },
      ...forbidden,
    };
    const q = searchParam("Part of the address, or of its owner's name.");
    const found = (call: ListCall, part: string) => {
      const { items, total } = emails.search(call.principal, { part }, call.paging);
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
          answers,
        },
        ...lists({ q }, (call, wanted) => found(call, wanted.q)),
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
          answers,
        },
        ...lists({ q }, (call, wanted) => found(call, wanted.q)),
      },
    ];
  }
}

function listUsers({ principal, paging }: ListCall, wanted: ValuesOf<typeof findingUsers>, identity: IdentityService) {
  return identity.list(
    principal,
    {
      kinds: ["individual"],
      text: wanted.q,
      loginName: wanted.login_name || undefined,
      sourceId: wanted.source_id,
      ...(wanted.visibility ? { visibility: wanted.visibility } : {}),
      isActive: wanted.is_active,
      isAdmin: wanted.is_admin,
      isRestricted: wanted.is_restricted,
      prohibitLogin: wanted.is_prohibit_login,
      hasSecondFactor: wanted.is_2fa_enabled,
    },
    { by: wanted.sort ?? "name", descending: wanted.order === "desc" },
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
