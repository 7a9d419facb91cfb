import { atLeast } from "../../src/access/levels.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { TemplateSet } from "../../src/issue-templates/types.ts";
import { changesItems } from "../../src/issues/access.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { refHref, withQuery } from "../links.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { shellOf, show } from "../visit.ts";
import { ChooseTemplatePage } from "./choose.tsx";

/** Templates and forms for new issues (contract web.md 1.9). */
export function templatePages(services: WebServices): Route[] {
  return [
    {
      surface: "page",
      method: "GET",
      path: "/:owner/:repo/issues/new/choose",
      access: changesItems,
      handle: (call) => choose(services, call),
    },
  ];
}

/** Whether there is anything to choose before writing an issue. */
export const hasChoice = ({ config, templates }: TemplateSet) => templates.length > 0 || config.contactLinks.length > 0;

/** Whether an issue may be written without choosing a template. */
export const allowsBlank = ({ config, templates }: TemplateSet) => config.allowsBlank || templates.length === 0;

async function choose(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const { issueTemplates, issues } = services;
  if (!atLeast(issues.levelOn(seen, { isPull: false }), "read")) throw new NotFound();
  const set = await issueTemplates.read(seen);
  const newHref = withQuery(homeOf(seen, "issues/new"), Object.fromEntries([...call.query].slice(0, 50)));
  if (!hasChoice(set)) return redirect(newHref);
  const repo = await repoFrame(services, seen);
  const at = { kind: "branch", name: seen.repo.defaultBranch } as const;
  const problems = repo.may.write
    ? set.problems.map((problem) => ({ ...problem, href: refHref(repo, "src", at, problem.path) }))
    : [];
  const view = (
    <ChooseTemplatePage
      shell={shellOf(services, call)}
      repo={repo}
      newHref={newHref}
      templates={set.templates}
      links={set.config.contactLinks}
      allowsBlank={allowsBlank(set)}
      problems={problems}
    />
  );
  return show(call, view);
}
