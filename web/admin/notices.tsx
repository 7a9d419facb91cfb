import type { Notice } from "../../src/notices/service.ts";
import { SubmitButton } from "../components/button.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { AdminFrame } from "./admin-frame.tsx";
import { adminWords } from "./words/index.ts";

export const NOTICES = "/-/admin/notices";

export interface NoticesProps {
  readonly shell: Shell;
  readonly notices: readonly Notice[];
  readonly pages: PageOf;
}

/** `GET /-/admin/notices`. */
export function NoticesPage({ shell, notices, pages }: NoticesProps) {
  const t = useWords(adminWords);
  const newest = notices[0];
  const empty =
    newest === undefined ? null : (
      <form method="post" action={`${NOTICES}/empty`}>
        <input type="hidden" name="up_to" value={String(newest.id)} />
        <SubmitButton small>{t("removeAll")}</SubmitButton>
      </form>
    );
  return (
    <AdminFrame shell={shell} page="notices" title={t("notices")}>
      <Card title={t("notices")} flush actions={pages.page === 1 ? empty : null}>
        {notices.length === 0 ? (
          <EmptyState icon="check-circle" title={t("noNotices")} />
        ) : (
          <ul class="list">
            {notices.map((notice) => (
              <li class="danger-row">
                <p>
                  <NoticeText notice={notice} />{" "}
                  <span class="muted">
                    <Time at={notice.createdAt} />
                  </span>
                </p>
                <form method="post" action={`${NOTICES}/delete`}>
                  <input type="hidden" name="ids" value={String(notice.id)} />
                  <SubmitButton small>{t("remove")}</SubmitButton>
                </form>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
    </AdminFrame>
  );
}

function NoticeText({ notice: { facts } }: { notice: Notice }) {
  const t = useWords(adminWords);
  const job = <a href="/-/admin/background?state=failed">{`${facts.kind} #${facts.id}`}</a>;
  return <>{t.jsx("notice-job-failed", { job })}</>;
}
