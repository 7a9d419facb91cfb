import { Tabs } from "../components/navigation.tsx";
import { EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { withQuery } from "../links.ts";
import { InboxFrame } from "../notifications/inbox.tsx";
import { notificationsWords } from "../notifications/words/index.ts";
import { ItemList, type ListBody } from "./list.tsx";
import { issueListWords } from "./words/index.ts";

export interface SubscriptionsProps {
  readonly shell: Shell;
  /** Undefined: both kinds. */
  readonly isPull: boolean | undefined;
  readonly list: ListBody;
}

/** Subscribed items, beside the inbox. */
export function SubscriptionsPage({ shell, isPull, list }: SubscriptionsProps) {
  const t = useWords(notificationsWords);
  const ofLists = useWords(issueListWords);
  const tab = (label: string, issueType: string | undefined, current: boolean) => ({
    label,
    href: withQuery("/notifications/subscriptions", { issueType }),
    current,
  });
  return (
    <InboxFrame shell={shell} tab="subscriptions" title={t("subscriptions")}>
      <Tabs
        label={t("subscriptions")}
        tabs={[
          tab(ofLists("allItems"), undefined, isPull === undefined),
          tab(ofLists("issues"), "issues", isPull === false),
          tab(ofLists("pulls"), "pulls", isPull === true),
        ]}
      />
      <ItemList
        list={list}
        empty={
          <EmptyState icon="bell" title={t("noSubscriptions")}>
            {t("noSubscriptionsHint")}
          </EmptyState>
        }
      />
    </InboxFrame>
  );
}
