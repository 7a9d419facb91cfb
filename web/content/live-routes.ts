import { readCode } from "../../src/content/access.ts";
import type { Route } from "../../src/http/route.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { eventStream } from "../live.ts";
import type { Sources } from "./sources.ts";

/** Live events of a repository, which open pages subscribe to. */
export function livePages({ services }: Sources): Route[] {
  return [
    {
      method: "GET",
      path: "/:owner/:repo/-/events",
      surface: "page",
      access: readCode,
      handle: (call) => eventStream(services, call, `repo:${seenRepo(call).repo.id}`),
    },
  ];
}
