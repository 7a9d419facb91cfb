import type { IconName } from "../assets/icons.ts";
import { raw, trustHtml } from "../jsx/raw.ts";
import type { JSX } from "../jsx/types.ts";

export type { IconName };

/** An icon beside a word with the same meaning (hidden from screen readers), or alone with its own name. */
export function Icon({ name, label }: { name: IconName; label?: string }) {
  if (label === undefined) return silent(name);
  return <span class={`i i-${name}`} role="img" aria-label={label} title={label} />;
}

/** Cached by name: a page has dozens of them, all alike. */
const silentIcons = new Map<IconName, JSX.Element>();

function silent(name: IconName): JSX.Element {
  const known = silentIcons.get(name);
  if (known) return known;
  const made = raw(trustHtml((<span class={`i i-${name}`} aria-hidden="true" />).toString()));
  silentIcons.set(name, made);
  return made;
}

/** The site's logo: a flame over a hearthstone. */
export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path
        fill="#d9480f"
        d="M16.7 1.6c.5 4.3-1.2 6.6-3.5 9.1C10.4 13.7 7 16.2 7 21c0 2.1.7 4 1.8 5.5h14.4A9 9 0 0 0 25 21c0-3-1.3-5.4-2.8-7.5-.4 1.7-1.2 2.8-2.5 3.5.9-5.4-.1-11.4-3-15.4Z"
      />
      <path
        fill="#ffc078"
        d="M16.3 15.3c-.3 2.7-3.8 4.1-3.8 7.6 0 1.4.5 2.6 1.3 3.6h4.7c.8-1 1.2-2.2 1.2-3.5 0-2.9-2-5-3.4-7.7Z"
      />
      <path class="logo-stone" d="M4 27.5h24a1.5 1.5 0 0 1 0 3H4a1.5 1.5 0 0 1 0-3Z" />
    </svg>
  );
}
