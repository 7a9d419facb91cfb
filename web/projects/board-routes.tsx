import { atLeast } from "../../src/access/levels.ts";
import { readFields } from "../../src/http/body.ts";
import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import {
  type CardFilter,
  isRepoHome,
  type Project,
  type ProjectColumn,
  type ProjectHome,
  type SeenProject,
} from "../../src/projects/types.ts";
import type { WebServices } from "../area.ts";
import { Form, readForm, refusalOf } from "../form-data.ts";
import { shownLabel } from "../labels/chip.tsx";
import { wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { eventStream } from "../live.ts";
import { personOf } from "../people.ts";
import { homeOf } from "../repos/frame.ts";
import { renderedText } from "../repos/texts.ts";
import { redirectAfterPost, show } from "../visit.ts";
import { type BoardFilter, BoardPage, type CardItem, type ColumnItem } from "./board.tsx";
import { mayChange, namedProject, numberIn, projectHome, projectsHref, writersHome } from "./home.ts";
import { frameOf, projectPlaces, seesAllCards } from "./list-routes.tsx";
import { projectsWords } from "./words/index.ts";

/** Cards per column on the page of a board, and per page of a single column. */
const CARDS = 50;

/** The page of a board, and changes to its columns and cards: by forms, or as JSON (contract issues.md 21.3). */
export function boardPages(services: WebServices): Route[] {
  return projectPlaces.flatMap(({ change, path, read }): Route[] => {
    const page = { surface: "page" } as const;
    const act = (
      method: "POST" | "PUT" | "DELETE",
      sub: string,
      run: (seen: SeenProject, form: Form, call: Call) => void,
    ): Route => ({
      ...page,
      method,
      path: `${path}/:id${sub}`,
      access: change,
      handle: (call) => changed(services, call, run),
    });
    const { boards } = services;
    const column = (call: Call) => numberIn(call, "column");
    return [
      { ...page, method: "GET", path: `${path}/:id`, access: read, handle: (call) => board(services, call) },
      {
        ...page,
        method: "GET",
        path: `${path}/:id/events`,
        access: read,
        handle: (call) => {
          const { project } = namedProject(services, call, projectHome(services, call));
          return eventStream(services, call, `project:${project.id}`);
        },
      },
      act("POST", "/columns/new", (seen, form) => boards.addColumn(seen, columnEdit(form))),
      act("POST", "/cards/add", (seen, form) => addCard(services, seen, form.text("item"))),
      act("POST", "/cards", (seen, form) => moveCard(services, seen, form)),
      act("POST", "/move", (seen, form) => boards.moveColumns(seen, columnPlaces(form))),
      act("PUT", "/:column", (seen, form, call) => boards.editColumn(seen, column(call), columnEdit(form))),
      act("POST", "/:column/edit", (seen, form, call) => boards.editColumn(seen, column(call), columnEdit(form))),
      act("DELETE", "/:column", (seen, _, call) => boards.deleteColumn(seen, column(call))),
      act("POST", "/:column/delete", (seen, _, call) => boards.deleteColumn(seen, column(call))),
      act("POST", "/:column/default", (seen, _, call) => boards.setDefaultColumn(seen, column(call))),
      act("POST", "/:column/step", (seen, form, call) =>
        boards.stepColumn(seen, column(call), form.text("to") === "left"),
      ),
      act("POST", "/:column/move", (seen, form, call) => boards.moveCards(seen, column(call), cardPlaces(form))),
    ];
  });
}

async function changed(
  services: WebServices,
  call: Call,
  run: (seen: SeenProject, form: Form, call: Call) => void,
): Promise<Response> {
  const home = writersHome(services, call);
  const seen = namedProject(services, call, home);
  const isForm = !/json/i.test(call.request.headers.get("content-type") ?? "") && call.request.method === "POST";
  const form = isForm ? await readForm(call) : new Form((await readFields(call, 1 << 20)).fields);
  const back = `${projectsHref(home)}/${seen.project.id}`;
  try {
    run(seen, form, call);
  } catch (error) {
    // Form errors are shown on the board; programs get the status.
    if (!isForm || error instanceof NotFound) throw error;
    return redirectAfterPost(services, call, back, { kind: "error", text: refusalOf(call, error) });
  }
  return isForm ? redirectAfterPost(services, call, back) : json({ ok: true });
}

const columnEdit = (form: Form) => ({
  ...(form.has("title") ? { title: form.text("title") } : {}),
  ...(form.has("color") ? { color: form.text("color") } : {}),
});

/** Objects of a JSON list, each with its id under this name. @throws NotFound for anything else */
function places(form: Form, list: string, id: string): { id: number; sorting: number }[] {
  return form.list(list).map((entry) => {
    const { [id]: number, sorting } = (entry ?? {}) as Record<string, unknown>;
    if (!Number.isSafeInteger(number) || !Number.isSafeInteger(sorting)) throw new NotFound();
    return { id: Number(number), sorting: Number(sorting) };
  });
}

const columnPlaces = (form: Form) =>
  places(form, "columns", "columnID").map(({ id, sorting }) => ({ columnId: id, sorting }));
const cardPlaces = (form: Form) =>
  places(form, "issues", "issueID").map(({ id, sorting }) => ({ issueId: id, sorting }));

function moveCard({ boards, issues, itemProjects }: WebServices, seen: SeenProject, form: Form): void {
  const issueId = form.number("issue") ?? 0;
  const column = form.number("column") ?? 0;
  const place = form.text("place");
  if (place === "off") {
    const [item] = issues.seeEach(seen.home.principal, [issueId]);
    if (!item) throw new NotFound("project.no-such-card");
    const others = (itemProjects.of([item]).get(issueId) ?? []).map(({ id }) => id);
    issues.edit(item, { fields: { projects: others.filter((id) => id !== seen.project.id) } });
  } else if (place === "up" || place === "down") boards.stepCard(seen, issueId, place === "up");
  else if (place === "top") boards.moveCard(seen, issueId, column, boards.firstCard(seen, column));
  else boards.moveCard(seen, issueId, column, form.number("before"));
}

/** @param text `12` or `#12`; on the board of an account prefixed with the repository's name */
function addCard({ issues, itemProjects, repos }: WebServices, { home, project }: SeenProject, text: string): void {
  const [, name = "", number = ""] = /^(?:(?:[\w.-]+\/)?([\w.-]+))?#?(\d{1,15})$/.exec(text.replace(/^#/, "")) ?? [];
  const repo = isRepoHome(home) ? home : name === "" ? undefined : seeRepo(repos, home, name);
  if (!repo || number === "") throw new NotFound("project.no-such-card");
  const item = issues.see(repo, Number(number));
  const present = (itemProjects.of([item]).get(item.issue.id) ?? []).map(({ id }) => id);
  issues.edit(item, { fields: { projects: [...present, project.id] } });
}

function seeRepo(repos: WebServices["repos"], { owner, principal }: SeenProject["home"], name: string) {
  const found = repos.find(owner, name);
  return found && repos.seeById(principal, found.id);
}

async function board(services: WebServices, call: Call): Promise<Response> {
  const home = projectHome(services, call);
  const seen = namedProject(services, call, home);
  const { boards } = services;
  const { project } = seen;
  const all = boards.columns(seen);
  const one = queryNumber(call, "column");
  const only = one === undefined ? undefined : { page: queryNumber(call, "page") ?? 1 };
  const shown = one === undefined ? all : all.filter(({ id }) => id === one);
  const filter = filterOf(call);
  const offset = (Math.max(1, only?.page ?? 1) - 1) * CARDS;
  const pages = shown.map((column) => ({ column, page: boards.cards(seen, column, filter, { limit: CARDS, offset }) }));
  const cardOf = cardItems(
    services,
    seen,
    pages.flatMap(({ page }) => page.items),
  );
  const columns = pages.map(({ column, page }) => columnItem(seen, column, page.items.map(cardOf), page.hasMore));
  const mayWrite = mayChange(services, home);
  const edited = queryNumber(call, "edit");
  const view = (
    <BoardPage
      here={call.target}
      frame={await frameOf(services, call, home)}
      base={projectsHref(home)}
      project={{ id: project.id, title: project.title, isClosed: project.closedAt !== undefined }}
      description={
        await renderedText(services, home.principal, isRepoHome(home) ? home : undefined, project.description)
      }
      columns={columns}
      filters={filtersOf(services, call, seen)}
      mayWrite={mayWrite}
      newIssueHref={newIssueHref(services, home, project)}
      only={only}
      moving={
        mayWrite ? columns.flatMap(({ cards }) => cards).find(({ id }) => id === queryNumber(call, "move")) : undefined
      }
      editing={mayWrite ? columns.find(({ id }) => id === edited) : undefined}
    />
  );
  return show(call, view);
}

/** The form of a new issue that is added to a repository's board and returns to it. */
function newIssueHref({ issues }: WebServices, home: ProjectHome, { closedAt, id }: Project): string | undefined {
  if (!isRepoHome(home) || home.repo.isArchived || closedAt !== undefined) return undefined;
  if (!atLeast(issues.levelOn(home, { isPull: false }), "write")) return undefined;
  return withQuery(homeOf(home, "issues/new"), { project: id, redirect_after_creation: "project" });
}

function queryNumber({ query }: Call, name: string): number | undefined {
  const text = query.get(name) ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function filterOf(call: Call): CardFilter {
  const labels = (call.query.get("labels") ?? "")
    .split(",")
    .flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []));
  const milestone = call.query.get("milestone");
  const assigneeId = queryNumber(call, "assignee");
  const milestoneId = milestone === "-1" ? -1 : queryNumber(call, "milestone");
  return {
    labelIds: [...new Set(labels)].slice(0, 20),
    ...(assigneeId === undefined ? {} : { assigneeId }),
    ...(milestoneId === undefined ? {} : { milestoneId }),
  };
}

