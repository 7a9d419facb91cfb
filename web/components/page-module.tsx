import { modulePath } from "../assets/index.ts";
import { NONCE_PLACEHOLDER } from "../jsx/nonce.ts";

/** Loads the module `web/<folder>/modules/<name>.ts`. It stands outside of what htmx replaces, or would be loaded again. */
export function PageModule({ name }: { name: string }) {
  return <script type="module" src={modulePath(name)} nonce={NONCE_PLACEHOLDER} />;
}
