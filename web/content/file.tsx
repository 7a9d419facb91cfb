import { CopyButton, CopyFromButton, IconLink, LinkButton } from "../components/button.tsx";
import { CodeView } from "../components/code-view.tsx";
import { Icon } from "../components/icon.tsx";
import { Prose } from "../components/prose.tsx";
import type { RefChoices } from "../components/ref-selector.tsx";
import { EmptyState, MenuLink, Notice, RowMenu } from "../components/surface.tsx";
import { raw, type SafeHtml } from "../jsx/raw.ts";
import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { type RefName, refHref, withQuery } from "../links.ts";
import { CodeBar } from "./code-bar.tsx";
import { type CommitSummary, LatestCommit } from "./commit-line.tsx";
import { type SideTree, WithTree } from "./side-tree.tsx";
import { contentWords } from "./words/index.ts";

/** How a file can be shown (contract: web.md section 4.9). */
export type FileBody =
  | { readonly kind: "code"; readonly html: SafeHtml; readonly lineCount: number; readonly tabWidth?: number }
  | { readonly kind: "document"; readonly html: SafeHtml }
  /** A table that src/markup made from CSV or TSV. */
  | { readonly kind: "table"; readonly html: SafeHtml }
  /** `frame`: content that needs a script, in a separate document without access to this one. */
  | { readonly kind: "image" | "video" | "audio" | "pdf" | "frame" }
  | { readonly kind: "symlink"; readonly target: string; readonly targetHref?: string }
  /** `no-object`: a large file of which only the pointer is stored here. */
  | { readonly kind: "empty" | "binary" | "too-large" | "no-object" };

export interface FileProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly at: RefName;
  /** The commit that `at` resolves to, for the permalink. */
  readonly commitSha: string;
  readonly path: string;
  readonly refs: RefChoices;
  /** The file tree beside it. */
  readonly tree?: SideTree;
  readonly latest?: CommitSummary;
  readonly sizeBytes: number;
  /** The size of the large file shown in place of a pointer. */
  readonly largeBytes?: number;
  readonly language?: string;
  readonly isExecutable?: boolean;
  readonly body: FileBody;
  /** The way it is shown, when there are two. */
  readonly display?: "source" | "rendered";
  /** The forms that change it; for users who may, on a branch. */
  readonly editHref?: string;
  readonly deleteHref?: string;
  /** The blame page; only for texts. */
  readonly blameHref?: string;
  /** Bidirectional or invisible characters that make code read differently from how it runs (security rule G13). */
  readonly hasHiddenCharacters?: boolean;
  /** Notes that areas add. */
  readonly notes?: Children;
}

/** `GET {W}/src/{type}/{ref}/{file}`. */
export function FilePage(props: FileProps) {
  const { repo, at, path, body } = props;
  const t = useWords(contentWords);
  return (
    <RepoPage
      shell={props.shell}
      repo={repo}
      tab="code"
      title={[path]}
      {...(at.kind === "branch" && at.name === repo.defaultBranch
        ? { canonical: props.shell.site.rootUrl + refHref(repo, "src", at, path) }
        : {})}
      noIndex={at.kind === "commit"}
    >
      <h1 class="hidden-text">{path}</h1>
      <WithTree tree={props.tree}>
        <CodeBar repo={repo} at={at} path={path} refs={props.refs} hasTree={props.tree !== undefined} />
        <div class="card file">
          {props.latest ? (
            <LatestCommit repo={repo} commit={props.latest} historyHref={refHref(repo, "commits", at, path)} />
          ) : null}
          <span class="file-top" />
          <FileHead {...props} />
          {props.hasHiddenCharacters ? (
            <Notice kind="warning">
              <p>{t("invisibleCharacters")}</p>
            </Notice>
          ) : null}
          {props.notes}
          <Body body={body} rawHref={bytesHref(props)} frameHref={refHref(repo, "render", at, path)} path={path} />
        </div>
      </WithTree>
    </RepoPage>
  );
}

/** The URL of the bytes shown. */
const bytesHref = ({ at, body, largeBytes, path, repo }: FileProps) =>
  refHref(repo, largeBytes === undefined || body.kind === "no-object" ? "raw" : "media", at, path);

