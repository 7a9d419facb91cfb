import { modulePath, sheetPath } from "../assets/index.ts";

/**
 * Requests the module `web/<folder>/modules/<name>.ts`; the site's script loads it (`client/page-modules.ts`). Not a
 * `<script>`, because this may also be in a part that htmx swaps in.
 */
export function PageModule({ name }: { name: string }) {
  return <span hidden data-module={modulePath(name)} />;
}

/** The styles `web/<folder>/sheets/<name>.css`; place it before the content they style, which waits for them. */
export function PageSheet({ name }: { name: string }) {
  return <link rel="stylesheet" href={sheetPath(name)} />;
}
