import { sentBody } from "../../http/body.ts";
import { json } from "../../http/respond.ts";
import type { Access, Call, Method, Route } from "../../http/route.ts";
import { BadRequest, Failure, Unauthorised } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import type { AskingJob } from "./types.ts";

/** Jobs know no account, and work on a closed site too. */
const jobs: Access = { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true };

interface OpenRoute {
  readonly method: Method;
  readonly path: string;
  handle(call: Call): Response | Promise<Response>;
}

/** A route that is open because what asks proves itself in another way; what is refused is JSON, as its clients expect. */
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
        // Clients of the newer protocol look for the second.
        return json({ message, msg: message }, error.status);
      }
    },
  };
}

/** A route of a job that runs, named by its token. @param runOf the number of the run that is asked about, when the path says it */
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
      // The contract's status: clients that ask too late know it.
      if (job.isOver) throw new Failure(500, "actions.task-not-running");
      const run = call.params["run"];
      if (run !== undefined && run !== String(job.runId)) throw new BadRequest("actions.other-run");
      return route.handle(call, job);
    },
  });
}

/** The bytes of a part of a file, as they were sent. */
export function sentPart(call: Call, maxBytes: number): AsyncIterable<Uint8Array> {
  call.keepOpen();
  return sentBody(call, maxBytes);
}
