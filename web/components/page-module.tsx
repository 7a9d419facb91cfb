import { modulePath, sheetPath } from "../assets/index.ts";

/**
 * Asks for the module `web/<folder>/modules/<name>.ts`; the site's script loads it (`client/page-modules.ts`). No
 * `<script>`, because this may also stand in what htmx puts into a page.
 */
export function PageModule({ name }: { name: string }) {
  return <span hidden data-module={modulePath(name)} />;
}

/** The styles `web/<folder>/sheets/<name>.css`; to stand before what they are for, which waits for them. */
export function PageSheet({ name }: { name: string }) {
  return <link rel="stylesheet" href={sheetPath(name)} />;
}
