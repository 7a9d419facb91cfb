import type { Comparison } from "../../src/content/compare/service.ts";
import { readCompareSpec } from "../../src/content/compare/spec.ts";
import { BRANCHES } from "../../src/content/values.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { Failure } from "../../src/kernel/errors.ts";
import { changesPulls } from "../../src/pulls/access.ts";
import { draftTitle } from "../../src/pulls/values.ts";
import { mergeSettings } from "../../src/repos/settings/defaults.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, TextArea, TextField } from "../components/form.tsx";
import { Card, Notice } from "../components/surface.tsx";
import { readForm, refusalText } from "../form-data.ts";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { homeOf } from "../repos/frame.ts";
import { redirectAfterPost } from "../visit.ts";
import { pullHref } from "./shown.ts";
import { pullWords } from "./words/index.ts";

const MAX_PREFILLED = 10_000;

/** The form under a comparison of two branches that makes a pull request of it, or a link to the one there is. */
export function newPullCard(
  services: WebServices,
  call: Call,
  { base, from, head, symmetric, total }: Comparison,
): Children | null {
  const { pulls } = services;
  const isOffered = base.at.kind === "branch" && head.at.kind === "branch" && symmetric && from !== undefined;
  if (!isOffered || total === 0 || base.seen.repo.id !== seenRepo(call).repo.id) return null;
  const pair = {
    repoId: base.seen.repo.id,
    baseBranch: base.at.name,
    headRepoId: head.seen.repo.id,
    headBranch: head.at.name,
  };
  const open = pulls.openBetween(pair);
  const item = open && pulls.byId(call.principal, open.issueId);
  if (item) return <ExistingPull title={`${item.issue.title} #${item.issue.number}`} href={pullHref(item)} />;
  if (!call.principal.user || base.seen.repo.isArchived || !mayRead(services, base.seen)) return null;
  const asked = (name: string) => call.query.get(name)?.slice(0, MAX_PREFILLED);
  return (
    <NewPullForm
      action={call.path}
      title={asked("title") ?? humanized(head.at.name)}
      body={asked("body") ?? ""}
      isAcross={base.seen.repo.id !== head.seen.repo.id}
      allowsEdits={mergeSettings(base.seen.repo.settings).defaultAllowMaintainerEdit}
    />
  );
}

/** `fix-the_parser` as `Fix the parser`. */
function humanized(branch: string): string {
  const words = (branch.split("/").at(-1) ?? branch).replace(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function mayRead({ pulls }: WebServices, seen: SeenRepo): boolean {
  try {
    pulls.requireReadable(seen);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

function ExistingPull({ href, title }: { href: string; title: string }) {
  const t = useWords(pullWords);
  return (
    <Notice kind="info">
      <p>{t.jsx("existing", { title, link: (inner) => <a href={href}>{inner}</a> })}</p>
    </Notice>
  );
}

function NewPullForm(props: { action: string; title: string; body: string; isAcross: boolean; allowsEdits: boolean }) {
  const t = useWords(pullWords);
  return (
    <Card title={t("newPull")} id="new-pull">
      <form class="form" method="post" action={props.action}>
        <TextField name="title" label={t("title")} value={props.title} maxLength={255} required />
        <TextArea name="content" label={t("text")} value={props.body} rows={5} />
        <CheckField name="draft" label={t("asDraft")} />
        {props.isAcross ? (
          <CheckField name="allow_maintainer_edit" label={t("allowEdits")} checked={props.allowsEdits} />
        ) : null}
        <FormActions>
          <SubmitButton kind="primary" icon="git-pull-request">
            {t("create")}
          </SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}

/** What that form posts to: the address of the comparison itself. */
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
        try {
          const item = await services.pullCreation.create(seen, {
            base: branch(base.revision),
            head: head.place === undefined ? branch(head.revision) : `${head.place}:${branch(head.revision)}`,
            title: form.checked("draft") ? draftTitle(form.text("title"), true) : form.text("title"),
            body: form.exact("content"),
            ...(form.has("allow_maintainer_edit")
              ? { allowsMaintainerEdit: form.checked("allow_maintainer_edit") }
              : {}),
          });
          return redirectAfterPost(services, call, pullHref(item));
        } catch (error) {
          if (!(error instanceof Failure) || error.status >= 500 || error.status === 404) throw error;
          const to = homeOf(seen, call.path.split("/").slice(3).join("/"));
          return redirectAfterPost(services, call, to, { kind: "error", text: refusalText(call, error) });
        }
      },
    },
  ];
}