function filtersOf(services: WebServices, call: Call, { home }: SeenProject): BoardFilter[] {
  if (!isRepoHome(home)) return [];
  const { assignees, labels, milestones } = services;
  const t = wordsFor(call, projectsWords);
  const value = (name: string) => call.query.get(name) ?? "";
  const open = { state: "open", name: "", order: "name" } as const;
  const found = milestones.list(home, open, { limit: 100, offset: 0 }).items;
  return [
    {
      name: "labels",
      value: value("labels"),
      choices: labels.allUsable(home).map(({ id, name }) => ({ value: String(id), label: name })),
    },
    {
      name: "milestone",
      value: value("milestone"),
      choices: [
        { value: "-1", label: t("noMilestone") },
        ...found.map(({ id, title }) => ({ value: String(id), label: title })),
      ],
    },
    {
      name: "assignee",
      value: value("assignee"),
      choices: assignees
        .candidates(home)
        .slice(0, 100)
        .map(({ id, login }) => ({ value: String(id), label: login })),
    },
  ];
}

function columnItem(
  { home }: SeenProject,
  column: ProjectColumn,
  cards: readonly CardItem[],
  hasMore: boolean,
): ColumnItem {
  const { color, id, isDefault, title } = column;
  return { id, title, color, isDefault, cards, hasMore, ...(seesAllCards(home) ? { count: column.cards } : {}) };
}

