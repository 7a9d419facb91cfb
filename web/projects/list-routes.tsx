import type { Call, Route } from "../../src/http/route.ts";
import { changesProjects, readsOwnersProjects, readsProjects, signedInProjects } from "../../src/projects/access.ts";
import {
  cardTypes,
  isRepoHome,
  type Project,
  type ProjectFilter,
  type ProjectHome,
  projectOrders,
  projectTemplates,
} from "../../src/projects/types.ts";
import { profilePage } from "../account/profile-routes.tsx";
import type { WebServices } from "../area.ts";
import type { FormState } from "../components/form.tsx";
import { formErrors, readForm, requireShort } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { organizationOf } from "../organizations/view.ts";
import { repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { type ProjectField, ProjectFormPage } from "./form.tsx";
import type { ProjectFrameProps } from "./frame.tsx";
import { mayChange, namedProject, projectHome, projectsHref, writersHome } from "./home.ts";
import { ProjectList, type ProjectListProps, ProjectsPage } from "./list.tsx";
import { projectsTab } from "./profile-tab.tsx";
import { projectsWords } from "./words/index.ts";

const PER_PAGE = 20;
/** The form's name for the description. */
const TEXT: ProjectField = "content";
const fieldNames: Readonly<Record<string, ProjectField>> = { title: "title", description: TEXT };

/** Both kinds of board owners: repositories and accounts. */
export const projectPlaces = [
  { path: "/:owner/:repo/projects", read: readsProjects, change: changesProjects },
  { path: "/:owner/-/projects", read: readsOwnersProjects, change: signedInProjects },
] as const;

/** Lists of boards, and the forms that create and edit them (contract web.md 1.9). */
export function projectListPages(services: WebServices): Route[] {
  return projectPlaces.flatMap(({ change, path, read }): Route[] => {
    const page = { surface: "page" } as const;
    const get = { ...page, method: "GET", access: change } as const;
    const post = { ...page, method: "POST", access: change } as const;
    return [
      { ...page, method: "GET", path, access: read, handle: (call) => list(services, call) },
      { ...get, path: `${path}/new`, handle: (call) => form(services, call, undefined, newForm) },
      { ...post, path: `${path}/new`, handle: (call) => save(services, call, undefined) },
      { ...get, path: `${path}/:id/edit`, handle: (call) => editForm(services, call) },
      {
        ...post,
        path: `${path}/:id/edit`,
        handle: (call) => save(services, call, namedProject(services, call, writersHome(services, call)).project),
      },
      { ...post, path: `${path}/:id/open`, handle: (call) => setClosed(services, call, false) },
      { ...post, path: `${path}/:id/close`, handle: (call) => setClosed(services, call, true) },
      { ...post, path: `${path}/:id/delete`, handle: (call) => remove(services, call) },
    ];
  });
}

export async function frameOf(services: WebServices, call: Call, home: ProjectHome): Promise<ProjectFrameProps> {
  return {
    shell: shellOf(services, call),
    repo: isRepoHome(home) ? await repoFrame(services, home) : undefined,
    organization: isRepoHome(home) ? undefined : organizationOf(services, call, home.owner),
    owner: home.owner.login,
  };
}

export function listProps(services: WebServices, call: Call, home: ProjectHome): ProjectListProps {
  const { query } = call;
  const base = projectsHref(home);
  const filter: ProjectFilter = {
    state: (["open", "closed", "all"] as const).find((state) => state === query.get("state")) ?? "open",
    text: (query.get("q") ?? "").trim().slice(0, 255),
    order: projectOrders.find((order) => order === query.get("sort")) ?? "newest",
  };
  const paging = pageOf(call, PER_PAGE);
  const { items, total } = services.projects.list(home, filter, paging);
  const sort = filter.order === "newest" ? undefined : filter.order;
  return {
    base,
    projects: items.map(({ closedAt, closedItems, id, openItems, title, updatedAt }) => ({
      id,
      title,
      isClosed: closedAt !== undefined,
      updatedAt,
      ...(seesAllCards(home) ? { counts: { open: openItems, closed: closedItems } } : {}),
    })),
    filter,
    counts: services.projects.counts(home),
    pages: {
      page: paging.page,
      perPage: PER_PAGE,
      total,
      href: withQuery(base, { state: filter.state, q: filter.text, sort }),
    },
    mayWrite: mayChange(services, home),
  };
}

/** Whether no card of these boards is hidden from the viewer, so that counts can be shown. */
export function seesAllCards(home: ProjectHome): boolean {
  const { owner, principal } = home;
  if (!isRepoHome(home)) return principal.user?.id === owner.id;
  return home.access.on("issues") !== "none" && home.access.on("pulls") !== "none";
}

async function list(services: WebServices, call: Call): Promise<Response> {
  const home = projectHome(services, call);
  const props = listProps(services, call, home);
  if (!isRepoHome(home) && home.owner.kind !== "organization")
    return profilePage(services, call, home.owner, projectsTab, <ProjectList {...props} />);
  return show(call, <ProjectsPage frame={await frameOf(services, call, home)} list={props} />);
}

const newForm: FormState<ProjectField> = { values: { template_type: "1", card_type: "0" } };

async function form(
  services: WebServices,
  call: Call,
  project: Project | undefined,
  state: FormState<ProjectField>,
): Promise<Response> {
  const home = writersHome(services, call);
  const frame = await frameOf(services, call, home);
  const view = <ProjectFormPage frame={frame} base={projectsHref(home)} project={project} form={state} />;
  return show(call, view, { status: state.errors ? 422 : 200 });
}

async function editForm(services: WebServices, call: Call): Promise<Response> {
  const { project } = namedProject(services, call, writersHome(services, call));
  const { cardType, description, title } = project;
  const values = { title, content: description, card_type: String(cardTypes.indexOf(cardType)) };
  return form(services, call, project, { values });
}

/** Maximum characters in the form; the API allows more (contract web.md 1.9, issues.md 21.2). */
const MAX_TITLE = 100;

async function save(services: WebServices, call: Call, project: Project | undefined): Promise<Response> {
  const home = writersHome(services, call);
  const { projects } = services;
  const sent = await readForm(call);
  const values = {
    title: sent.text("title").slice(0, 1000),
    content: sent.exact("content").slice(0, 100_000),
    template_type: sent.text("template_type").slice(0, 10),
    card_type: sent.text("card_type").slice(0, 10),
  };
  const edit = {
    title: sent.text("title"),
    description: sent.exact("content").replaceAll("\r\n", "\n"),
    cardType: cardTypes[sent.number("card_type") ?? 0] ?? "text",
  };
  try {
    requireShort("title", edit.title, MAX_TITLE, project?.title);
    if (project) projects.edit({ home, project }, edit);
    else projects.create(home, { ...edit, template: projectTemplates[sent.number("template_type") ?? 0] ?? "none" });
  } catch (error) {
    return form(services, call, project, { values, errors: formErrors<ProjectField>(call, error, fieldNames) });
  }
  const text = wordsFor(call, projectsWords)("saved", { title: edit.title });
  const back = project ? `${projectsHref(home)}/${project.id}` : projectsHref(home);
  return redirectAfterPost(services, call, back, { kind: "success", text });
}

function setClosed(services: WebServices, call: Call, isClosed: boolean): Response {
  const home = writersHome(services, call);
  const seen = namedProject(services, call, home);
  services.projects.setClosed(seen, isClosed);
  return redirectAfterPost(services, call, `${projectsHref(home)}/${seen.project.id}`);
}

function remove(services: WebServices, call: Call): Response {
  const home = writersHome(services, call);
  const seen = namedProject(services, call, home);
  services.projects.delete(seen);
  const text = wordsFor(call, projectsWords)("deleted", { title: seen.project.title });
  return redirectAfterPost(services, call, projectsHref(home), { kind: "success", text });
}
