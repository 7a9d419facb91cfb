import type { PointerPath } from "../../src/lfs/pointers/paths.job.ts";
import type { PointerReport, PointerState, ShownPointer } from "../../src/lfs/pointers/service.ts";
import type { LfsObject } from "../../src/lfs/types.ts";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { Badge, Card, EmptyState, Notice } from "../components/surface.tsx";
import { useLanguage, useWords } from "../language.ts";
import { refHref, repoHref } from "../links.ts";
import { LfsFrame, type LfsPageProps, PAGE, ShortOid } from "./frame.tsx";
import { lfsWords } from "./words/index.ts";

const tones: Readonly<Record<PointerState, "ok" | "warn" | "danger">> = {
  here: "ok",
  elsewhere: "warn",
  missing: "danger",
};

/** `GET {W}/settings/lfs/pointers`. */
export function LfsPointersPage({ report, repo, shell }: LfsPageProps & { report: PointerReport }) {
  const t = useWords(lfsWords);
  const base = repoHref(repo, PAGE);
  const { isCut, pointers, unnamed } = report;
  const elsewhere = pointers.filter(({ state }) => state === "elsewhere").length;
  return (
    <LfsFrame shell={shell} repo={repo} tab="pointers">
      {isCut ? (
        <Notice kind="info">
          <p>{t("pointersCut")}</p>
        </Notice>
      ) : null}
      {elsewhere > 0 ? (
        <Card title={t("associateTitle", { count: elsewhere })}>
          <form method="post" action={`${base}/pointers/associate`}>
            <p>{t("associateHint")}</p>
            <SubmitButton>{t("associate")}</SubmitButton>
          </form>
        </Card>
      ) : null}
      <Card title={t("pointers")} flush>
        {pointers.length === 0 ? (
          <EmptyState icon="file" title={t("noPointers")}>
            {t("noPointersHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {pointers.map((pointer) => (
              <PointerRow base={base} pointer={pointer} repo={repo} />
            ))}
          </ul>
        )}
      </Card>
      {unnamed && unnamed.length > 0 ? <Unnamed base={base} objects={unnamed} /> : null}
    </LfsFrame>
  );
}

function PointerRow({ base, pointer, repo }: { base: string; pointer: ShownPointer; repo: LfsPageProps["repo"] }) {
  const t = useWords(lfsWords);
  const language = useLanguage();
  const { blob, oid, sizeBytes, state } = pointer;
  return (
    <li class="danger-row">
      <div>
        <p>
          {state === "here" ? (
            <a href={`${base}/show/${oid}`}>
              <ShortOid oid={oid} />
            </a>
          ) : (
            <ShortOid oid={oid} />
          )}{" "}
          <Badge tone={tones[state]}>{t(`state-${state}`)}</Badge>
        </p>
        <p class="repo-facts">
          <span>{language.size(sizeBytes)}</span>
          <a href={`${repoHref(repo, "raw/blob")}/${blob}`}>{t("viewPointer")}</a>
        </p>
      </div>
    </li>
  );
}

function Unnamed({ base, objects }: { base: string; objects: readonly LfsObject[] }) {
  const t = useWords(lfsWords);
  const language = useLanguage();
  const bytes = objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return (
    <Card title={t("unnamedTitle", { count: objects.length, size: language.size(bytes) })}>
      <p>{t("unnamedHint")}</p>
      <OpenButton kind="danger" icon="trash" opens="clean-up">
        {t("cleanUp")}
      </OpenButton>
      <QuestionDialog
        id="clean-up"
        title={t("cleanUpTitle")}
        action={`${base}/cleanup`}
        fields={{}}
        label={t("cleanUp")}
      >
        {t("deleteWarning")}
      </QuestionDialog>
    </Card>
  );
}

export interface FoundProps extends LfsPageProps {
  readonly oid: string;
  readonly pointers: number;
  readonly paths: readonly PointerPath[];
}

/** `GET {W}/settings/lfs/find`. */
export function LfsFoundPage({ oid, paths, pointers, repo, shell }: FoundProps) {
  const t = useWords(lfsWords);
  return (
    <LfsFrame shell={shell} repo={repo}>
      <Card title={t("foundTitle")} flush>
        <p class="card-body clip">
          <ShortOid oid={oid} />
        </p>
        {paths.length === 0 ? (
          <EmptyState icon="search" title={t("notFound")}>
            {pointers > 0 ? t("onlyInHistory") : null}
          </EmptyState>
        ) : (
          <ul class="list">
            {paths.map(({ branch, path }) => (
              <li class="danger-row">
                <div>
                  <p>
                    <a href={refHref(repo, "src", { kind: "branch", name: branch }, path)}>{path}</a>
                  </p>
                  <p class="repo-facts">
                    <span>{branch}</span>
                    <a href={refHref(repo, "commits", { kind: "branch", name: branch }, path)}>{t("history")}</a>
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </LfsFrame>
  );
}
