import { Tabs } from "../components/navigation.tsx";
import { EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { withQuery } from "../links.ts";
import type { ItemType } from "./global-routes.tsx";
import { ItemList, type ListBody, QueryBox, type QueryBoxProps } from "./list.tsx";
import { issueListWords } from "./words/index.ts";

export interface GlobalItemsProps {
  readonly shell: Shell;
  readonly isPull: boolean;
  readonly type: ItemType;
  readonly types: readonly ItemType[];
  readonly box: QueryBoxProps;
  readonly list: ListBody;
}

/** `GET /issues` and `/pulls`. */
export function GlobalItemsPage({ shell, isPull, type, types, box, list }: GlobalItemsProps) {
  const t = useWords(issueListWords);
  const title = t(isPull ? "pulls" : "issues");
  const home = isPull ? "/pulls" : "/issues";
  const tabs = types.map((each) => ({
    label: t(`type-${each}`),
    href: withQuery(home, { type: each, q: box.query || undefined }),
    current: each === type,
  }));
  return (
    <PageFrame shell={shell} width="wide" title={[title]}>
      <h1>{title}</h1>
      <Tabs label={title} tabs={tabs} />
      <QueryBox {...box} />
      <ItemList
        list={list}
        empty={
          <EmptyState icon={isPull ? "git-pull-request" : "issue-opened"} title={t("nothingHere")}>
            {t(list.clearHref ? "noMatchHint" : "nothingHereHint")}
          </EmptyState>
        }
      />
    </PageFrame>
  );
}
