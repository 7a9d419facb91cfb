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
 * Every other path below a repository: 404, except that a former repository name redirects to the current one, so that
 * old links keep working for pages of every area.
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

/** Old URLs that people and programs still use, and their redirects (contract web.md 3.4). */
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
