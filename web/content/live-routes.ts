import type { Call, Route } from "../../src/http/route.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { readCode } from "./access.ts";
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
        return new Response(
          services.live.subscribe(`repo:${id}`, () => mayStillRead(services, call, id)),
          {
            headers: {
              "content-type": "text/event-stream; charset=utf-8",
              "cache-control": "no-store",
              // Reverse proxies that collect answers would hold the events back.
              "x-accel-buffering": "no",
            },
          },
        );
      },
    },
  ];
}

/** A stream lives longer than what let it in: the account, its session and its access are asked about again. */
function mayStillRead({ authenticator, repos }: WebServices, { principal }: Call, repoId: number): boolean {
  const present = authenticator.refreshed(principal);
  return present !== undefined && (repos.seeById(present, repoId)?.access.on("code") ?? "none") !== "none";
}
