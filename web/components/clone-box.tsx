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
  urls: { readonly http?: string; readonly ssh?: string };
}

/** Where to clone from. */
export function CloneMenu({ urls }: CloneProps) {
  return (
    <Menu
      name="Clone"
      class="menu-end"
      wide
      label={
        <span class="btn btn-primary">
          <Icon name="code" /> Clone <Icon name="triangle-down" />
        </span>
      }
    >
      <CloneUrls urls={urls} />
    </Menu>
  );
}

export function CloneUrls({ urls }: { urls: CloneProps["urls"] }) {
  return (
    <div class="clone-urls">
      {urls.http ? (
        <>
          <p class="menu-heading">{protocolOf(urls.http)}</p>
          <CopyBox text={urls.http} label={`${protocolOf(urls.http)} address`} />
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

function protocolOf(url: string): string {
  return url.startsWith("https:") ? "HTTPS" : "HTTP";
}
