import { atLeast } from "../../src/access/levels.ts";
import { redirect } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { FieldProblem } from "../../src/issue-templates/check.ts";
import type { IssueTemplate } from "../../src/issue-templates/types.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { FormErrors } from "../components/form.tsx";
import { Form, formErrors, readForm } from "../form-data.ts";
import { fieldTexts, submittedOf } from "../issue-templates/submitted.ts";
import { itemProjectsProps } from "../projects/item-part.tsx";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { changesItems } from "./access.ts";
import { itemHref } from "./entries.ts";
import { boxActions } from "./item-data.ts";
import { NewIssuePage } from "./new-page.tsx";
import { type Chosen, chosenIn, idsIn, planChoices } from "./plan-choices.ts";
import type { Conversations } from "./routes.tsx";
import { sent } from "./sent.ts";

const at = "/:owner/:repo/issues/new";

/** The form of a new issue: empty, from a template, or as a form of the repository (contract issues.md 16, 27). */
export function newPages(of: Conversations): Route[] {
  const page = { surface: "page", access: changesItems } as const;
  return [
    { ...page, method: "GET", path: at, handle: (call) => begin(of, call) },
    { ...page, method: "POST", path: at, handle: (call) => create(of, call) },
  ];
}

/** @throws NotFound when issues are off or in an external tracker */
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
  // A prefilled title or text needs no choice of template.
  const isBlank = path === "blank" || call.query.has("body") || call.query.has("title");
  if (!named && set.templates.length > 0 && !isBlank)
    return redirect(`${homeOf(seen, "issues/new/choose")}${call.target.replace(/^[^?]*/, "")}`);
  const template = named ?? (path === "blank" ? undefined : set.single);
  const given = new Form({
    title: call.query.get("title") ?? template?.title ?? "",
    content: call.query.get("body") ?? template?.content ?? "",
    redirect_after_creation: call.query.get("redirect_after_creation") ?? "",
  });
  return newPage(of, call, seen, { template, form: given, chosen: chosenBy(of, seen, call, template) });
}

/** What the URL preselects besides the template: labels by id or name, as programs and people write them. */
function chosenBy(
  { services }: Conversations,
  seen: SeenRepo,
  call: Call,
  template: IssueTemplate | undefined,
): Chosen {
  const asked = (name: string) => call.query.get(name) ?? "";
  const words = (name: string) =>
    asked(name)
      .split(",")
      .map((word) => word.trim());
  const names = [...(template?.labels ?? []), ...words("labels")];
  const labels = services.labels.usableNamed(seen, names).map(({ id }) => id);
  return {
    labels: [...labels, ...idsIn(asked("labels"))],
    assignees: [...(template?.assignees ?? []), ...words("assignees")],
    milestone: idsIn(asked("milestone"))[0] ?? 0,
    projects: [...idsIn(asked("project")), ...idsIn(asked("projects"))],
  };
}

async function newPage(
  { services }: Conversations,
  call: Call,
  seen: SeenRepo,
  given: {
    readonly template: IssueTemplate | undefined;
    readonly form: Form;
    readonly chosen: Chosen;
    readonly errors?: FormErrors<string>;
    readonly problems?: readonly FieldProblem[];
  },
): Promise<Response> {
  const { chosen, errors, form, template } = given;
  const fields = template?.fields;
  const page = homeOf(seen, "issues/new");
  const view = (
    <NewIssuePage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      action={page}
      template={template?.path ?? ""}
      ref={form.text("ref") || template?.ref || ""}
      redirectAfter={form.text("redirect_after_creation")}
      title={form.exact("title")}
      box={{ id: "issue-text", value: form.exact("content"), draft: page, ...boxActions(services, { seen }) }}
      form={
        fields && {
          fields,
          problems: given.problems ?? [],
          submitted: submittedOf(fields, form),
          texts: await fieldTexts(services, seen, fields),
        }
      }
      {...planChoices(services, seen, chosen, false)}
      errors={errors}
    />
  );
  return show(call, view, { status: errors || given.problems ? 422 : 200 });
}

async function create(of: Conversations, call: Call): Promise<Response> {
  const { services } = of;
  const seen = writable(of, call);
  const form = await readForm(call);
  const template = await services.issueTemplates.find(seen, form.text("template-file"));
  const chosen = chosenIn(services, form);
  const fields = template?.fields;
  const submitted = submittedOf(fields ?? [], form);
  if (fields) {
    const problems = await services.issueTemplates.check(fields, submitted);
    if (problems.length > 0) return newPage(of, call, seen, { template, form, chosen, problems });
  }
  const body = fields
    ? services.issueTemplates.compose(fields, submitted)
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
        fields: { projects: chosen.projects },
        ...(chosen.milestone > 0 ? { milestoneId: chosen.milestone } : {}),
      },
      sent(form, "files"),
    );
    return redirectAfterPost(services, call, boardAfter(of, item, form) ?? itemHref(item));
  } catch (error) {
    const errors = formErrors(call, error, { title: "title", body: "content" });
    return newPage(of, call, seen, { template, form, chosen, errors });
  }
}

/** The board that an issue was created for, when the form says to return to it. */
function boardAfter({ services }: Conversations, item: SeenIssue, form: Form): string | undefined {
  if (form.text("redirect_after_creation") !== "project") return undefined;
  return itemProjectsProps(services, item, itemHref(item), false).on[0]?.href;
}
