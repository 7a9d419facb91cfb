import { Tabs } from "../components/navigation.tsx";
import { EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { withQuery } from "../links.ts";
import { OrganizationPage, type OrganizationProps } from "../organizations/frame.tsx";
import type { ItemType } from "./global-routes.tsx";
import { ItemList, type ListBody, QueryBox, type QueryBoxProps } from "./list.tsx";
import { issueListWords } from "./words/index.ts";

export interface GlobalItemsProps {
  readonly shell: Shell;
  /** The organization whose items are listed; absent: all. */
  readonly organization?: OrganizationProps | undefined;
  readonly home: string;
  readonly isPull: boolean;
  readonly type: ItemType;
  readonly types: readonly ItemType[];
  readonly box: QueryBoxProps;
  readonly list: ListBody;
}

/** `GET /issues` and `/pulls`, and the same for an organization. */
export function GlobalItemsPage(props: GlobalItemsProps) {
  const t = useWords(issueListWords);
  const { shell, organization, home, isPull, type, types, box, list } = props;
  const name = isPull ? "pulls" : "issues";
  const title = t(name);
  const tabs = types.map((each) => ({
    label: organization && each === "your_repositories" ? t("all") : t(`type-${each}`),
    href: withQuery(home, { type: each, q: box.query || undefined }),
    current: each === type,
  }));
  const content = (
    <>
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
    </>
  );
  return organization ? (
    <OrganizationPage shell={shell} organization={organization} tab={name} title={[title]} noIndex>
      <h1 class="hidden-text">{title}</h1>
      {content}
    </OrganizationPage>
  ) : (
    <PageFrame shell={shell} width="wide" title={[title]}>
      <h1>{title}</h1>
      {content}
    </PageFrame>
  );
}
