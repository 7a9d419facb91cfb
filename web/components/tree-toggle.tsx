import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";
import { Icon } from "./icon.tsx";

/**
 * Hides or shows the file list beside a page, also on narrow screens (`client/side-tree.ts`).
 * Without JavaScript it is a link to the list.
 */
export function TreeToggle(props: { href: string; cookie: string; name?: string; children?: Children }) {
  const { href, cookie, name, children } = props;
  return (
    <a
      class={children ? "btn btn-small" : "btn btn-icon"}
      href={href}
      data-tree-toggle={cookie}
      aria-label={name}
      title={name}
    >
      <Icon name="sidebar-collapse" /> {children}
    </a>
  );
}

/** Closes the list where it covers the page. */
export function TreeClose() {
  const label = useWords(siteWords)("close");
  // biome-ignore lint/a11y/useAnchorContent: the icon is drawn by the class, the name is the label
  return <a class="btn btn-icon btn-quiet i-x tree-close" href="#main" aria-label={label} title={label} />;
}
