import { sentBody } from "../../http/body.ts";
import { json } from "../../http/respond.ts";
import type { Access, Call, Method, Route } from "../../http/route.ts";
import { BadRequest, Failure, Unauthorised } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import type { AskingJob } from "./types.ts";

/** Jobs have no account, and must work on a closed site too. */
const jobs: Access = { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true };

interface OpenRoute {
  readonly method: Method;
  readonly path: string;
  handle(call: Call): Response | Promise<Response>;
}

/** A route open to all because callers authenticate in another way; errors are JSON, as its clients expect. */
export function openRoute({ messages }: Pick<Services, "messages">, { handle, method, path }: OpenRoute): Route {
  return {
    surface: "open",
    access: jobs,
    method,
    path,
    handle: async (call) => {
      try {
        return await handle(call);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const message = messages.of(error);
        // Clients of the newer protocol read `msg`.
        return json({ message, msg: message }, error.status);
      }
    },
  };
}

/** A route for running jobs, identified by their token. @param runOf the ID of the requested run, if in the path */
export function jobRoute(
  services: Pick<Services, "actionsTokens" | "messages">,
  route: Omit<OpenRoute, "handle"> & { handle(call: Call, job: AskingJob): Response | Promise<Response> },
): Route {
  const { actionsTokens } = services;
  return openRoute(services, {
    ...route,
    handle: async (call) => {
      const job = await actionsTokens.claimOf(call.request.headers.get("authorization"));
      if (!job) throw new Unauthorised("actions.bad-authorization");
      // The status the contract prescribes: clients that are too late expect it.
      if (job.isOver) throw new Failure(500, "actions.task-not-running");
      const run = call.params["run"];
      if (run !== undefined && run !== String(job.runId)) throw new BadRequest("actions.other-run");
      return route.handle(call, job);
    },
  });
}

/** The bytes of part of a file, as sent. */
export function sentPart(call: Call, maxBytes: number): AsyncIterable<Uint8Array> {
  call.keepOpen();
  return sentBody(call, maxBytes);
}
