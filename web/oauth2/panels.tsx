import type { Call } from "../../src/http/route.ts";
import type { ApplicationOwner } from "../../src/oauth2/applications/service.ts";
import type { NamedGrant } from "../../src/oauth2/types.ts";
import type { SettingsPanel, WebServices } from "../area.ts";
import { OpenButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { Icon } from "../components/icon.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { ApplicationCards, type ApplicationListItem } from "./applications.tsx";
import { useScopeLines } from "./consent.tsx";
import { oauth2Words } from "./words/index.ts";

export const OWN_APPLICATIONS = "/user/settings/applications/oauth2";
/** Nobody has more; the lists are not paginated. */
const ALL = { page: 1, limit: 500, offset: 0 };

/** On the access tokens page: authorized programs, and the user's registered applications. */
export const applicationPanels: readonly SettingsPanel[] = [
  {
    id: "oauth2-grants",
    section: "applications",
    order: 10,
    show: (services, call) =>
      services.config["oauth2.enabled"] ? (
        <GrantsCard grants={services.oauth2Grants.list(call.principal, ALL).items} />
      ) : null,
  },
  {
    id: "oauth2-applications",
    section: "applications",
    order: 20,
    show: (services, call) =>
      services.config["oauth2.enabled"] ? (
        <ApplicationCards applications={applicationsOf(services, call, "own")} action={OWN_APPLICATIONS} form={{}} />
      ) : null,
  },
];

export function applicationsOf(services: WebServices, call: Call, owner: ApplicationOwner): ApplicationListItem[] {
  return services.oauth2Applications.list(call.principal, owner, ALL).items;
}

function GrantsCard({ grants }: { grants: readonly NamedGrant[] }) {
  const t = useWords(oauth2Words);
  return (
    <Card title={t("letInByYou")} id="oauth2-grants" flush>
      {grants.length === 0 ? (
        <EmptyState icon="key" title={t("noGrants")}>
          {t("noGrantsHint")}
        </EmptyState>
      ) : (
        <ul class="list">
          {grants.map((grant) => (
            <GrantRow grant={grant} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function GrantRow({ grant }: { grant: NamedGrant }) {
  const t = useWords(oauth2Words);
  return (
    <li class="danger-row">
      <div>
        <p>
          <Icon name="key" /> <strong>{grant.applicationName}</strong>
        </p>
        <p class="token-scopes">{useScopeLines(grant.scope).join(" · ")}</p>
        <p class="repo-facts">
          <Time at={grant.createdAt} text={t("letInAt", { time: TIME })} />
          {grant.lastUsedAt === undefined ? (
            <span>{t("neverSignedIn")}</span>
          ) : (
            <Time at={grant.lastUsedAt} text={t("lastSignedIn", { time: TIME })} />
          )}
        </p>
      </div>
      <OpenButton kind="danger" small opens={`revoke-${grant.id}`}>
        {t("revoke")}
      </OpenButton>
      <QuestionDialog
        id={`revoke-${grant.id}`}
        title={t("revokeQuestion", { name: grant.applicationName })}
        action={`${OWN_APPLICATIONS}/${grant.applicationId}/revoke/${grant.id}`}
        fields={{}}
        label={t("revoke")}
      >
        {t("revokeLead")}
      </QuestionDialog>
    </li>
  );
}
