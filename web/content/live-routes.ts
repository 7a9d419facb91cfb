import { type Call, type Route, seenRepo } from "../../src/http/route.ts";
import type { Services } from "../../src/services.ts";
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

/** The account, its session and its access, as they are now: a stream lives longer than what let it in. */
function mayStillRead({ identity, repos, sessions }: Services, { actor, user }: Call, repoId: number): boolean {
  const present = user && identity.byId(user.id);
  if (user && (!present || identity.accountProblem(present) !== undefined)) return false;
  if (user && !sessions.list(user.id).some(({ id }) => id === actor.sessionId)) return false;
  return (repos.seeById({ ...actor, user: present }, repoId)?.access.on("code") ?? "none") !== "none";
}
