import { UserSettings } from "../account/settings.tsx";
import { AdminFrame } from "../admin/admin-frame.tsx";
import type { Person } from "../components/avatar.tsx";
import { OpenButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { TextField } from "../components/form.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { useLanguage, useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { reposWords } from "./words/index.ts";

export interface BinItem {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly deletedAt: Instant;
  readonly deletedBy?: Person;
  readonly goesAt: Instant;
}

export interface BinProps {
  readonly shell: Shell;
  /** Whose bin: the user's own, or everyone's for the administration. */
  readonly place: "settings" | "admin";
  readonly action: string;
  readonly items: readonly BinItem[];
  /** Days that deleted repositories are kept; 0: none is kept. */
  readonly days: number;
  readonly pages: PageOf;
}

/** `GET /user/settings/repos/deleted` and `GET /-/admin/repos/deleted`: repositories that can still be restored. */
export function BinPage(props: BinProps) {
  const t = useWords(reposWords);
  const bin = <Bin of={props} />;
  return props.place === "admin" ? (
    <AdminFrame shell={props.shell} page="deleted-repositories" title={t("deletedRepositories")}>
      {bin}
    </AdminFrame>
  ) : (
    <UserSettings shell={props.shell} section="deleted-repositories">
      {bin}
    </UserSettings>
  );
}

function Bin({ of }: { of: BinProps }) {
  const t = useWords(reposWords);
  const { items, days } = of;
  return (
    <>
      <p class="muted">{days === 0 ? t("binIsOff") : t("binAbout", { count: days })}</p>
      <Card title={t("deletedRepositories")} flush>
        {items.length === 0 ? (
          <EmptyState icon="trash" title={t("binIsEmpty")} />
        ) : (
          <ul class="list">
            {items.map((item) => (
              <BinRow item={item} action={of.action} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={of.pages} />
    </>
  );
}

function BinRow({ item, action }: { item: BinItem; action: string }) {
  const t = useWords(reposWords);
  const language = useLanguage();
  const { id, owner, name, deletedBy } = item;
  const full = `${owner}/${name}`;
  return (
    <li class="danger-row">
      <div>
        <p class="strong">{full}</p>
        <p class="repo-facts">
          <Time
            at={item.deletedAt}
            text={deletedBy ? t("deletedBy", { time: TIME, name: deletedBy.name }) : t("deletedAt", { time: TIME })}
          />
          <span>{language.size(item.sizeBytes)}</span>
          <Time at={item.goesAt} text={t("goesAt", { time: TIME })} />
        </p>
      </div>
      <span class="btn-row">
        <OpenButton small opens={`restore-${id}`}>
          {t("restore")}
        </OpenButton>
        <OpenButton small kind="quiet" opens={`purge-${id}`}>
          {t("deleteForGood")}
        </OpenButton>
      </span>
      <Dialog id={`restore-${id}`} title={t("restoreNamed", { name: full })}>
        <form class="form" method="post" action={action}>
          <input type="hidden" name="id" value={String(id)} />
          <TextField
            id={`restore-${id}-name`}
            name="repo_name"
            label={t("name")}
            value={name}
            hint={t("restoreHint")}
            autocomplete="off"
            required
            code
          />
          <DialogActions label={t("restore")} />
        </form>
      </Dialog>
      <Dialog id={`purge-${id}`} title={t("deleteForGood")}>
        <form class="form" method="post" action={action}>
          <input type="hidden" name="id" value={String(id)} />
          <input type="hidden" name="action" value="purge" />
          <p>{t("purgeWarning", { name: full })}</p>
          <DialogActions label={t("deleteForGood")} danger />
        </form>
      </Dialog>
    </li>
  );
}
