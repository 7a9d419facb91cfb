import { UserSettings } from "../account/settings.tsx";
import { CancelLink, CopyButton, LinkButton, OpenButton, SubmitButton } from "../components/button.tsx";
import { CopyBox } from "../components/clone-box.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { FormActions, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Badge, Card, EmptyState, Notice } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { raw, type SafeHtml } from "../jsx/raw.ts";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { twoFactorWords } from "./words/index.ts";

const AT = "/user/settings/security";

export interface PasskeyItem {
  readonly id: number;
  readonly name: string;
  readonly isCloned: boolean;
  readonly createdAt: Instant;
  readonly usedAt?: Instant;
}

export interface TwoFactorCardsProps {
  /** The account can do nothing else until it has a second factor. */
  readonly isRequired: boolean;
  readonly hasPasscodes: boolean;
  readonly passkeys: readonly PasskeyItem[];
  /** Browsers accept passkeys for this site. */
  readonly takesPasskeys: boolean;
  readonly hasPassword: boolean;
  readonly codesLeft: number;
  /** New recovery codes; shown once. */
  readonly newCodes?: readonly string[];
}

/** Second factors on the security page. */
export function TwoFactorCards(props: TwoFactorCardsProps) {
  const isOn = props.hasPasscodes || props.passkeys.length > 0;
  const t = useWords(twoFactorWords);
  return (
    <>
      {props.isRequired ? (
        <Notice kind="warning">
          <p>{t("factorRequired")}</p>
        </Notice>
      ) : null}
      {props.newCodes ? <NewCodes codes={props.newCodes} /> : null}
      <PasscodesCard {...props} />
      <PasskeysCard {...props} />
      {isOn ? <RecoveryCard {...props} /> : null}
    </>
  );
}

function NewCodes({ codes }: { codes: readonly string[] }) {
  const t = useWords(twoFactorWords);
  return (
    <Notice kind="success">
      <p>{t("newCodes")}</p>
      <div class="row">
        <ul class="recovery-codes mono">
          {codes.map((code) => (
            <li>{code}</li>
          ))}
        </ul>
        <CopyButton text={codes.join("\n")} label={t("recoveryCodes")} />
      </div>
    </Notice>
  );
}

function PasscodesCard({ hasPasscodes, hasPassword }: TwoFactorCardsProps) {
  const t = useWords(twoFactorWords);
  return (
    <Card
      title={t("passcodes")}
      actions={hasPasscodes ? <Badge tone="ok">{t("passcodesOn")}</Badge> : <Badge>{t("passcodesOff")}</Badge>}
    >
      <div class="danger-row">
        <div>
          <p>{t("passcodesLead")}</p>
          {hasPasscodes ? <p class="hint">{t("programsNeedTokens")}</p> : null}
        </div>
        {hasPasscodes ? (
          <OpenButton kind="danger" opens="turn-off-passcodes">
            {t("turnOff")}
          </OpenButton>
        ) : (
          <LinkButton href={`${AT}/two_factor/enroll`}>{t("setUp")}</LinkButton>
        )}
      </div>
      {hasPasscodes ? (
        <PasswordDialog
          id="turn-off-passcodes"
          title={t("turnOffTitle")}
          lead={t("turnOffLead")}
          action={`${AT}/two_factor/disable`}
          label={t("turnOff")}
          hasPassword={hasPassword}
        />
      ) : null}
    </Card>
  );
}

function PasskeysCard({ passkeys, takesPasskeys, hasPassword }: TwoFactorCardsProps) {
  const t = useWords(twoFactorWords);
  return (
    <Card title={t("passkeys")} flush>
      {passkeys.length === 0 ? (
        <EmptyState icon="key" title={t("noPasskeys")}>
          {t("passkeysLead")}
        </EmptyState>
      ) : (
        <ul class="list">
          {passkeys.map((passkey) => (
            <PasskeyRow passkey={passkey} hasPassword={hasPassword} />
          ))}
        </ul>
      )}
      {takesPasskeys ? <NewPasskey /> : <p class="list-row hint">{t("passkeysNeedName")}</p>}
    </Card>
  );
}

