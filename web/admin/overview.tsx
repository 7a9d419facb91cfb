import type { Overview } from "../../src/admin/overview/service.ts";
import type { ShownSetting } from "../../src/config/describe.ts";
import type { SshOverview } from "../../src/ssh/service.ts";
import { SubmitButton } from "../components/button.tsx";
import { FormActions, TextField } from "../components/form.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { ListBar } from "../components/list-bar.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useLanguage, useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { withQuery } from "../links.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { Fact, Facts } from "./facts.tsx";
import { SshCard } from "./ssh-card.tsx";
import { adminWords } from "./words/index.ts";

/** `GET /-/admin`. */
export function OverviewPage({ shell, overview, ssh }: { shell: Shell; overview: Overview; ssh: SshOverview }) {
  const t = useWords(adminWords);
  const language = useLanguage();
  const { versions } = overview;
  const troubles = overview.failedJobs + overview.eventsSetAside;
  return (
    <AdminFrame shell={shell} page="overview" title={t("overview")}>
      <Card title={t("health")} flush>
        <Facts>
          <Fact label={t("state")}>
            {troubles === 0 ? (
              <Badge tone="ok" icon="check">
                {t("allWell")}
              </Badge>
            ) : (
              <Badge tone="warn" icon="alert">
                {t("needsAttention")}
              </Badge>
            )}
          </Fact>
          <Fact label={t("jobsFailed")}>
            <a href="/-/admin/background?state=failed">{language.number(overview.failedJobs)}</a>
          </Fact>
          <Fact label={t("jobsRunning")}>
            <a href="/-/admin/background?state=running">{language.number(overview.runningJobs)}</a>
          </Fact>
          <Fact label={t("jobsWaiting")}>
            <a href="/-/admin/background?state=waiting">{language.number(overview.waitingJobs)}</a>
          </Fact>
          <Fact label={t("eventsSetAside")}>
            <a href="/-/admin/background">{language.number(overview.eventsSetAside)}</a>
          </Fact>
          <Fact label={t("runningSince")}>
            <Time at={overview.startedAt} />
          </Fact>
        </Facts>
      </Card>
      <Card title={t("sizes")} flush>
        <Facts>
          <Fact label={t("users")}>
            <a href="/-/admin/users">{language.number(overview.people)}</a>
            <div class="muted">{t("activeLastMonth", { count: overview.activePeople })}</div>
          </Fact>
          <Fact label={t("organizations")}>
            <a href="/-/admin/orgs">{language.number(overview.organizations)}</a>
          </Fact>
          <Fact label={t("repositories")}>
            <a href="/-/admin/repos">{language.number(overview.repositories)}</a>
            <div class="muted">{language.size(overview.repositoriesSize)}</div>
          </Fact>
          <Fact label={t("database")}>{language.size(overview.databaseSize)}</Fact>
          <Fact label={t("diskFree")}>
            {t("sizeOf", { size: language.size(overview.diskFree), total: language.size(overview.diskSize) })}
          </Fact>
          <Fact label={t("memory")}>{language.size(overview.memory)}</Fact>
        </Facts>
      </Card>
      <SshCard ssh={ssh} />
      <Card title={t("versions")} flush>
        <Facts>
          <Fact label="Hearth">{versions.hearth}</Fact>
          <Fact label={t("schema")}>{String(versions.schema)}</Fact>
          <Fact label="Bun">{versions.bun}</Fact>
          <Fact label="SQLite">{versions.sqlite}</Fact>
        </Facts>
      </Card>
    </AdminFrame>
  );
}

const CONFIG = "/-/admin/config";

/** `GET /-/admin/config`; with `show=changed` only settings that differ from their defaults. */
export function ConfigPage(props: { shell: Shell; settings: readonly ShownSetting[]; onlyChanged: boolean }) {
  const t = useWords(adminWords);
  const { onlyChanged, shell } = props;
  const changed = props.settings.filter(({ isDefault }) => !isDefault);
  const settings = onlyChanged ? changed : props.settings;
  const states = [
    { label: t("allSettings"), href: CONFIG, count: props.settings.length, current: !onlyChanged },
    {
      label: t("changed"),
      href: withQuery(CONFIG, { show: "changed" }),
      count: changed.length,
      current: onlyChanged,
    },
  ];
  return (
    <AdminFrame shell={shell} page="config" title={t("configuration")}>
      <Card title={t("testMail")}>
        <form class="form" method="post" action="/-/admin/config/test_mail">
          <TextField name="email" type="email" label={t("testMailTo")} autocomplete="email" required />
          <FormActions>
            <SubmitButton>{t("sendTestMail")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <Card title={t("testCache")}>
        <form class="form" method="post" action="/-/admin/config/test_cache">
          <p class="muted">{t("testCacheHint")}</p>
          <FormActions>
            <SubmitButton>{t("testCache")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <Card title={t("settings")} flush>
        <p class="list-row muted">{t("settingsHint")}</p>
        <ListBar label={t("settings")} states={states} />
        <div class="table-box">
          <table class="table table-stack">
            <caption class="hidden-text">{t("settings")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("setting")}</th>
                <th scope="col">{t("value")}</th>
                <th scope="col">{t("meaning")}</th>
              </tr>
            </thead>
            <tbody>
              {settings.map(({ name, value, isDefault, doc }) => (
                <tr>
                  <th scope="row" class="mono">
                    {name}
                  </th>
                  <td>
                    {value === undefined ? <em>{t("secretHidden")}</em> : <code class="wrap">{value}</code>}{" "}
                    {isDefault ? null : <Badge>{t("changed")}</Badge>}
                  </td>
                  <td class="detail muted wrap" lang="en">
                    <ItemTitle text={doc} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
    </AdminFrame>
  );
}
