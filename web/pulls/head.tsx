import { type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { TextField } from "../components/form.tsx";
import type { IconName } from "../components/icon.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { Tabs } from "../components/navigation.tsx";
import { Badge, type Tone } from "../components/surface.tsx";
import { TitleForm } from "../conversation/item-head.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { pullWords } from "./words/index.ts";

export type PullMark = "open" | "draft" | "merged" | "closed";

/** What every page of a pull request shows above its content. */
export interface PullHead {
  readonly number: number;
  readonly title: string;
  /** URL that changes the title; absent when the viewer may not. */
  readonly titleAction: string | undefined;
  readonly mark: PullMark;
  /** Possible target branches; absent when the viewer may not change the target. */
  readonly targets: readonly string[] | undefined;
  /** Its author, or who merged it. */
  readonly person: Person;
  readonly base: { readonly name: string; readonly href: string };
  readonly head: { readonly name: string; readonly href: string | undefined };
  readonly counts: { readonly comments: number; readonly commits: number; readonly files: number };
  /** URL of the conversation. */
  readonly href: string;
}

export interface PullPageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly pull: PullHead;
}

const marks: Readonly<Record<PullMark, { readonly icon: IconName; readonly tone: Tone }>> = {
  open: { icon: "git-pull-request", tone: "ok" },
  draft: { icon: "git-pull-request", tone: "plain" },
  merged: { icon: "git-merge", tone: "merged" },
  closed: { icon: "git-pull-request-closed", tone: "danger" },
};

/** The frame of a pull request's pages: title, state, branches and tabs. */
export function PullPage(props: PullPageProps & { tab: "conversation" | "commits" | "files"; children: Children }) {
  const { pull, repo, shell, tab } = props;
  const t = useWords(pullWords);
  const { icon, tone } = marks[pull.mark];
  const branch = ({ name, href }: { name: string; href: string | undefined }) =>
    href === undefined ? <code>{name}</code> : <a href={href}>{<code>{name}</code>}</a>;
  const said = {
    count: pull.counts.commits,
    name: <PersonName person={pull.person} />,
    head: branch(pull.head),
    base: branch(pull.base),
  };
  return (
    <RepoPage
      shell={shell}
      repo={repo}
      tab="pulls"
      title={[`${pull.title} #${pull.number}`]}
      preview={{ title: pull.title }}
      noIndex
    >
      <header class="item-head">
        <h1>
          <ItemTitle text={pull.title} /> <span class="muted">#{pull.number}</span>
        </h1>
        {pull.titleAction ? <TitleForm action={pull.titleAction} title={pull.title} /> : null}
        {pull.targets ? <TargetForm pull={pull} targets={pull.targets} /> : null}
        <p>
          <Badge icon={icon} tone={tone}>
            {t(pull.mark)}
          </Badge>{" "}
          {pull.mark === "merged" ? t.jsx("hasMerged", said) : t.jsx("wantsToMerge", said)}
        </p>
      </header>
      <Tabs
        label={t("pullTabs")}
        tabs={[
          {
            label: t("conversation"),
            href: pull.href,
            icon: "comment",
            count: pull.counts.comments,
            current: tab === "conversation",
          },
          {
            label: t("commits"),
            href: `${pull.href}/commits`,
            icon: "git-commit",
            count: pull.counts.commits,
            current: tab === "commits",
          },
          {
            label: t("files"),
            href: `${pull.href}/files`,
            icon: "file",
            count: pull.counts.files,
            current: tab === "files",
          },
        ]}
      />
      {props.children}
    </RepoPage>
  );
}

/** The form that changes the base, behind a button. */
function TargetForm({ pull, targets }: { pull: PullHead; targets: readonly string[] }) {
  const t = useWords(pullWords);
  return (
    <details class="item-title-edit">
      <summary class="btn btn-small">{t("changeBase")}</summary>
      <form class="form" method="post" action={`${pull.href}/target_branch`}>
        <TextField
          name="target_branch"
          label={t("newBase")}
          value={pull.base.name}
          list="target-branches"
          autocomplete="off"
          required
          code
        />
        <datalist id="target-branches">
          {targets.map((name) => (
            <option value={name} />
          ))}
        </datalist>
        <SubmitButton kind="primary">{t("changeBase")}</SubmitButton>
      </form>
    </details>
  );
}
