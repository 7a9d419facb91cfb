import { scopeNames } from "../../src/access/scopes.ts";
import { hasItem, tokenScopeOf } from "../../src/oauth2/scope.ts";
import { scopeWords } from "../account/tokens.tsx";
import { accountWords } from "../account/words/index.ts";
import { SubmitButton } from "../components/button.tsx";
import { FormActions } from "../components/form.tsx";
import { GatePage } from "../identity/gate.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { siteWords } from "../words/index.ts";
import { oauth2Words } from "./words/index.ts";

/** An application that requests access. */
export interface AskingApplication {
  readonly name: string;
  readonly isBuiltIn: boolean;
  /** Who registered it; absent: the site's administrators. */
  readonly owner?: string;
}

export interface ConsentProps {
  readonly shell: Shell;
  readonly application: AskingApplication;
  readonly request: {
    readonly clientId: string;
    readonly redirectUri: string;
    readonly state: string;
    readonly scope: string;
    readonly nonce: string;
  };
}

/** `GET /login/oauth/authorize`. */
export function ConsentPage({ shell, application, request }: ConsentProps) {
  const t = useWords(oauth2Words);
  const title = t("letIn", { name: application.name });
  const fields = {
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    scope: request.scope,
    nonce: request.nonce,
  };
  return (
    <PageFrame shell={shell} title={[title]} width="narrow" noIndex>
      <GatePage title={title}>
        <WhoAsks application={application} login={shell.viewer?.name ?? ""} />
        <WhatItMay scope={request.scope} />
        <p>{t.jsx("goesTo", { place: placeOf(request.redirectUri), b: (inner) => <strong>{inner}</strong> })}</p>
        <form class="form" method="post" action="/login/oauth/grant">
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <ConsentButtons />
        </form>
      </GatePage>
    </PageFrame>
  );
}

/** Which application asks which user. */
export function WhoAsks({ application, login }: { application: AskingApplication; login: string }) {
  const t = useWords(oauth2Words);
  const { isBuiltIn, name, owner } = application;
  const registered = owner === undefined ? t("registeredBySite") : t("registeredBy", { owner });
  return (
    <>
      <p>{t.jsx("asksFor", { name, login, b: (inner) => <strong>{inner}</strong> })}</p>
      <p class="muted">{isBuiltIn ? t("builtIn") : registered}</p>
    </>
  );
}

/** A description of what a scope allows. */
export function WhatItMay({ scope }: { scope: string }) {
  const t = useWords(oauth2Words);
  return (
    <>
      <p>{t("itMay")}</p>
      <ul class="consent-scopes">
        {useScopeLines(scope).map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </>
  );
}

/** Only inside a component. */
export function useScopeLines(scope: string): string[] {
  const t = useWords(oauth2Words);
  const ofTokens = useWords(accountWords);
  const lines = scopeNames(tokenScopeOf(scope)).map((name) => scopeWords(name, ofTokens));
  if (hasItem(scope, "openid") || hasItem(scope, "profile")) lines.push(t("learnsProfile"));
  if (hasItem(scope, "email")) lines.push(t("learnsEmail"));
  if (hasItem(scope, "groups")) lines.push(t("learnsGroups"));
  return lines;
}

export function ConsentButtons() {
  const t = useWords(oauth2Words);
  const site = useWords(siteWords);
  return (
    <FormActions>
      <SubmitButton kind="primary" name="granted" value="true">
        {t("authorize")}
      </SubmitButton>
      <SubmitButton name="granted" value="false">
        {site("cancel")}
      </SubmitButton>
    </FormActions>
  );
}

/** The part of a URL that identifies its owner. */
export function placeOf(uri: string): string {
  const { host, protocol } = new URL(uri);
  return host || protocol;
}
