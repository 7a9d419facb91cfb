import { type Instant, Time } from "../components/time.tsx";
import { commitHref, type RefName, type RepoName, refHref } from "../links.ts";

export interface FileListEntry {
  /** The name, or a chain of directories with one child each (`src/main/java`). */
  readonly name: string;
  readonly kind: "dir" | "file" | "symlink" | "submodule";
  /** Where a symlink points, or the commit of a submodule. */
  readonly target?: string;
  /** A submodule's page, when its address is known. */
  readonly targetHref?: string;
  /** The commit that touched it last; absent while it is not known. */
  readonly last?: { readonly sha: string; readonly subject: string; readonly at: Instant };
}

export interface FileListProps {
  repo: RepoName;
  at: RefName;
  /** Directory, without slashes at its ends; empty for the root. */
  path: string;
  entries: readonly FileListEntry[];
  /** Answers this list with the last commits, when they were not known in time. */
  lastCommitsHref?: string;
}

const CLASS = { dir: "f f-dir", file: "f", symlink: "f f-link", submodule: "f f-sub" } as const;
const WORD = { dir: "Directory", file: "File", symlink: "Symbolic link", submodule: "Submodule" } as const;

/** What a directory holds. Seven elements a row: a folder may have thousands. */
export function FileList({ repo, at, path, entries, lastCommitsHref }: FileListProps) {
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
      <caption class="hidden-text">{path === "" ? "Files" : `Files in ${path}`}</caption>
      <colgroup>
        <col class="c-name" />
        <col class="c-message" />
        <col class="c-time" />
      </colgroup>
      <tbody>
        {path === "" ? null : (
          <tr>
            <td colspan={3}>
              <a class="f f-up" href={refHref(repo, "src", at, parent)} aria-label="Parent directory">
                ..
              </a>
            </td>
          </tr>
        )}
        {entries.map((entry) => (
          <tr>
            <td>
              <Entry
                entry={entry}
                href={refHref(repo, "src", at, path === "" ? entry.name : `${path}/${entry.name}`)}
              />
            </td>
            <td>{entry.last ? <a href={commitHref(repo, entry.last.sha)}>{entry.last.subject}</a> : null}</td>
            <td>{entry.last ? <Time at={entry.last.at} /> : null}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Entry({ entry, href }: { entry: FileListEntry; href: string }) {
  if (entry.kind === "submodule") {
    const text = `${entry.name} @ ${(entry.target ?? "").slice(0, 10)}`;
    return entry.targetHref ? (
      <a class={CLASS.submodule} href={entry.targetHref} title={WORD.submodule}>
        {text}
      </a>
    ) : (
      <span class={CLASS.submodule} title={WORD.submodule}>
        {text}
      </span>
    );
  }
  const title = entry.kind === "symlink" ? `Symbolic link to ${entry.target ?? "?"}` : undefined;
  return (
    <a class={CLASS[entry.kind]} href={href} title={title}>
      {entry.name}
      {entry.kind === "symlink" ? ` → ${entry.target ?? "?"}` : ""}
    </a>
  );
}
