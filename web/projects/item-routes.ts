import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { changesItems } from "../../src/issues/access.ts";
import { requireWrite } from "../../src/issues/rights.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { localPath } from "../redirect-target.ts";
import { redirectAfterPost } from "../visit.ts";

const MAX_ITEMS = 100;

/** Board changes from the page of an item, and from lists (contract issues.md 21.3). */
export function itemProjectPages(services: WebServices): Route[] {
  const page = { surface: "page", method: "POST", access: changesItems } as const;
  return [
    { ...page, path: "/:owner/:repo/issues/projects", handle: (call) => setProjects(services, call) },
    { ...page, path: "/:owner/:repo/issues/projects/column", handle: (call) => setColumn(services, call) },
  ];
}

/**
 * Items of the repository by id; the caller must be able to write all of them. @throws NotFound when one is not found
 */
function writable({ issues }: WebServices, call: Call, ids: readonly number[]): SeenIssue[] {
  const { principal, repo } = seenRepo(call);
  if (ids.length === 0 || ids.length > MAX_ITEMS) throw new NotFound();
  const items = issues.seeEach(principal, ids).filter(({ issue }) => issue.repoId === repo.id);
  if (items.length < ids.length) throw new NotFound();
  for (const item of items) requireWrite(item);
  return items;
}

const numbersIn = (text: string) => [
  ...new Set(text.split(",").flatMap((part) => (/^\s*\d{1,15}\s*$/.test(part) ? [Number(part)] : []))),
];

async function setProjects(services: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call);
  const items = writable(services, call, numbersIn(call.query.get("issue_ids") ?? form.text("issue_ids")));
  // Without JavaScript, each checkbox has its own name.
  const boxes = form.starting("project-").flatMap(([name]) => numbersIn(name.slice("project-".length)));
  const projects = form.has("id") ? numbersIn(form.text("id")).filter((id) => id > 0) : boxes;
  services.itemProjects.setEach(items, projects);
  return answer(services, call, form.text("redirect_to"));
}

async function setColumn(services: WebServices, call: Call): Promise<Response> {
  const { boards, itemProjects } = services;
  const form = await readForm(call);
  const [item] = writable(services, call, [form.number("issue_id") ?? 0]);
  if (!item) throw new NotFound();
  const column = boards.columnById(form.number("id") ?? 0);
  boards.moveCard(itemProjects.seen(item, column.projectId), item.issue.id, column.id, undefined);
  return answer(services, call, form.text("redirect_to"));
}

function answer(services: WebServices, call: Call, redirectTo: string): Response {
  const back = localPath(redirectTo);
  return back === undefined ? json({ ok: true }) : redirectAfterPost(services, call, back);
}
