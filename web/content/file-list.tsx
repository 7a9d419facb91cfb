import { segment, segments } from "../../src/kernel/url-path.ts";
import type { Language } from "../../src/language/language.ts";
import { type Instant, timeHtml } from "../components/time.tsx";
import { raw, type SafeHtml, trustHtml } from "../jsx/raw.ts";
import { safeHref } from "../jsx/safe-href.ts";
import { useLanguage, useWords } from "../language.ts";
import { commitHref, type RefName, type RepoName, refHref } from "../links.ts";
import { contentWords } from "./words/index.ts";

/** What a row shows of the commit that last changed its entry. */
export interface LastCommit {
  readonly sha: string;
  readonly subject: string;
  readonly at: Instant;
}

export interface FileListEntry {
  /** The name, or a chain of directories with one child each (`src/main/java`). */
  readonly name: string;
  readonly kind: "dir" | "file" | "symlink" | "submodule";
  /** A symlink's target, or a submodule's commit. */
  readonly target?: string;
  /** A submodule's page, if its URL is known. */
  readonly targetHref?: string;
  /** The commit that last changed it; absent while it is not known. */
  readonly last?: LastCommit;
}

export interface FileListProps {
  repo: RepoName;
  at: RefName;
  /** The directory without leading and trailing slashes; empty for the root. */
  path: string;
  entries: readonly FileListEntry[];
  /** The rows of these entries, when already rendered. */
  rows?: SafeHtml | undefined;
  /** URL of this list with the last commits, when they were not known in time. */
  lastCommitsHref?: string;
}

const CLASS = { dir: "f f-dir", file: "f", symlink: "f f-link", submodule: "f f-sub" } as const;

/** The entries of a directory. Seven elements per row: a directory may have thousands. */
export function FileList({ repo, at, path, entries, rows, lastCommitsHref }: FileListProps) {
  const language = useLanguage();
  const t = useWords(contentWords);
  const pending = lastCommitsHref && entries.some((entry) => !entry.last) ? lastCommitsHref : undefined;
  const parent = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  return (
    <table
      class="files"
      id="files"
      hx-get={pending}
      hx-trigger={pending ? "load" : undefined}
      hx-swap={pending ? "outerHTML" : undefined}
    >
      <caption class="hidden-text">{path === "" ? t("filesInRoot") : t("filesIn", { path })}</caption>
      <colgroup>
        <col class="c-name" />
        <col class="c-message" />
        <col class="c-time" />
      </colgroup>
      <tbody>
        {path === "" ? null : (
          <tr>
            <td>
              <a class="f f-up" href={refHref(repo, "src", at, parent)} aria-label={t("parentDirectory")}>
                ..
              </a>
            </td>
          </tr>
        )}
        {raw(rows ?? fileRows({ repo, at, path, entries }, language))}
      </tbody>
    </table>
  );
}

/** Rows as one string: as components, the same 1,900 entries cost several times as much. Everything is escaped here. */
export function fileRows(
  { repo, at, path, entries }: Omit<FileListProps, "lastCommitsHref" | "rows">,
  language: Language,
): SafeHtml {
  const base = `${refHref(repo, "src", at, path)}/`;
  const commits = commitHref(repo, "");
  let html = "";
  for (const entry of entries) {
    html += `<tr><td>${entryHtml(entry, base + segments(entry.name), language)}</td><td>`;
    if (entry.last)
      html += `<a href="${Bun.escapeHTML(commits + segment(entry.last.sha))}">${Bun.escapeHTML(entry.last.subject)}</a></td><td>${timeHtml(entry.last.at, language)}`;
    else html += "</td><td>";
    html += "</td></tr>";
  }
  return trustHtml(html);
}

function entryHtml(entry: FileListEntry, href: string, language: Language): string {
  const t = contentWords.in(language);
  const name = Bun.escapeHTML(entry.name);
  const link = `<a class="${CLASS[entry.kind]}" href="${Bun.escapeHTML(safeHref((entry.kind === "submodule" ? entry.targetHref : undefined) ?? href))}"`;
  switch (entry.kind) {
    case "symlink":
      return `${link} title="${Bun.escapeHTML(t("symlinkTo", { target: entry.target ?? "?" }))}">${name} → ${Bun.escapeHTML(entry.target ?? "?")}</a>`;
    case "submodule": {
      const title = Bun.escapeHTML(t("submodule"));
      const text = `${name} @ ${Bun.escapeHTML((entry.target ?? "").slice(0, 10))}`;
      return entry.targetHref
        ? `${link} title="${title}">${text}</a>`
        : `<span class="${CLASS.submodule}" title="${title}">${text}</span>`;
    }
    default:
      return `${link}>${name}</a>`;
  }
}
