import { OpenButton, SubmitButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { itemBinWords } from "./words/index.ts";

export interface DeletedView {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly excerpt: string;
  readonly isComment: boolean;
  readonly deletedAt: Instant;
  readonly goesAt: Instant;
  /** Undefined: the account was deleted. */
  readonly by: string | undefined;
}

export interface ItemBinProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** URL that the forms post to. */
  readonly restore: string;
  readonly purge: string;
  readonly items: readonly DeletedView[];
  /** Days that deleted items are kept; 0: none is kept. */
  readonly days: number;
  readonly pages: PageOf;
}

/** `GET /{owner}/{repo}/settings/deleted-issues`: items that can still be restored. */
export function ItemBinPage({ shell, repo, items, days, pages, ...forms }: ItemBinProps) {
  const t = useWords(itemBinWords);
  return (
    <RepoSettings shell={shell} repo={repo} section="deleted-issues" title={t("deletedItems")}>
      <p class="muted">{days === 0 ? t("isOff") : t("about", { count: days })}</p>
      <Card title={t("deletedItems")} flush>
        {items.length === 0 ? (
          <EmptyState icon="trash" title={t("isEmpty")} />
        ) : (
          <ul class="list">
            {items.map((item) => (
              <Row item={item} {...forms} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
    </RepoSettings>
  );
}

function Row({ item, purge, restore }: { item: DeletedView; purge: string; restore: string }) {
  const t = useWords(itemBinWords);
  const { by, excerpt, id, isComment, number, title } = item;
  const name = isComment ? t("commentOn", { number, title }) : `#${number} ${title}`;
  return (
    <li class="danger-row">
      <div>
        <p class="strong">{name}</p>
        {excerpt ? <p class="muted">{excerpt}</p> : null}
        <p class="repo-facts">
          <Time
            at={item.deletedAt}
            text={by ? t("deletedBy", { time: TIME, name: by }) : t("deletedAt", { time: TIME })}
          />
          <Time at={item.goesAt} text={t("goesAt", { time: TIME })} />
        </p>
      </div>
      <span class="row">
        <form method="post" action={restore}>
          <input type="hidden" name="id" value={String(id)} />
          <SubmitButton small>{t("restore")}</SubmitButton>
        </form>
        <OpenButton small kind="quiet" opens={`purge-${id}`}>
          {t("deleteForGood")}
        </OpenButton>
      </span>
      <Dialog id={`purge-${id}`} title={t("deleteForGood")}>
        <form class="form" method="post" action={purge}>
          <input type="hidden" name="id" value={String(id)} />
          <p>{t("purgeWarning", { name })}</p>
          <DialogActions label={t("deleteForGood")} danger />
        </form>
      </Dialog>
    </li>
  );
}
