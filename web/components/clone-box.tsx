import { useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";
import { CopyButton } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { Menu } from "./surface.tsx";

/** A text that is there to be copied. */
export function CopyBox({ text, label, id }: { text: string; label: string; id?: string }) {
  const t = useWords(siteWords);
  return (
    <div class="copy-box">
      <input id={id} readonly value={text} aria-label={label} data-select="" />
      <CopyButton text={text} label={t("copyOf", { what: label })} />
    </div>
  );
}

export interface CloneProps {
  urls: { readonly http?: string; readonly ssh?: string };
}

/** Where to clone from. */
export function CloneMenu({ urls }: CloneProps) {
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
