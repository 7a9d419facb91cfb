import { readCode } from "../../src/content/access.ts";
import type { Route } from "../../src/http/route.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { Sources } from "./sources.ts";

/** What happens to a repository, while it happens: pages listen and show it. */
export function livePages({ services }: Sources): Route[] {
  return [
    {
      method: "GET",
      path: "/:owner/:repo/-/events",
      surface: "page",
      access: readCode,
      handle: (call) => {
        call.keepOpen();
        const { id } = seenRepo(call).repo;
        return new Response(services.live.subscribe(`repo:${id}`, call.principal), {
          headers: {
            "content-type": "text/event-stream; charset=utf-8",
            "cache-control": "no-store",
            // Reverse proxies that collect answers would hold the events back.
            "x-accel-buffering": "no",
          },
        });
      },
    },
  ];
}
