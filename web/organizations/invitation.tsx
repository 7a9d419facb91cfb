import { LinkButton, SubmitButton } from "../components/button.tsx";
import { FormActions } from "../components/form.tsx";
import { Card, Notice } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { organizationWords } from "./words/index.ts";

export interface InvitationProps {
  readonly shell: Shell;
  readonly organization: string;
  readonly team: string;
  /** Absent: the inviter's account was deleted. */
  readonly inviter?: string | undefined;
  readonly isForCaller: boolean;
  readonly action: string;
  readonly error?: string | undefined;
}

/** `GET /org/invite/{code}`. */
export function InvitationPage(props: InvitationProps) {
  const t = useWords(organizationWords);
  const { organization, team, inviter, isForCaller } = props;
  const title = t("invitationTitle", { organization });
  return (
    <PageFrame shell={props.shell} title={[title]} width="narrow" noIndex>
      <Card>
        <div class="stack">
          <h1>{title}</h1>
          <p>{inviter ? t("invitedBy", { inviter, team, organization }) : t("invited", { team, organization })}</p>
          {props.error ? <Notice kind="error">{props.error}</Notice> : null}
          {isForCaller ? (
            <form method="post" action={props.action}>
              <FormActions>
                <SubmitButton kind="primary">{t("joinTeam")}</SubmitButton>
                <LinkButton kind="quiet" href="/">
                  {t("notNow")}
                </LinkButton>
              </FormActions>
            </form>
          ) : (
            <>
              <Notice kind="warning">{t("otherAddress")}</Notice>
              <FormActions>
                <LinkButton href="/user/settings/account">{t("addressesOfAccount")}</LinkButton>
              </FormActions>
            </>
          )}
        </div>
      </Card>
    </PageFrame>
  );
}
