import type { LfsObject } from "../../src/lfs/types.ts";
import { LinkButton, OpenButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useLanguage, useWords } from "../language.ts";
import { repoHref, withQuery } from "../links.ts";
import { LfsFrame, type LfsPageProps, PAGE, ShortOid } from "./frame.tsx";
import { lfsWords } from "./words/index.ts";

export interface FilesProps extends LfsPageProps {
  readonly objects: readonly LfsObject[];
  readonly bytes: number;
  readonly pages: PageOf;
}

/** `GET {W}/settings/lfs`. */
export function LfsFilesPage({ bytes, objects, pages, repo, shell }: FilesProps) {
  const t = useWords(lfsWords);
  const language = useLanguage();
  const base = repoHref(repo, PAGE);
  return (
    <LfsFrame shell={shell} repo={repo} tab="files">
      <Card title={t("filesTotal", { count: pages.total, size: language.size(bytes) })} flush>
        {objects.length === 0 ? (
          <EmptyState icon="database" title={t("noFiles")}>
            {t("noFilesHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {objects.map(({ oid, sizeBytes, updatedAt }) => (
              <li class="danger-row">
                <div>
                  <p>
                    <a href={`${base}/show/${oid}`}>
                      <ShortOid oid={oid} />
                    </a>
                  </p>
                  <p class="repo-facts">
                    <span>{language.size(sizeBytes)}</span>
                    <Time at={updatedAt} text={t("used", { time: TIME })} />
                  </p>
                </div>
                <LinkButton small icon="search" href={withQuery(`${base}/find`, { oid, size: String(sizeBytes) })}>
                  {t("find")}
                </LinkButton>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
    </LfsFrame>
  );
}

export interface FileProps extends LfsPageProps {
  readonly object: LfsObject;
  /** Its content is present in storage. */
  readonly isStored: boolean;
  readonly mediaType: string;
}

/** `GET {W}/settings/lfs/show/{oid}`. */
export function LfsFilePage({ isStored, mediaType, object, repo, shell }: FileProps) {
  const t = useWords(lfsWords);
  const language = useLanguage();
  const { oid, sizeBytes, updatedAt } = object;
  const base = repoHref(repo, PAGE);
  return (
    <LfsFrame shell={shell} repo={repo}>
      <Card title={t("file")} flush>
        <ul class="list">
          <li>
            <code class="mono">{oid}</code>
          </li>
          <li>{[language.size(sizeBytes), isStored ? mediaType : t("bytesLost")].join(" · ")}</li>
          <li>
            <Time at={updatedAt} text={t("used", { time: TIME })} />
          </li>
        </ul>
      </Card>
      <p class="row">
        {isStored ? (
          <LinkButton icon="download" href={`${repoHref(repo, "info/lfs/objects")}/${oid}`} download>
            {t("download")}
          </LinkButton>
        ) : null}
        <LinkButton icon="search" href={withQuery(`${base}/find`, { oid, size: String(sizeBytes) })}>
          {t("find")}
        </LinkButton>
        <OpenButton kind="danger" icon="trash" opens="delete-file">
          {t("delete")}
        </OpenButton>
      </p>
      <QuestionDialog
        id="delete-file"
        title={t("deleteTitle")}
        action={`${base}/delete/${oid}`}
        fields={{}}
        label={t("delete")}
      >
        {t("deleteWarning")}
      </QuestionDialog>
    </LfsFrame>
  );
}
