import type { SourceKind } from "../../src/sources/settings.ts";
import type { SignInSource } from "../../src/sources/types.ts";
import { AdminFrame } from "../admin/admin-frame.tsx";
import { LinkButton } from "../components/button.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { sourceWords } from "./words/index.ts";

const KINDS: readonly SourceKind[] = ["oauth2", "ldap", "ldap-simple", "smtp"];

/** `GET /-/admin/auths`. */
export function SourcesPage({ shell, sources }: { shell: Shell; sources: readonly SignInSource[] }) {
  const t = useWords(sourceWords);
  return (
    <AdminFrame shell={shell} page="sources" title={t("sources")}>
      <Card
        title={t("sources")}
        flush
        actions={
          <span class="row">
            {KINDS.map((kind) => (
              <LinkButton small icon="plus" href={`/-/admin/auths/new?type=${kind}`}>
                {t(`kind-${kind}`)}
              </LinkButton>
            ))}
          </span>
        }
      >
        {sources.length === 0 ? (
          <EmptyState icon="sign-in" title={t("noSources")}>
            {t("noSourcesHint")}
          </EmptyState>
        ) : (
          <div class="table-box">
            <table class="table table-stack">
              <caption class="hidden-text">{t("sources")}</caption>
              <thead>
                <tr>
                  <th scope="col">{t("name")}</th>
                  <th scope="col">{t("kind")}</th>
                  <th scope="col">{t("state")}</th>
                  <th scope="col">{t("changed")}</th>
                </tr>
              </thead>
              <tbody>
                {sources.map((source) => (
                  <tr>
                    <th scope="row">
                      <a href={`/-/admin/auths/${source.id}`}>{source.name}</a>
                    </th>
                    <td>{t(`kind-${source.kind}`)}</td>
                    <td>{source.isActive ? <Badge tone="ok">{t("active")}</Badge> : <Badge>{t("inactive")}</Badge>}</td>
                    <td>
                      <Time at={source.updatedAt} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
    </AdminFrame>
  );
}
