import { useWords } from "../language.ts";
import { archiveHref, type RefName, type RepoName } from "../links.ts";
import { siteWords } from "../words/index.ts";
import { CopyButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Menu, MenuLink } from "./surface.tsx";

/** A text with a button that copies it. */
export function CopyBox({ text, label, id }: { text: string; label: string; id?: string }) {
  const t = useWords(siteWords);
  return (
    <div class="copy-box">
      <input id={id} readonly value={text} aria-label={label} data-select="" />
      <CopyButton text={text} label={t("copyOf", { what: label })} />
    </div>
  );
}

/** A download of the files at a branch, tag or commit. */
export interface ArchiveLink {
  /** "ZIP" */
  readonly label: string;
  readonly href: string;
}

const ARCHIVE_FORMATS = ["zip", "tar.gz", "bundle"] as const;

/** The archives a page offers for a ref. */
export function archivesOf(repo: RepoName & { readonly hasArchives?: boolean }, ref: RefName): ArchiveLink[] {
  if (!repo.hasArchives) return [];
  return ARCHIVE_FORMATS.map((format) => ({
    label: format.toUpperCase(),
    href: archiveHref(repo, ref, format),
  }));
}

/** The same as menu entries. */
export function ArchiveItems({ archives }: { archives: readonly ArchiveLink[] }) {
  const t = useWords(siteWords);
  return (
    <>
      {archives.map(({ label, href }) => (
        <li>
          <MenuLink href={href} icon="file-zip">
            {t("downloadAs", { format: label })}
          </MenuLink>
        </li>
      ))}
    </>
  );
}

export interface CloneProps {
  urls: { readonly http?: string; readonly ssh?: string };
  /** Downloads of the same files. */
  archives?: readonly ArchiveLink[] | undefined;
}

/** The clone URLs, in a menu. */
export function CloneMenu({ urls, archives }: CloneProps) {
  const t = useWords(siteWords);
  return (
    <Menu
      name={t("clone")}
      class="menu-end"
      wide
      label={
        <span class="btn btn-primary">
          <Icon name="code" /> {t("clone")} <Icon name="triangle-down" />
        </span>
      }
    >
      <CloneUrls urls={urls} />
      {archives ? (
        <ul>
          <ArchiveItems archives={archives} />
        </ul>
      ) : null}
    </Menu>
  );
}

export function CloneUrls({ urls }: { urls: CloneProps["urls"] }) {
  const t = useWords(siteWords);
  return (
    <div class="clone-urls">
      {urls.http ? (
        <>
          <p class="menu-heading">{protocolOf(urls.http)}</p>
          <CopyBox text={urls.http} label={t("cloneAddress", { protocol: protocolOf(urls.http) })} />
        </>
      ) : null}
      {urls.ssh ? (
        <>
          <p class="menu-heading">SSH</p>
          <CopyBox text={urls.ssh} label={t("cloneAddress", { protocol: "SSH" })} />
        </>
      ) : null}
    </div>
  );
}

function protocolOf(url: string): string {
  return url.startsWith("https:") ? "HTTPS" : "HTTP";
}
