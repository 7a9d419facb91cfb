import { readCode } from "../../src/content/access.ts";
import { redirect } from "../../src/http/respond.ts";
import { param, type Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { homeOf } from "../repos/frame.ts";
import { anyone } from "../visit.ts";
import { toDefaultBranch } from "./history-routes.tsx";
import { queryOf, typedAddress } from "./place.ts";
import type { Sources } from "./sources.ts";

/**
 * Whatever else lies below a repository: not found, but under a former name it leads on to the present one, so that old
 * links keep working for pages of every area.
 */
export function unknownRepoPages(): Route[] {
  return (["GET", "POST"] as const).map((method) => ({
    method,
    path: "/:owner/:repo/*",
    surface: "page",
    access: { ...anyone, subject: { kind: "repository", level: "read" } },
    handle: () => {
      throw new NotFound();
    },
  }));
}

/** Addresses that people and other programs still use, and where they lead (contract web.md 3.4). */
export function legacyPages(sources: Sources): Route[] {
  const page = { method: "GET", surface: "page", access: readCode } as const;
  const at = (sub: string) => `/:owner/:repo/${sub}`;
  return [
    { ...page, path: at("src"), handle: (call) => redirect(homeOf(seenRepo(call)) + queryOf(call)) },
    { ...page, path: at("src/*"), handle: (call) => redirect(typedAddress(sources.services, call, "src")) },
    { ...page, path: at("commits"), handle: (call) => toDefaultBranch(sources, call) },
    { ...page, path: at("commits/*"), handle: (call) => redirect(typedAddress(sources.services, call, "commits")) },
    { ...page, path: at("blame/*"), handle: (call) => redirect(typedAddress(sources.services, call, "blame")) },
    {
      ...page,
      path: at("tree/*"),
      handle: (call) => redirect(homeOf(seenRepo(call), `src/${param(call, "raw*")}`) + queryOf(call)),
    },
    {
      ...page,
      path: at("blob/*"),
      handle: (call) => redirect(homeOf(seenRepo(call), `src/commit/${param(call, "raw*")}`) + queryOf(call)),
    },
  ];
}
