import { Tabs } from "../components/navigation.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { PlaceFrame, type PlaceProps } from "../settings-place.tsx";
import type { ActionsPart } from "./places.ts";
import { actionsWords } from "./words/index.ts";

/** The section's id in every settings menu. */
const SECTION = "actions";

/** A page of Actions settings, in any place. @param part the one whose list is at `place.base` */
export function ActionsFrame(props: { place: PlaceProps; part: ActionsPart; children: Children }) {
  const t = useWords(actionsWords);
  const { children, part, place } = props;
  const parts = (["general", "runners", "secrets", "variables"] as const).filter(
    (one) => place.of.kind !== "site" || one === "runners" || one === "variables",
  );
  const parent = place.base.slice(0, place.base.lastIndexOf("/"));
  return (
    <PlaceFrame place={place} section={SECTION} title={t("actions")}>
      <Tabs
        label={t("actions")}
        tabs={parts.map((one) => ({ label: t(one), href: `${parent}/${one}`, current: one === part }))}
      />
      {children}
    </PlaceFrame>
  );
}
