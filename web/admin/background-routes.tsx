import { administersBackground } from "../../src/admin/access.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { Failure } from "../../src/kernel/errors.ts";
import type { WebServices } from "../area.ts";
import { readForm, refusalText } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { eventStream } from "../live.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { BACKGROUND, BackgroundPage, JOB_STATES, SchedulesPage } from "./background.tsx";
import { adminWords } from "./words/index.ts";

const PER_PAGE = 25;
/** States whose jobs are counted: those that need attention, or will. */
const COUNTED = ["waiting", "running", "failed"] as const;
const COUNT = { page: 1, limit: 0, offset: 0 };
/** Maximum events shown that were set aside after failing; handled ones make room for more. */
const MAX_EVENTS = 50;

/** Jobs, schedules and events that could not be handled, with actions to fix them. */
export function backgroundPages(services: WebServices): Route[] {
  const page = { surface: "page", access: administersBackground } as const;
  return [
    { ...page, method: "GET", path: BACKGROUND, handle: (call) => list(services, call) },
    { ...page, method: "GET", path: "/-/admin/monitor/cron", handle: (call) => schedules(services, call) },
    {
      ...page,
      method: "GET",
      path: `${BACKGROUND}/-/events`,
      handle: (call) => eventStream(services, call, "jobs"),
    },
    { ...page, method: "POST", path: `${BACKGROUND}/jobs`, handle: (call) => changeJob(services, call) },
    { ...page, method: "POST", path: "/-/admin", handle: (call) => operate(services, call) },
    { ...page, method: "POST", path: `${BACKGROUND}/schedules`, handle: (call) => runSchedule(services, call) },
    { ...page, method: "POST", path: `${BACKGROUND}/events`, handle: (call) => changeEvent(services, call) },
  ];
}

async function list(services: WebServices, call: Call): Promise<Response> {
  const { background } = services;
  const state = JOB_STATES.find((one) => one === call.query.get("state"));
  const slice = pageOf(call, PER_PAGE);
  const jobs = background.listJobs(call.principal, state, slice);
  const countOf = (one: (typeof COUNTED)[number]) =>
    [one, background.listJobs(call.principal, one, COUNT).total] as const;
  const events = background.listSetAside(call.principal, { page: 1, limit: MAX_EVENTS, offset: 0 });
  const schedules = await background.listSchedules(call.principal);
  return show(
    call,
    <BackgroundPage
      shell={shellOf(services, call)}
      state={state}
      jobs={jobs.items}
      counts={new Map(COUNTED.map(countOf))}
      pages={{ page: slice.page, perPage: PER_PAGE, total: jobs.total, href: withQuery(BACKGROUND, { state }) }}
      schedules={schedules}
      events={events.items}
    />,
  );
}

/** Only the schedules, at the contract's URL. */
async function schedules(services: WebServices, call: Call): Promise<Response> {
  const all = await services.background.listSchedules(call.principal);
  return show(call, <SchedulesPage shell={shellOf(services, call)} schedules={all} />);
}

/** Takes `id` and `action`: retry, cancel or discard. */
async function changeJob(services: WebServices, call: Call): Promise<Response> {
  const { background } = services;
  const form = await readForm(call);
  const id = form.number("id") ?? 0;
  const t = wordsFor(call, adminWords);
  switch (form.text("action")) {
    case "cancel":
      return done(services, call, t("jobCancelled"), () => background.cancelJob(call.principal, id));
    case "discard":
      return done(services, call, t("jobDiscarded"), () => background.discardJob(call.principal, id));
    default:
      return done(services, call, t("jobRetried"), () => background.retryJob(call.principal, id));
  }
}

async function runSchedule(services: WebServices, call: Call): Promise<Response> {
  const name = (await readForm(call)).text("name");
  const text = wordsFor(call, adminWords)("scheduleStarted", { name });
  return done(services, call, text, () => services.background.runSchedule(call.principal, name));
}

/** Takes `op`, the name of a task, and `from`: return to the tasks or to the overview (contract web.md 1.12). */
async function operate(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const name = form.text("op");
  services.background.runSchedule(call.principal, name);
  const place = form.text("from") === "monitor" ? "/-/admin/monitor/cron" : "/-/admin";
  const text = wordsFor(call, adminWords)("scheduleStarted", { name });
  return redirectAfterPost(services, call, place, { kind: "success", text });
}

/** Takes `consumer`, `event` and `action`: retry or discard. */
async function changeEvent(services: WebServices, call: Call): Promise<Response> {
  const { background } = services;
  const form = await readForm(call);
  const [consumer, id] = [form.text("consumer"), form.number("event") ?? 0];
  const t = wordsFor(call, adminWords);
  if (form.text("action") === "discard")
    return done(services, call, t("eventDiscarded"), () => background.discardSetAside(call.principal, consumer, id));
  return done(services, call, t("eventRetried"), () => background.retrySetAside(call.principal, consumer, id));
}

/** Does the work and redirects to the page, with a message about the outcome. */
function done(services: WebServices, call: Call, text: string, work: () => void): Response {
  try {
    work();
  } catch (error) {
    if (error instanceof Failure && error.status !== 409) throw error;
    // A consumer may throw anything; a failed retry is not a failure of this page.
    const reason = error instanceof Failure ? refusalText(call, error) : wordsFor(call, adminWords)("retryFailed");
    return redirectAfterPost(services, call, BACKGROUND, { kind: "error", text: reason });
  }
  return redirectAfterPost(services, call, BACKGROUND, { kind: "success", text });
}
