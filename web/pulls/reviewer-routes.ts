import type { Call, Route } from "../../src/http/route.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../src/kernel/errors.ts";
import { changesPulls } from "../../src/pulls/access.ts";
import type { RequestedReviewers } from "../../src/pulls/review/requests.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { type Form, readForm, refusalOf } from "../form-data.ts";
import { administersItemsPage } from "../issue-lists/access.ts";
import { actionOf, type Change, changeSeveral } from "../issue-lists/bulk-routes.ts";
import { redirectAfterPost } from "../visit.ts";
import { reviewersById } from "./reviewer-ids.ts";
import { pullHref } from "./shown.ts";

/** Requests reviews and dismisses verdicts, at the URLs of items (contract pulls.md 22.4). */
export function reviewerRoutes(services: WebServices): Route[] {
  const post = { method: "POST", surface: "page" } as const;
  return [
    {
      ...post,
      access: changesPulls,
      path: "/:owner/:repo/issues/request_review",
      handle: (call) => changeSeveral(services, call, requestReview, { isTold: false }),
    },
    {
      ...post,
      access: administersItemsPage,
      path: "/:owner/:repo/issues/dismiss_review",
      handle: (call) => dismissReview(services, call),
    },
  ];
}

const requestReview: Change = (services, items, form, call) => {
  const { pulls, reviewRequests } = services;
  const asked = reviewersIn(services, seenRepo(call), form);
  try {
    for (const each of items) {
      const item = pulls.of(each);
      if (!item) throw new NotFound();
      if (actionOf(form, call) === "detach") reviewRequests.remove(item, asked);
      else reviewRequests.add(item, asked);
    }
  } catch (error) {
    // The API has a different status for this.
    throw error instanceof ValidationFailed ? new Forbidden(error.code, error) : error;
  }
};

/** Programs send one id, our forms send names. @throws NotFound */
function reviewersIn(services: WebServices, seen: SeenRepo, form: Form): RequestedReviewers {
  const named = (name: string) => (form.text(name) === "" ? [] : [form.text(name)]);
  if (form.text("id") === "") return { users: named("reviewer"), teams: named("team") };
  const asked = reviewersById(services, seen, form.text("id"));
  if (asked.users.length + asked.teams.length === 0) throw new NotFound();
  return asked;
}

async function dismissReview(services: WebServices, call: Call): Promise<Response> {
  const { reviews } = services;
  const form = await readForm(call);
  const { item, review } = reviews.find(seenRepo(call), form.number("review_id") ?? 0);
  const to = pullHref(item);
  try {
    reviews.dismiss(item, review, form.exact("message").replaceAll("\r\n", "\n"), true);
    return redirectAfterPost(services, call, to);
  } catch (error) {
    return redirectAfterPost(services, call, to, { kind: "error", text: refusalOf(call, error) });
  }
}
