import { archiveHref, type RepoName } from "../links.ts";
import { CopyButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Menu } from "./surface.tsx";

/** A text that is there to be copied. */
export function CopyBox({ text, label, id }: { text: string; label: string; id?: string }) {
  return (
    <div class="copy-box">
      <input id={id} readonly value={text} aria-label={label} data-select="" />
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  );
}

export interface CloneProps {
  repo: RepoName;
  urls: { readonly http?: string; readonly ssh?: string };
  /** The branch, tag or commit to download as an archive; none for an empty repository. */
  archiveRef?: string;
}

/** Where to clone from, and the archives of what is shown. */
export function CloneMenu({ repo, urls, archiveRef }: CloneProps) {
  return (
    <Menu
      name="Clone or download"
      class="menu-end"
      wide
      label={
        <span class="btn btn-primary">
          <Icon name="code" /> Clone <Icon name="triangle-down" />
        </span>
      }
    >
      <CloneUrls urls={urls} />
      {archiveRef === undefined ? null : (
        <ul class="menu-list">
          {(["zip", "tar.gz"] as const).map((format) => (
            <li>
              <a class="menu-item" href={archiveHref(repo, archiveRef, format)} rel="nofollow">
                <Icon name="download" /> Download {format.toUpperCase()}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  );
}

export function CloneUrls({ urls }: { urls: CloneProps["urls"] }) {
  return (
    <div class="clone-urls">
      {urls.http ? (
        <>
          <p class="menu-heading">HTTPS</p>
          <CopyBox text={urls.http} label="HTTPS address" />
        </>
      ) : null}
      {urls.ssh ? (
        <>
          <p class="menu-heading">SSH</p>
          <CopyBox text={urls.ssh} label="SSH address" />
        </>
      ) : null}
    </div>
  );
}
