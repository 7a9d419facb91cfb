import { readCompareSpec } from "../../src/content/compare/spec.ts";
import { BRANCHES } from "../../src/git/refs/names.ts";
import { param, type Route } from "../../src/http/route.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { changesPulls } from "../../src/pulls/access.ts";
import { draftTitle } from "../../src/pulls/values.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { chosenIn } from "../conversation/plan-choices.ts";
import { sent } from "../conversation/sent.ts";
import { type Form, readForm, refusalText } from "../form-data.ts";
import { submittedOf } from "../issue-templates/submitted.ts";
import { withQuery } from "../links.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost } from "../visit.ts";
import { reviewersById } from "./reviewer-ids.ts";
import { pullHref } from "./shown.ts";

/** A refused text goes back into the form through the URL: no more than URLs can hold. */
const MAX_KEPT = 4_000;

/** The form for a new pull request posts to the URL of the comparison itself. */
export function createPull(services: WebServices): Route[] {
  return [
    {
      method: "POST",
      path: "/:owner/:repo/compare/*",
      surface: "page",
      access: changesPulls,
      handle: async (call) => {
        const seen = seenRepo(call);
        const { base, head } = readCompareSpec(param(call, "*"));
        const form = await readForm(call);
        const branch = (revision: string) => (revision || seen.repo.defaultBranch).replace(BRANCHES, "");
        const body = await bodyOf(services, seen, form);
        const { assignees, labels, milestone, projects } = chosenIn(services, form);
        const numbered = reviewersById(services, seen, form.text("reviewer_ids"));
        const reviewers = {
          users: [...sent(form, "reviewers"), ...numbered.users],
          teams: [...sent(form, "team_reviewers"), ...numbered.teams],
        };
        try {
          const item = await services.pullCreation.create(seen, {
            base: branch(base.revision),
            head: head.place === undefined ? branch(head.revision) : `${head.place}:${branch(head.revision)}`,
            title: form.checked("draft") ? draftTitle(form.text("title"), true) : form.text("title"),
            body,
            labels,
            assignees,
            milestoneId: milestone,
            projects,
            files: sent(form, "files"),
            ...(reviewers.users.length + reviewers.teams.length > 0 ? { reviewers } : {}),
            ...(form.has("asks_for_edits") || form.has("allow_maintainer_edit")
              ? { allowsMaintainerEdit: form.checked("allow_maintainer_edit") }
              : {}),
          });
          return redirectAfterPost(services, call, pullHref(item));
        } catch (error) {
          if (!(error instanceof Failure) || error.status >= 500 || error.status === 404) throw error;
          const kept = body.length > MAX_KEPT ? {} : { body };
          const here = homeOf(seen, call.path.split("/").slice(3).join("/"));
          const to = withQuery(here, { expand: 1, title: form.text("title"), ...kept });
          return redirectAfterPost(services, call, to, { kind: "error", text: refusalText(call, error) });
        }
      },
    },
  ];
}

/** The text, or the values of the repository's form template. */
async function bodyOf({ issueTemplates }: WebServices, seen: SeenRepo, form: Form): Promise<string> {
  const { pull } = await issueTemplates.read(seen);
  if (!pull?.fields || form.text("template-file") !== pull.path) return form.exact("content").replaceAll("\r\n", "\n");
  return issueTemplates.compose(pull.fields, submittedOf(pull.fields, form));
}
