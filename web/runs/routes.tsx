import { readsRuns, writesRuns } from "../../src/actions/access.ts";
import type { Route } from "../../src/http/route.ts";
import { administersRepo } from "../../src/repos/access.ts";
import type { WebServices } from "../area.ts";
import { approveAll, dispatch, dispatchInputs, list, switchWorkflow } from "./list-routes.tsx";
import { fromOlderAddress } from "./older-addresses.ts";
import { polled } from "./polling.ts";
import {
  artifactFile,
  changeRun,
  deleteArtifact,
  followLog,
  jobPage,
  logFile,
  rerunJob,
  runPage,
  stepRows,
  workflowFile,
} from "./run-routes.tsx";

/** Pages of workflow runs (contract actions.md 9, web.md 1.10). */
export function runPages(services: WebServices): Route[] {
  const at = (path: string) => ({ surface: "page", path: `/:owner/:repo/actions${path}` }) as const;
  const read = { method: "GET", access: readsRuns } as const;
  const change = { method: "POST", access: writesRuns } as const;
  const administer = { method: "POST", access: administersRepo } as const;
  const run = "/runs/:run";
  const attempt = `${run}/attempts/:attempt`;
  const job = `${run}/jobs/:job`;
  return [
    { ...at(""), ...read, handle: (call) => list(services, call) },
    { ...at("/run"), ...change, handle: (call) => dispatch(services, call) },
    {
      ...at("/workflow-dispatch-inputs"),
      method: "GET",
      access: writesRuns,
      handle: (call) => dispatchInputs(services, call),
    },
    { ...at("/enable"), ...administer, handle: (call) => switchWorkflow(services, call, true) },
    { ...at("/disable"), ...administer, handle: (call) => switchWorkflow(services, call, false) },
    { ...at("/approve-all-checks"), ...change, handle: (call) => approveAll(services, call) },
    { ...at(run), ...read, handle: (call) => fromOlderAddress(services, call) ?? runPage(services, call) },
    { ...at(attempt), ...read, handle: (call) => runPage(services, call) },
    { ...at(job), ...read, handle: (call) => fromOlderAddress(services, call) ?? jobPage(services, call) },
    // Polled once a second by clients that use the page script's protocol.
    ...[run, attempt, job].map(
      (path): Route => ({ ...at(path), method: "POST", access: readsRuns, handle: (call) => polled(services, call) }),
    ),
    { ...at(`${job}/rows`), ...read, handle: (call) => stepRows(services, call) },
    { ...at(`${job}/follow`), ...read, handle: (call) => followLog(services, call) },
    { ...at(`${job}/logs`), ...read, surface: "bytes", handle: (call) => logFile(services, call) },
    { ...at(`${run}/workflow`), ...read, handle: (call) => workflowFile(services, call) },
    ...(["cancel", "approve", "delete", "rerun", "rerun-failed"] as const).map(
      (what): Route => ({ ...at(`${run}/${what}`), ...change, handle: (call) => changeRun(services, call, what) }),
    ),
    { ...at(`${run}/artifacts/:name`), ...read, surface: "bytes", handle: (call) => artifactFile(services, call) },
    ...(["DELETE", "POST"] as const).map(
      (method): Route => ({
        ...at(`${run}/artifacts/:name${method === "POST" ? "/delete" : ""}`),
        ...change,
        method,
        handle: (call) => deleteArtifact(services, call),
      }),
    ),
    { ...at(`${job}/rerun`), ...change, handle: (call) => rerunJob(services, call) },
  ];
}
