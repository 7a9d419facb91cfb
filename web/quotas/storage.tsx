import type { HeldFile } from "../../src/quotas/held-files.ts";
import { type AccountQuota, usedBy } from "../../src/quotas/service.ts";
import { type Subject, usedOf } from "../../src/quotas/subjects.ts";
import type { QuotaRule } from "../../src/quotas/types.ts";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Progress } from "../components/progress.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useLanguage, useWords } from "../language.ts";
import { quotaWords } from "./words/index.ts";

export interface StorageProps {
  readonly quota: AccountQuota;
  /** Whether quotas are enabled on this site. */
  readonly isLimited: boolean;
  readonly files: readonly HeldFile[];
  readonly pages: PageOf;
}

/** The parts of the list. */
const PARTS = [
  "size:repos:public",
  "size:repos:private",
  "size:git:lfs",
  "size:assets:wiki",
  "size:assets:attachments:issues",
  "size:assets:attachments:releases",
  "size:assets:packages:all",
  "size:assets:artifacts",
] as const satisfies readonly Subject[];

/** An account's storage, its limits, and its attached files. */
export function Storage({ quota, isLimited, files, pages }: StorageProps) {
  const t = useWords(quotaWords);
  const language = useLanguage();
  return (
    <>
      <Card title={t("used")} flush>
        <div class="table-box">
          <table class="table">
            <caption class="hidden-text">{t("used")}</caption>
            <tbody>
              {PARTS.map((part) => (
                <tr>
                  <th scope="row">{t(`subject-${part}`)}</th>
                  <td class="num">{language.size(usedOf(quota.usage, part))}</td>
                </tr>
              ))}
              <tr>
                <th scope="row">
                  <strong>{t("total")}</strong>
                </th>
                <td class="num">
                  <strong>{language.size(usedOf(quota.usage, "size:all"))}</strong>
                </td>
              </tr>
            </tbody>
          </table>
        </div>
        <p class="list-row hint">{t("bin")}</p>
      </Card>
      {isLimited ? <Limits quota={quota} /> : null}
      <Card title={t("attachments")} flush>
        {files.length === 0 ? <EmptyState icon="file" title={t("noAttachments")} /> : <Files files={files} />}
      </Card>
      <Pagination of={pages} />
    </>
  );
}

function Limits({ quota: { groups, usage } }: Pick<StorageProps, "quota">) {
  const t = useWords(quotaWords);
  return (
    <Card title={t("limits")}>
      {groups.some(({ rules }) => rules.length > 0) ? null : <p class="muted">{t("noLimits")}</p>}
      {groups.length > 1 ? <p class="muted">{t("oneGroupIsEnough")}</p> : null}
      {groups.map(({ rules }, at) => (
        <div class="stack">
          {groups.length > 1 ? (
            <h3>
              {t("group")} {at + 1}
            </h3>
          ) : null}
          {rules.map((rule) => (
            <Limit rule={rule} used={usedBy(rule, usage)} />
          ))}
        </div>
      ))}
    </Card>
  );
}

function Limit({ rule, used }: { rule: QuotaRule; used: number }) {
  const t = useWords(quotaWords);
  const language = useLanguage();
  const label = rule.subjects.map((subject) => t(`subject-${subject}`)).join(", ");
  if (rule.limitBytes === -1)
    return (
      <p class="progress-text">
        <span>{label}</span>
        <span class="muted">{t("unlimited", { used: language.size(used) })}</span>
      </p>
    );
  const limit = language.size(rule.limitBytes);
  const text = t("usedOf", { used: language.size(used), limit });
  return (
    <Progress label={label} value={Math.min(used, rule.limitBytes)} max={Math.max(1, rule.limitBytes)} text={text} />
  );
}

function Files({ files }: Pick<StorageProps, "files">) {
  const t = useWords(quotaWords);
  const language = useLanguage();
  return (
    <div class="table-box">
      <table class="table table-stack">
        <caption class="hidden-text">{t("attachments")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("file")}</th>
            <th scope="col">{t("place")}</th>
            <th scope="col" class="num">
              {t("size")}
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ name, sizeBytes, url, container }) => (
            <tr>
              <th scope="row">
                <a href={localAddress(url)}>{name}</a>
              </th>
              <td data-label={t("place")}>
                {container ? <a href={localAddress(container.url)}>{localAddress(container.url).slice(1)}</a> : null}
              </td>
              <td class="num" data-label={t("size")}>
                {language.size(sizeBytes)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A URL of this site without scheme and host: the visitor may use another host name. */
function localAddress(address: string): string {
  const { pathname } = new URL(address);
  return pathname;
}
