import type { SignOutQuery } from "../../src/oauth2/sign-outs.ts";
import { SubmitButton } from "../components/button.tsx";
import { FormActions } from "../components/form.tsx";
import { GatePage } from "../identity/gate.tsx";
import { identityWords } from "../identity/words/index.ts";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { placeOf } from "./consent.tsx";
import { oauth2Words } from "./words/index.ts";

interface LeaveProps {
  readonly shell: Shell;
  readonly request: Omit<SignOutQuery, "idTokenHint">;
  /** Name of the requesting application; absent when it does not identify itself. */
  readonly name?: string;
}

/** `GET /login/oauth/logout`. */
export function LeavePage({ shell, request, name }: LeaveProps) {
  const t = useWords(oauth2Words);
  const identity = useWords(identityWords);
  const { clientId, returnTo, state } = request;
  return (
    <PageFrame shell={shell} title={[identity("signOut")]} width="narrow" noIndex>
      <GatePage title={identity("signOutQuestion")}>
        <form class="form" method="post" action="/login/oauth/logout/answer">
          {name === undefined ? null : <p>{t.jsx("leftProgram", { name, b: (inner) => <strong>{inner}</strong> })}</p>}
          {shell.viewer ? <p>{identity("signedInAs", { name: shell.viewer.name })}</p> : null}
          {returnTo === "" ? null : (
            <p>{t.jsx("goesTo", { place: placeOf(returnTo), b: (inner) => <strong>{inner}</strong> })}</p>
          )}
          <input type="hidden" name="client_id" value={clientId} />
          <input type="hidden" name="post_logout_redirect_uri" value={returnTo} />
          <input type="hidden" name="state" value={state} />
          <FormActions>
            <SubmitButton kind="primary" icon="sign-out">
              {identity("signOut")}
            </SubmitButton>
            <a href="/">{identity("stayHere")}</a>
          </FormActions>
        </form>
      </GatePage>
    </PageFrame>
  );
}