/** Cards for items that were read together, with a fixed number of queries. */
function cardItems(
  services: WebServices,
  { home }: SeenProject,
  items: readonly SeenIssue[],
): (item: SeenIssue) => CardItem {
  const { identity, issues, labels, milestones } = services;
  const parts = issues.partsOf(items);
  const all = [...parts.values()];
  const labelsById = labels.byIds([...new Set(all.flatMap(({ labelIds }) => labelIds))]);
  const people = identity.byIds([...new Set(all.flatMap(({ assigneeIds }) => assigneeIds))]);
  const goals = milestones.byIds([...new Set(items.flatMap(({ issue }) => issue.milestoneId ?? []))]);
  return ({ issue, seen }) => {
    const { assigneeIds = [], labelIds = [] } = parts.get(issue.id) ?? {};
    return {
      id: issue.id,
      reference: `${isRepoHome(home) ? "" : seen.repo.name}#${issue.number}`,
      title: issue.title,
      href: homeOf(seen, `${issue.isPull ? "pulls" : "issues"}/${issue.number}`),
      isPull: issue.isPull,
      isClosed: issue.isClosed,
      labels: labelIds.flatMap((id) => {
        const label = labelsById.get(id);
        return label ? [shownLabel(label)] : [];
      }),
      assignees: assigneeIds.flatMap((id) => {
        const user = people.get(id);
        return user ? [personOf(user)] : [];
      }),
      milestone: goals.get(issue.milestoneId ?? 0)?.title ?? "",
    };
  };
}
