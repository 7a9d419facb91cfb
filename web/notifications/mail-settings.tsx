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

/** Which mails one gets (contract web.md 1.7, issues.md 25.1). */
export function mailSettingsPages(services: WebServices): Route[] {
  const page = { surface: "page", access: ownAccount } as const;
  return [
    { ...page, method: "GET", path: PAGE, handle: (call) => settings(services, call) },
    { ...page, method: "POST", path: `${PAGE}/email`, handle: (call) => change(services, call) },
  ];
}

function settings(services: WebServices, call: Call): Response {
  const { mail, mailPreferences: preferences } = services;
  return show(
    call,
    <MailSettingsPage
      shell={shellOf(services, call)}
      preference={preferences.of(signedIn(call).id)}
      sendsMails={mail.isConfigured}
    />,
  );
}

async function change(services: WebServices, call: Call): Promise<Response> {
  const preference = (await readForm(call)).text("preference");
  if (!isMailPreference(preference)) throw new NotFound();
  services.mailPreferences.set(call.principal, preference);
  const text = wordsFor(call, notificationsWords)("mailSaved");
  return redirectAfterPost(services, call, PAGE, { kind: "success", text });
}

function MailSettingsPage(props: { shell: Shell; preference: MailPreference; sendsMails: boolean }) {
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
      </Card>
    </UserSettings>
  );
}
