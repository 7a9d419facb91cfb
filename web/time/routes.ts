import { json } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { changesItems } from "../../src/issues/access.ts";
import { seenIssue } from "../../src/issues/item.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { stopWatchResource } from "../../src/time/resource.ts";
import type { WebServices } from "../area.ts";
import { ofBothKinds } from "../conversation/both-kinds.ts";
import { type Form, readForm, refusalOf } from "../form-data.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost } from "../visit.ts";
import { worktimePages } from "./worktime-routes.tsx";

/** Time tracking by forms of an item's page (contract web.md 1.9). */
export function timePages(services: WebServices): Route[] {
  const { times } = services;
  const act = (path: string, run: (item: SeenIssue, form: Form, call: Call) => void): Route => ({
    surface: "page",
    method: "POST",
    path: `/:owner/:repo/issues/:index/${path}`,
    access: changesItems,
    handle: (call) => changed(services, call, run),
  });
  const running = ({ principal }: Call): Response => {
    const found = times.running(principal);
    return json(found ? [stopWatchResource(found)] : []);
  };
  const ofItems = ofBothKinds([
    act("times/add", (item, form) => {
      times.add(item, { seconds: (form.number("hours") ?? 0) * 3600 + (form.number("minutes") ?? 0) * 60 });
    }),
    act("times/stopwatch/start", (item) => times.start(item)),
    act("times/stopwatch/stop", (item) => times.stop(item)),
    act("times/stopwatch/cancel", (item) => times.cancel(item)),
    act("times/:id/delete", (item, _, call) => {
      const id = param(call, "id");
      times.delete(item, /^\d{1,15}$/.test(id) ? Number(id) : 0);
    }),
    act("time_estimate", (item, form) => times.estimate(item, form.text("time_estimate"))),
  ]);
  return [
    ...ofItems,
    ...worktimePages(services),
    { surface: "page", method: "GET", path: "/user/stopwatches", access: ownAccount, handle: running },
  ];
}

async function changed(
  services: WebServices,
  call: Call,
  run: (item: SeenIssue, form: Form, call: Call) => void,
): Promise<Response> {
  const item = seenIssue(call, services.issues);
  const form = await readForm(call);
  const { issue, seen } = item;
  const back = homeOf(seen, `${issue.isPull ? "pulls" : "issues"}/${issue.number}`);
  try {
    run(item, form, call);
  } catch (error) {
    if (error instanceof NotFound) throw error;
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  return redirectAfterPost(services, call, back);
}
