import { atLeast } from "../../src/access/levels.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { FormField, IssueTemplate } from "../../src/issue-templates/types.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { FormErrors } from "../components/form.tsx";
import { Form, formErrors, readForm } from "../form-data.ts";
import { shownLabel } from "../labels/chip.tsx";
import { wordsFor } from "../language.ts";
import { personOf } from "../people.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { changesItems } from "./access.ts";
import { itemHref } from "./entries.ts";
import { boxActions } from "./item-data.ts";
import { ChooseTemplatePage, NewIssuePage } from "./new-page.tsx";
import type { Conversations } from "./routes.tsx";
import { sent } from "./sent.ts";
import { conversationWords } from "./words/index.ts";

const at = "/:owner/:repo/issues/new";

/** The form of a new issue: empty, from a template, or as a form of the repository's own (contract issues.md 16, 27). */
export function newPages(of: Conversations): Route[] {
  const page = { surface: "page", access: changesItems } as const;
  return [
    { ...page, method: "GET", path: at, handle: (call) => begin(of, call) },
    { ...page, method: "GET", path: `${at}/choose`, handle: (call) => choose(of, call) },
    { ...page, method: "POST", path: at, handle: (call) => create(of, call) },
  ];
}

/** @throws NotFound issues are off, or kept elsewhere */
function writable({ services }: Conversations, call: Call): SeenRepo {
  const seen = seenRepo(call);
  if (!atLeast(services.issues.levelOn(seen, { isPull: false }), "read")) throw new NotFound();
  return seen;
}

async function begin(of: Conversations, call: Call): Promise<Response> {
  const seen = writable(of, call);
  const set = await of.services.issueTemplates.read(seen);
  const path = call.query.get("template") ?? "";
  const named = [...set.templates, ...(set.single ? [set.single] : [])].find((each) => each.path === path);
  // Who names a text to begin with needs no choice.
  const isBlank = path === "blank" || call.query.has("body") || call.query.has("title");
  if (!named && set.templates.length > 0 && !isBlank) return choosePage(of, call, seen);
  const template = named ?? (path === "blank" ? undefined : set.single);
  const given = new Form({
    title: call.query.get("title") ?? template?.title ?? "",
    content: call.query.get("body") ?? template?.content ?? "",
  });
  return newPage(of, call, seen, { template, form: given, chosen: chosenBy(of, seen, call, template) });
}

async function choose(of: Conversations, call: Call): Promise<Response> {
  return choosePage(of, call, writable(of, call));
}

