import { json } from "../../src/http/respond.ts";
import type { Call } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost } from "../visit.ts";
import { runsWords } from "./words/index.ts";

type Said =
  | "artifactDeleted"
  | "runAgain"
  | "runApproved"
  | "runCancelled"
  | "runDeleted"
  | "runStarted"
  | "workflowDisabled"
  | "workflowEnabled";

/** The outcome of an action: a flash message for a browser, JSON for a script (contract web.md 1.10). */
export function done(services: WebServices, call: Call, to: string, said: Said): Response {
  const isBrowser = call.request.headers.get("accept")?.includes("text/html") === true;
  if (!isBrowser) return json({ redirect: to });
  return redirectAfterPost(services, call, to, { kind: "success", text: wordsFor(call, runsWords)(said) });
}
