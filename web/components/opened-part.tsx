import type { Children } from "../jsx/types.ts";

/**
 * A placeholder in a `<details>` that is replaced by fetched content when it is first opened; without JavaScript it is
 * a link to the page that has the content.
 */
export function OpenedPart({ href, children }: { href: string; children: Children }) {
  return (
    <a class="menu-item" href={href} rel="nofollow" data-opened-part="">
      {children}…
    </a>
  );
}
