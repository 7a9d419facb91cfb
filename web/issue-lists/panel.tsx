import { signedIn } from "../../src/http/route.ts";
import type { DashboardPanel } from "../area.ts";
import { LinkButton } from "../components/button.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type ItemRow, itemRows } from "./items.ts";
import { ItemRows } from "./rows.tsx";
import { issueListWords } from "./words/index.ts";

const SHOWN = 5;

/** Open items assigned to the user, most recently updated first. */
export const ownItemsPanel: DashboardPanel = {
  id: "own-items",
  order: 5,
  place: "main",
  show: async (services, call) => {
    const { items } = await services.itemLists.search(
      call.principal,
      { state: "open", assignee: signedIn(call).id, order: "recentupdate" },
      { limit: SHOWN, offset: 0 },
    );
    return items.length === 0 ? null : <OwnItemsCard rows={itemRows(services, items)} />;
  },
};

function OwnItemsCard({ rows }: { rows: readonly ItemRow[] }) {
  const t = useWords(issueListWords);
  return (
    <Card
      flush
      title={t("assignedToYou")}
      actions={
        <LinkButton href="/issues?type=assigned" kind="quiet" small>
          {t("all")}
        </LinkButton>
      }
    >
      <ItemRows rows={rows} showsRepo />
    </Card>
  );
}
