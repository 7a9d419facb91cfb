import { isRunMailPreference, type RunMailPreference, runMailPreferences } from "../../src/actions/mails/types.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { isMailPreference, type MailPreference, mailPreferences } from "../../src/notifications/mails/types.ts";
import { UserSettings } from "../account/settings.tsx";
import type { WebServices } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { FormActions, RadioField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { readForm } from "../form-data.ts";
import { useWords, wordsFor } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { notificationsWords } from "./words/index.ts";

const PAGE = "/user/settings/notifications";

/** Which emails a user receives (contract web.md 1.7, issues.md 25.1). */
export function mailSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownAccount } as const;
  return [
    { ...page, method: "GET", path: PAGE, handle: (call) => settings(services, call) },
    { ...page, method: "POST", path: `${PAGE}/email`, handle: (call) => change(services, call) },
    { ...page, method: "POST", path: `${PAGE}/actions`, handle: (call) => changeOfRuns(services, call) },
  ];
}

function settings(services: WebServices, call: Call): Response {
  const { config, mail, mailPreferences: preferences, runMailPreferences } = services;
  const { id } = signedIn(call);
  return show(
    call,
    <MailSettingsPage
      shell={shellOf(services, call)}
      preference={preferences.of(id)}
      ofRuns={config["actions.enabled"] ? runMailPreferences.of(id) : undefined}
      sendsMails={mail.isConfigured}
    />,
  );
}

async function change(services: WebServices, call: Call): Promise<Response> {
  const preference = (await readForm(call)).text("preference");
  if (!isMailPreference(preference)) throw new NotFound();
  services.mailPreferences.set(call.principal, preference);
  return saved(services, call);
}

async function changeOfRuns(services: WebServices, call: Call): Promise<Response> {
  const preference = (await readForm(call)).text("preference");
  if (!services.config["actions.enabled"] || !isRunMailPreference(preference)) throw new NotFound();
  services.runMailPreferences.set(call.principal, preference);
  return saved(services, call);
}

function saved(services: WebServices, call: Call): Response {
  const text = wordsFor(call, notificationsWords)("mailSaved");
  return redirectAfterPost(services, call, PAGE, { kind: "success", text });
}

interface MailSettingsProps {
  readonly shell: Shell;
  readonly preference: MailPreference;
  /** Undefined: Actions are disabled here. */
  readonly ofRuns: RunMailPreference | undefined;
  readonly sendsMails: boolean;
}

function MailSettingsPage(props: MailSettingsProps) {
  const t = useWords(notificationsWords);
  return (
    <UserSettings shell={props.shell} section="mails">
      <Card title={t("mailSettings")}>
        <form class="form" method="post" action={`${PAGE}/email`}>
          {props.sendsMails ? null : <p class="muted">{t("mailsAreOff")}</p>}
          <RadioField
            id="mail-preference"
            label={t("mailPreference")}
            name="preference"
            value={props.preference}
            choices={mailPreferences.map((each) => ({ value: each, label: t(`mail-${each}`) }))}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
          </FormActions>
        </form>
        {props.ofRuns === undefined ? null : (
          <form class="form" method="post" action={`${PAGE}/actions`}>
            <RadioField
              id="run-mail-preference"
              label={t("runMailPreference")}
              name="preference"
              value={props.ofRuns}
              choices={runMailPreferences.map((each) => ({ value: each, label: t(`run-mail-${each}`) }))}
            />
            <FormActions>
              <SubmitButton>{t("save")}</SubmitButton>
            </FormActions>
          </form>
        )}
      </Card>
    </UserSettings>
  );
}
