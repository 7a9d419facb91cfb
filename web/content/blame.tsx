import type { CodeHtml } from "../../src/markup/code-lines.ts";
import { IconLink, LinkButton } from "../components/button.tsx";
import { CodeView } from "../components/code-view.tsx";
import { Icon } from "../components/icon.tsx";
import { PageSheet } from "../components/page-module.tsx";
import type { RefChoices } from "../components/ref-selector.tsx";
import { Notice, RowMenu } from "../components/surface.tsx";
import { raw } from "../jsx/raw.ts";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { type RefName, refHref } from "../links.ts";
import { type BlameBlock, blameHtml } from "./blame-view.ts";
import { CodeBar } from "./code-bar.tsx";
import { type SideTree, WithTree } from "./side-tree.tsx";
import { contentWords } from "./words/index.ts";

export interface BlameProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly at: RefName;
  /** The commit that `at` resolves to. */
  readonly commitSha: string;
  readonly path: string;
  readonly refs: RefChoices;
  /** The file tree beside it. */
  readonly tree?: SideTree;
  readonly sizeBytes: number;
  readonly code: CodeHtml;
  readonly state: "ready" | "running" | "too-large";
  readonly blocks: readonly BlameBlock[];
  /** The repository lists commits to ignore in blame. */
  readonly ignoring?: {
    readonly file: string;
    readonly count: number;
    readonly isBypassed: boolean;
    readonly otherHref: string;
  };
}

/** `GET {W}/blame/{type}/{ref}/{file}`. */
export function BlamePage(props: BlameProps) {
  const { repo, at, path, code, state, blocks, ignoring } = props;
  const t = useWords(contentWords);
  const language = useLanguage();
  return (
    <RepoPage shell={props.shell} repo={repo} tab="code" title={[t("blameOf", { path })]} noIndex>
      <h1 class="hidden-text">{t("blameOf", { path })}</h1>
      <PageSheet name="blame" />
      <WithTree tree={props.tree}>
        <CodeBar repo={repo} at={at} path={path} refs={props.refs} hasTree={props.tree !== undefined} page="blame" />
        {ignoring ? <Ignoring {...ignoring} /> : null}
        {state === "running" ? (
          <Notice kind="info">
            <p>{t("blameRunning")}</p>
          </Notice>
        ) : null}
        {state === "too-large" ? (
          <Notice kind="warning">
            <p>{t("blameTooLarge")}</p>
          </Notice>
        ) : null}
        <div class="card file">
          <span class="file-top" />
          <BlameHead {...props} />
          {state === "ready" ? (
            <section class="code blame" id="code" aria-label={path} tabindex={0}>
              {raw(
                blameHtml(repo, code, blocks, language, {
                  noMessage: t("noMessage"),
                  beforeThisChange: t("beforeThisChange"),
                  ignoredLine: t("ignoredLine"),
                }),
              )}
            </section>
          ) : (
            <CodeView html={code.html} lineCount={code.lineCount} label={path} />
          )}
        </div>
      </WithTree>
    </RepoPage>
  );
}

function BlameHead({ repo, at, path, commitSha, code, sizeBytes }: BlameProps) {
  const t = useWords(contentWords);
  const language = useLanguage();
  return (
    <div class="file-head">
      <span class="stuck-path mono clip">{path}</span>
      <span class="muted facts-line">
        {t("lineCount", { count: code.lineCount })} · {language.size(sizeBytes)}
      </span>
      <span class="toolbar">
        <LinkButton small href={refHref(repo, "src", at, path)} icon="file" hotkey="b">
          {t("normalView")}
        </LinkButton>
        <IconLink small icon="history" href={refHref(repo, "commits", at, path)} label={t("history")} />
        <IconLink small icon="file-binary" href={refHref(repo, "raw", at, path)} label={t("showRaw")} />
        {at.kind === "commit" ? null : (
          <RowMenu name={t("moreAboutFile")}>
            <li>
              <a
                class="menu-item"
                href={refHref(repo, "blame", { kind: "commit", name: commitSha }, path)}
                data-permalink=""
                data-hotkey="y"
              >
                <Icon name="link" /> {t("permalink")}
              </a>
            </li>
          </RowMenu>
        )}
      </span>
    </div>
  );
}

function Ignoring({ file, count, isBypassed, otherHref }: NonNullable<BlameProps["ignoring"]>) {
  const t = useWords(contentWords);
  const link = (inner: Children) => <a href={otherHref}>{inner}</a>;
  return (
    <Notice kind="info">
      <p>
        {isBypassed
          ? t.jsx("showsIgnored", { file: <code>{file}</code>, link })
          : t.jsx("ignoresRevisions", { count, file: <code>{file}</code>, link })}
      </p>
    </Notice>
  );
}