async function choosePage({ services }: Conversations, call: Call, seen: SeenRepo): Promise<Response> {
  const { config, single, templates } = await services.issueTemplates.read(seen);
  return show(
    call,
    <ChooseTemplatePage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      action={homeOf(seen, "issues/new")}
      templates={templates.map(({ about, name, path }) => ({ about, name, path }))}
      links={config.contactLinks.filter(({ url }) => /^https?:\/\//i.test(url))}
      allowsBlank={
        config.allowsBlank || single !== undefined || atLeast(services.issues.levelOn(seen, { isPull: false }), "write")
      }
    />,
  );
}

/** What is planned from the start, by names and numbers. */
interface Chosen {
  readonly labels: readonly number[];
  readonly assignees: readonly string[];
  readonly milestone: number;
}

function chosenBy(
  { services }: Conversations,
  seen: SeenRepo,
  call: Call,
  template: IssueTemplate | undefined,
): Chosen {
  const numbers = (name: string) => (call.query.get(name) ?? "").split(",").map(Number).filter(Number.isSafeInteger);
  const labels = template ? services.labels.usableNamed(seen, template.labels).map(({ id }) => id) : [];
  return {
    labels: [...labels, ...numbers("labels")],
    assignees: template?.assignees ?? [],
    milestone: numbers("milestone")[0] ?? 0,
  };
}

async function newPage(
  { services, texts }: Conversations,
  call: Call,
  seen: SeenRepo,
  given: {
    readonly template: IssueTemplate | undefined;
    readonly form: Form;
    readonly chosen: Chosen;
    readonly errors?: FormErrors<string>;
  },
): Promise<Response> {
  const { chosen, errors, form, template } = given;
  const plan = atLeast(services.issues.levelOn(seen, { isPull: false }), "write");
  const explained = (template?.fields ?? []).map((field) =>
    field.type === "markdown" ? field.value : field.description,
  );
  const html = await texts.show(
    seen,
    explained.map((text, place) => ({ text, suffix: `field${place}` })),
  );
  const page = homeOf(seen, "issues/new");
  const view = (
    <NewIssuePage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      action={page}
      template={template?.path ?? ""}
      ref={form.text("ref") || template?.ref || ""}
      title={form.exact("title")}
      box={{ id: "issue-text", value: form.exact("content"), draft: page, ...boxActions(services, { seen }) }}
      fields={template?.fields?.map((field, place) => ({ field, html: html[place] ?? ("" as never) }))}
      submitted={(name) => sent(form, name).join(",")}
      labels={
        plan
          ? services.labels
              .allUsable(seen)
              .filter((each) => each.archivedAt === undefined)
              .map((each) => ({ ...shownLabel(each), isChosen: chosen.labels.includes(each.id) }))
          : []
      }
      assignees={
        plan
          ? services.assignees
              .candidates(seen)
              .map((user) => ({ ...personOf(user), isChosen: chosen.assignees.includes(user.login) }))
          : []
      }
      milestones={
        plan
          ? services.milestones
              .list(seen, { state: "open", name: "", order: "closestduedate" }, { limit: 200, offset: 0 })
              .items.map(({ id, title }) => ({ id, title, isChosen: id === chosen.milestone }))
          : []
      }
      errors={errors}
    />
  );
  return show(call, view, { status: errors ? 422 : 200 });
}

async function create(of: Conversations, call: Call): Promise<Response> {
  const { services } = of;
  const seen = writable(of, call);
  const form = await readForm(call);
  const template = await services.issueTemplates.find(seen, form.text("template-file"));
  const chosen: Chosen = {
    labels: sent(form, "labels")
      .concat(form.text("label_ids").split(","))
      .map(Number)
      .filter((id) => id > 0),
    assignees: sent(form, "assignees"),
    milestone: form.number("milestone_id") ?? 0,
  };
  const submitted = (name: string) => sent(form, name).join(",");
  const again = (errors: FormErrors<string>) => newPage(of, call, seen, { template, form, chosen, errors });
  if (template?.fields) {
    const problems = await problemsOf(of, call, template.fields, submitted);
    if (problems) return again(problems);
  }
  const body = template?.fields
    ? services.issueTemplates.compose(template.fields, submitted)
    : form.exact("content").replaceAll("\r\n", "\n");
  try {
    const item = services.itemForms.create(
      seen,
      {
        title: form.text("title"),
        body,
        ref: form.text("ref"),
        labels: chosen.labels,
        assignees: chosen.assignees,
        ...(chosen.milestone > 0 ? { milestoneId: chosen.milestone } : {}),
      },
      sent(form, "files"),
    );
    return redirectAfterPost(services, call, itemHref(item));
  } catch (error) {
    return again(formErrors(call, error, { title: "title", body: "content" }));
  }
}

/** What is wrong with a form that was filled in, beside its fields; undefined: nothing. */
async function problemsOf(
  { services }: Conversations,
  call: Call,
  fields: readonly FormField[],
  submitted: (name: string) => string,
): Promise<FormErrors<string> | undefined> {
  const t = wordsFor(call, conversationWords);
  const problems = await services.issueTemplates.check(fields, submitted);
  if (problems.length === 0) return undefined;
  const words = { required: t("fieldRequired"), number: t("fieldNumber"), pattern: t("fieldPattern") };
  return Object.fromEntries(problems.map(({ field, problem }) => [field.id, words[problem]]));
}
