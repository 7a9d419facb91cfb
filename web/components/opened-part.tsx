import type { Children } from "../jsx/types.ts";

/**
 * Stands in a `<details>` for what is fetched when that is opened for the first time, and is replaced by it; without
 * JavaScript it is a link to the page that has it.
 */
export function OpenedPart({ href, children }: { href: string; children: Children }) {
  return (
    <a class="menu-item" href={href} rel="nofollow" data-opened-part="">
      {children}…
    </a>
  );
}