function FileHead(props: FileProps) {
  const { repo, at, path, commitSha, sizeBytes, largeBytes, language, isExecutable, body, display } = props;
  const t = useWords(contentWords);
  const size = useLanguage().size(largeBytes ?? sizeBytes);
  const src = refHref(repo, "src", at, path);
  const rawHref = bytesHref(props);
  const facts = [
    body.kind === "code" ? t("lineCount", { count: body.lineCount }) : "",
    size,
    largeBytes === undefined ? "" : t("largeFile"),
    language ?? "",
    isExecutable ? t("executable") : "",
  ].filter(Boolean);
  return (
    <div class="file-head">
      <span class="stuck-path mono clip">{path}</span>
      <span class="muted facts-line">{facts.join(" · ")}</span>
      <CopyButton small text={path} label={t("copyPath")} />
      {display ? (
        <span class="btn-row">
          <Display
            href={withQuery(src, { display: "rendered" })}
            label={t("preview")}
            current={display === "rendered"}
          />
          <Display href={withQuery(src, { display: "source" })} label={t("source")} current={display === "source"} />
        </span>
      ) : null}
      <span class="toolbar">
        {props.editHref ? (
          <LinkButton small href={props.editHref} icon="pencil" hotkey="e">
            {t("edit")}
          </LinkButton>
        ) : null}
        {props.blameHref ? (
          <LinkButton small href={props.blameHref} icon="people" hotkey="b">
            {t("blame")}
          </LinkButton>
        ) : null}
        <IconLink small icon="file-binary" href={rawHref} label={t("showRaw")} />
        {body.kind === "code" ? <CopyFromButton from="code" label={t("copyContent")} /> : null}
        <IconLink small icon="download" href={rawHref} label={t("download")} download />
        <RowMenu name={t("moreAboutFile")}>
          {at.kind === "commit" ? null : (
            <li>
              <a
                class="menu-item"
                href={refHref(repo, "src", { kind: "commit", name: commitSha }, path)}
                data-permalink=""
                data-hotkey="y"
              >
                <Icon name="link" /> {t("permalink")}
              </a>
            </li>
          )}
          <li>
            <MenuLink icon="history" href={refHref(repo, "commits", at, path)}>
              {t("history")}
            </MenuLink>
          </li>
          {props.deleteHref ? (
            <li>
              <MenuLink icon="trash" danger href={props.deleteHref}>
                {t("delete")}
              </MenuLink>
            </li>
          ) : null}
        </RowMenu>
      </span>
    </div>
  );
}

function Display({ href, label, current }: { href: string; label: string; current: boolean }) {
  return (
    <a class="btn btn-small" href={href} aria-current={current ? "page" : undefined}>
      {label}
    </a>
  );
}

interface BodyProps {
  readonly body: FileBody;
  readonly rawHref: string;
  readonly frameHref: string;
  readonly path: string;
}

function Body({ body, rawHref, frameHref, path }: BodyProps) {
  const t = useWords(contentWords);
  switch (body.kind) {
    case "code":
      return <CodeView html={body.html} lineCount={body.lineCount} tabWidth={body.tabWidth} label={path} />;
    case "document":
      return (
        <div class="card-body">
          <Prose html={body.html} />
        </div>
      );
    case "table":
      return (
        <section class="table-box" aria-label={path} tabindex={0} hx-ignore="">
          {raw(body.html)}
        </section>
      );
    case "image":
      return (
        <div class="media">
          <img src={rawHref} alt={path} loading="lazy" />
        </div>
      );
    case "video":
      return (
        <div class="media">
          {/* biome-ignore lint/a11y/useMediaCaption: what is in a repository brings its own captions or none */}
          <video src={rawHref} controls preload="metadata" />
        </div>
      );
    case "audio":
      return (
        <div class="media">
          {/* biome-ignore lint/a11y/useMediaCaption: what is in a repository brings its own captions or none */}
          <audio src={rawHref} controls preload="metadata" />
        </div>
      );
    case "frame":
      return <iframe class="viewer" src={frameHref} title={path} sandbox="allow-scripts" loading="lazy" />;
    case "pdf":
      return <iframe class="pdf" src={rawHref} title={path} loading="lazy" />;
    case "symlink":
      return (
        <p class="card-body">
          {t.jsx("symlinkTo", {
            target: body.targetHref ? (
              <a class="mono" href={body.targetHref}>
                {body.target}
              </a>
            ) : (
              <code>{body.target}</code>
            ),
          })}
        </p>
      );
    case "empty":
      return <EmptyState icon="file" title={t("emptyFile")} />;
    case "binary":
      return (
        <EmptyState
          icon="file-binary"
          title={t("binaryFile")}
          action={<LinkButton href={rawHref}>{t("viewRaw")}</LinkButton>}
        />
      );
    case "no-object":
      return (
        <EmptyState
          icon="file-binary"
          title={t("largeFileMissing")}
          action={<LinkButton href={rawHref}>{t("viewPointer")}</LinkButton>}
        >
          {t("largeFileMissingHint")}
        </EmptyState>
      );
    case "too-large":
      return (
        <EmptyState
          icon="file"
          title={t("fileTooLarge")}
          action={<LinkButton href={rawHref}>{t("viewRaw")}</LinkButton>}
        />
      );
  }
}
