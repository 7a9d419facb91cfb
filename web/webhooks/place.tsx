import type { HookLevel } from "../../src/webhooks/types.ts";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { PlaceFrame, type PlaceProps } from "../settings-place.tsx";
import { webhooksWords } from "./words/index.ts";

/** The section's id in every settings menu. */
const SECTION = "hooks";

export function HookFrame({ place, children }: { place: PlaceProps; children: Children }) {
  const t = useWords(webhooksWords);
  return (
    <PlaceFrame place={place} section={SECTION} title={t("webhooks")}>
      {children}
    </PlaceFrame>
  );
}

/** Where new webhooks of a level are created; each level of the site has its own URL. */
export function newHref({ base, of }: PlaceProps, level: HookLevel, type: string): string {
  return of.kind === "site" ? `/-/admin/${level}-hooks/${type}/new` : `${base}/${type}/new`;
}