function PasskeyRow({ passkey, hasPassword }: { passkey: PasskeyItem; hasPassword: boolean }) {
  const t = useWords(twoFactorWords);
  const dialog = `remove-passkey-${passkey.id}`;
  return (
    <li class="danger-row">
      <div>
        <p>
          <Icon name="key" /> <strong>{passkey.name}</strong>{" "}
          {passkey.isCloned ? <Badge tone="danger">{t("cloned")}</Badge> : null}
        </p>
        <p class="repo-facts">
          <Time at={passkey.createdAt} text={t("created", { time: TIME })} />
          {passkey.usedAt === undefined ? (
            <span>{t("neverUsed")}</span>
          ) : (
            <Time at={passkey.usedAt} text={t("lastUsed", { time: TIME })} />
          )}
        </p>
      </div>
      <OpenButton kind="danger" small opens={dialog}>
        {t("remove")}
      </OpenButton>
      <PasswordDialog
        id={dialog}
        title={t("removePasskey", { name: passkey.name })}
        lead={t("removePasskeyLead")}
        action={`${AT}/webauthn/delete`}
        label={t("remove")}
        hasPassword={hasPassword}
        passkey={passkey.id}
      />
    </li>
  );
}

function NewPasskey() {
  const t = useWords(twoFactorWords);
  return (
    <form
      class="form list-row"
      method="post"
      action={`${AT}/webauthn/request_register`}
      data-passkey-registration=""
      data-options={`${AT}/webauthn/request_register`}
      data-answer={`${AT}/webauthn/register`}
      data-failed={t("passkeyFailed")}
      data-needs-passkeys=""
      hidden
    >
      <p class="field-error" data-passkey-error="" role="alert" hidden />
      <TextField
        name="name"
        label={t("passkeyName")}
        hint={t("passkeyNameHint")}
        maxLength={50}
        autocomplete="off"
        required
      />
      <FormActions>
        <SubmitButton icon="plus">{t("addPasskey")}</SubmitButton>
      </FormActions>
    </form>
  );
}

function RecoveryCard({ codesLeft, hasPassword }: TwoFactorCardsProps) {
  const t = useWords(twoFactorWords);
  return (
    <Card title={t("recoveryCodes")}>
      <div class="danger-row">
        <div>
          <p>{t("recoveryLead")}</p>
          <p class="hint">{t("recoveryLeft", { count: codesLeft })}</p>
        </div>
        <OpenButton opens="new-recovery-codes">{t("makeNewCodes")}</OpenButton>
      </div>
      <PasswordDialog
        id="new-recovery-codes"
        title={t("makeNewCodes")}
        lead={t("makeNewCodesLead")}
        action={`${AT}/two_factor/regenerate_scratch`}
        label={t("makeNewCodes")}
        hasPassword={hasPassword}
      />
    </Card>
  );
}

/** Asks for the user's password before something that weakens the account's security. */
function PasswordDialog(props: {
  id: string;
  title: string;
  lead: string;
  action: string;
  label: string;
  hasPassword: boolean;
  passkey?: number;
}) {
  const t = useWords(twoFactorWords);
  return (
    <Dialog id={props.id} title={props.title}>
      <form class="form" method="post" action={props.action}>
        <p>{props.lead}</p>
        {props.passkey === undefined ? null : <input type="hidden" name="id" value={String(props.passkey)} />}
        {props.hasPassword ? (
          <div class="field">
            <label for={`${props.id}-password`}>{t("yourPassword")}</label>
            <input
              id={`${props.id}-password`}
              name="password"
              type="password"
              autocomplete="current-password"
              required
            />
          </div>
        ) : null}
        <DialogActions label={props.label} danger />
      </form>
    </Dialog>
  );
}

export interface EnrolProps {
  readonly shell: Shell;
  /** The QR code for the app. */
  readonly picture: SafeHtml;
  /** In base 32, for apps without a camera. */
  readonly secret: string;
}

/** `GET/POST /user/settings/security/two_factor/enroll`. */
export function EnrolPage({ shell, picture, secret }: EnrolProps) {
  const t = useWords(twoFactorWords);
  return (
    <UserSettings shell={shell} section="security">
      <Card title={t("scanTitle")}>
        <form class="form" method="post" action={`${AT}/two_factor/enroll`}>
          <p>{t("scanLead")}</p>
          <div class="qr" role="img" aria-label={t("pictureOf")}>
            {raw(picture)}
          </div>
          <CopyBox text={secret} label={t("secret")} id="totp-secret" />
          <TextField
            name="passcode"
            label={t("passcode")}
            hint={t("passcodeHint")}
            autocomplete="one-time-code"
            inputmode="numeric"
            maxLength={10}
            required
            code
          />
          <FormActions>
            <SubmitButton kind="primary">{t("turnOn")}</SubmitButton>
            <CancelLink href={AT} />
          </FormActions>
        </form>
      </Card>
    </UserSettings>
  );
}
