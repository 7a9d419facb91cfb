import { Type } from "@sinclair/typebox";
import type { User } from "../access/user.ts";
import { asks, lists, textParam } from "../http/query.ts";
import { noContent, page } from "../http/respond.ts";
import type { Access, Call, Method, Route } from "../http/route.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Services } from "../services.ts";
import { BlockedUserResource, blockedUserResource } from "./resource.ts";

type Operation = "block" | "list" | "check" | "unblock" | "putBlock" | "putUnblock" | "listBlocked";

/** An account that blocks others, for its routes. */
export interface Blocker {
  readonly base: string;
  readonly access: Access;
  readonly tag: "user" | "organization";
  readonly params?: Readonly<Record<string, string>>;
  readonly operations: Readonly<Record<Operation, { readonly id: string; readonly summary: string }>>;
  /** Accounts that it cannot block. */
  readonly notAllowed: string;
  readonly noteFor: string;
  readonly further?: Readonly<Record<number, { readonly description: string }>>;
  of(call: Call): User;
  /** The account to block, named in the path. @throws NotFound; BadRequest */
  toBlock(call: Call): User;
  /** The account named in the path, which may already be blocked. @throws NotFound */
  named(call: Call): User;
}

/** The routes by which an account blocks others, in both spellings (contract identity.md 11.2). */
export function blockRoutesOf(services: Services, blocker: Blocker): Route[] {
  const { blocks, links } = services;
  const { access, base, operations, params, tag } = blocker;
  const block = (call: Call, note = "") => {
    blocks.block(call.principal, blocker.of(call), blocker.toBlock(call), note);
    return noContent();
  };
  const unblock = (call: Call) => {
    blocks.unblock(call.principal, blocker.of(call), blocker.named(call));
    return noContent();
  };
  const doc = (operation: Operation) => ({ ...operations[operation], tag });
  const ofOne = params ? { params } : {};
  const change = (
    method: Method,
    path: string,
    operation: Operation,
    handles: Pick<Route, "handle" | "query">,
  ): Route => ({
    method,
    path: `${base}/${path}/:username`,
    surface: "api",
    access,
    doc: {
      ...doc(operation),
      ...ofOne,
      answers: {
        204: { description: "Done." },
        400: { description: `The account is already blocked, or cannot be blocked: ${blocker.notAllowed}.` },
        ...blocker.further,
        404: { description: "There is no such account, or the caller may not see it." },
      },
    },
    ...handles,
  });
  const blocking = asks({ note: textParam(blocker.noteFor) }, (call, { note }) => block(call, note));
  return [
    change("PUT", "blocks", "block", blocking),
    {
      method: "GET",
      path: `${base}/blocks`,
      surface: "api",
      access,
      doc: {
        ...doc("list"),
        answers: { 200: { description: "The accounts, oldest block first.", schema: Type.Array(UserResource) } },
      },
      ...lists({}, (call) => {
        const { items, total } = blocks.list(blocker.of(call), call.paging);
        const users = items.map(({ user }) => user);
        return page(userResources(services, call.principal, users), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      method: "GET",
      path: `${base}/blocks/:username`,
      surface: "api",
      access,
      doc: {
        ...doc("check"),
        ...ofOne,
        answers: {
          204: { description: "The account is blocked." },
          404: { description: "The account is not blocked." },
        },
      },
      handle: (call) => {
        if (!blocks.isBlocked(blocker.of(call), blocker.named(call))) throw new NotFound("block.none");
        return noContent();
      },
    },
    change("DELETE", "blocks", "unblock", { handle: unblock }),
    change("PUT", "block", "putBlock", { handle: (call) => block(call) }),
    change("PUT", "unblock", "putUnblock", { handle: unblock }),
    {
      method: "GET",
      path: `${base}/list_blocked`,
      surface: "api",
      access,
      doc: {
        ...doc("listBlocked"),
        answers: { 200: { description: "Oldest first.", schema: Type.Array(BlockedUserResource) } },
      },
      ...lists({}, (call) => {
        const { items, total } = blocks.list(blocker.of(call), call.paging);
        return page(items.map(blockedUserResource), total, { rootUrl: links.rootUrl, ...call });
      }),
    },
  ];
}
