import type { SshKey, SshPrincipal, WholeGpgKey } from "../../src/keys/types.ts";
import { UserSettings } from "../account/settings.tsx";
import { SubmitButton } from "../components/button.tsx";
import { CopyBox } from "../components/clone-box.tsx";
import { FormActions, TextArea, TextField } from "../components/form.tsx";
import { Badge, Card, EmptyState, Notice } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { KeyRow } from "./row.tsx";
import { keysWords } from "./words/index.ts";

export type KeyForm = "ssh" | "gpg" | "principal" | "verify_ssh" | "verify_gpg";

/** Why a key form was refused. */
export interface RefusedKey {
  readonly kind: KeyForm;
  /** The key that was to be verified. */
  readonly about: string;
  readonly text: string;
  readonly values: { readonly title: string; readonly content: string };
}

export interface OwnKeysProps {
  readonly shell: Shell;
  readonly sshKeys: readonly SshKey[];
  readonly gpgKeys: readonly WholeGpgKey[];
  /** Absent: the site has no certificate authorities. */
  readonly principals?: readonly SshPrincipal[];
  /** The text to sign to verify a key. */
  readonly token: string;
  readonly refused?: RefusedKey;
}

const ACTION = "/user/settings/keys";
const deletes = (type: string, id: number) => ({ action: `${ACTION}/delete`, fields: { type, id: String(id) } });

/** `GET/POST /user/settings/keys`. */
export function OwnKeysPage(props: OwnKeysProps) {
  const { refused } = props;
  return (
    <UserSettings shell={props.shell} section="keys">
      {refused ? <Notice kind="error">{refused.text}</Notice> : null}
      <SshKeys {...props} />
      {props.principals ? <Principals principals={props.principals} refused={refused} /> : null}
      <GpgKeys {...props} />
    </UserSettings>
  );
}

function SshKeys({ sshKeys, token, refused }: OwnKeysProps) {
  const t = useWords(keysWords);
  const typed = refused?.kind === "ssh" ? refused : undefined;
  return (
    <>
      <Card title={t("sshKeys")} flush>
        {sshKeys.length === 0 ? (
          <EmptyState icon="key" title={t("noSshKeys")}>
            {t("sshHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {sshKeys.map((key) => (
              <KeyRow
                name={key.title}
                code={key.fingerprint}
                createdAt={key.createdAt}
                usedAt={key.lastUsedAt ?? null}
                badges={
                  <>
                    <VerifiedBadge isVerified={key.isVerified} />{" "}
                    {key.isReadOnly ? <Badge>{t("readOnly")}</Badge> : null}
                  </>
                }
                deletes={deletes("ssh", key.id)}
              >
                {key.isVerified ? null : (
                  <Proof
                    type="verify_ssh"
                    field="fingerprint"
                    about={key.fingerprint}
                    command={`echo -n ${token} | ssh-keygen -Y sign -n gitea -f ~/.ssh/id_ed25519`}
                    refused={refused}
                  />
                )}
              </KeyRow>
            ))}
          </ul>
        )}
      </Card>
      <Card title={t("addSshKey")}>
        <form class="form" method="post" action={ACTION}>
          <input type="hidden" name="type" value="ssh" />
          <TextField
            name="title"
            id="ssh-title"
            label={t("title")}
            hint={t("titleHint")}
            value={typed?.values.title}
            maxLength={255}
            autocomplete="off"
            required
          />
          <TextArea
            name="content"
            id="ssh-content"
            label={t("publicKey")}
            hint={t("sshKeyHint")}
            value={typed?.values.content}
            error={typed?.text}
            rows={4}
            required
          />
          <FormActions>
            <SubmitButton kind="primary">{t("addKey")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </>
  );
}

function GpgKeys({ gpgKeys, token, refused }: OwnKeysProps) {
  const t = useWords(keysWords);
  const typed = refused?.kind === "gpg" ? refused : undefined;
  return (
    <>
      <Card title={t("gpgKeys")} flush>
        {gpgKeys.length === 0 ? (
          <EmptyState icon="key" title={t("noGpgKeys")}>
            {t("gpgHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {gpgKeys.map((key) => (
              <KeyRow
                name={key.keyId}
                code={key.emails.map(({ email }) => email).join(", ")}
                createdAt={key.createdAt}
                badges={<VerifiedBadge isVerified={key.isVerified} />}
                deletes={deletes("gpg", key.id)}
              >
                <p class="repo-facts">
                  {key.subkeys.length > 0 ? (
                    <span>{t("subkeys", { ids: key.subkeys.map(({ keyId }) => keyId).join(", ") })}</span>
                  ) : null}
                  {key.expiresAt === undefined ? null : <Time at={key.expiresAt} text={t("expires", { time: TIME })} />}
                </p>
                {key.isVerified ? null : (
                  <Proof
                    type="verify_gpg"
                    field="key_id"
                    about={key.keyId}
                    command={`echo -n ${token} | gpg -a --default-key ${key.keyId} --detach-sig`}
                    refused={refused}
                  />
                )}
              </KeyRow>
            ))}
          </ul>
        )}
      </Card>
      <Card title={t("addGpgKey")}>
        <form class="form" method="post" action={ACTION}>
          <input type="hidden" name="type" value="gpg" />
          <TextArea
            name="content"
            id="gpg-content"
            label={t("publicKey")}
            hint={t("gpgKeyHint")}
            value={typed?.values.content}
            error={typed?.text}
            rows={6}
            required
          />
          <TextArea name="signature" id="gpg-signature" label={t("signature")} hint={t("gpgSignatureHint")} rows={3} />
          <CopyBox text={token} label={t("tokenToSign")} />
          <FormActions>
            <SubmitButton kind="primary">{t("addKey")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </>
  );
}

function Principals({ principals, refused }: { principals: readonly SshPrincipal[]; refused: RefusedKey | undefined }) {
  const t = useWords(keysWords);
  const typed = refused?.kind === "principal" ? refused : undefined;
  return (
    <Card title={t("principals")}>
      {principals.length === 0 ? (
        <p class="muted">{t("noPrincipals")}</p>
      ) : (
        <ul class="list">
          {principals.map((principal) => (
            <KeyRow
              name={principal.name}
              createdAt={principal.createdAt}
              usedAt={principal.lastUsedAt ?? null}
              deletes={deletes("principal", principal.id)}
            />
          ))}
        </ul>
      )}
      <form class="form" method="post" action={ACTION}>
        <input type="hidden" name="type" value="principal" />
        <TextField
          name="content"
          id="principal-content"
          label={t("principal")}
          hint={t("principalHint")}
          value={typed?.values.content}
          error={typed?.text}
          autocomplete="off"
          required
        />
        <FormActions>
          <SubmitButton>{t("addPrincipal")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}

function VerifiedBadge({ isVerified }: { isVerified: boolean }) {
  const t = useWords(keysWords);
  return isVerified ? (
    <Badge tone="ok" icon="check-circle">
      {t("verified")}
    </Badge>
  ) : (
    <Badge>{t("notVerified")}</Badge>
  );
}

/** How owners verify that a key is theirs. */
function Proof(props: {
  type: "verify_ssh" | "verify_gpg";
  field: string;
  about: string;
  command: string;
  refused: RefusedKey | undefined;
}) {
  const t = useWords(keysWords);
  const { type, about, refused } = props;
  const error = refused?.kind === type && refused.about === about ? refused.text : undefined;
  return (
    <details class="key-proof" open={error !== undefined}>
      <summary>{t("verify")}</summary>
      <form class="form" method="post" action={ACTION}>
        <p class="hint">{t("verifyHint")}</p>
        <CopyBox text={props.command} label={t("command")} />
        <input type="hidden" name="type" value={type} />
        <input type="hidden" name={props.field} value={about} />
        <TextArea name="signature" id={`proof-${about}`} label={t("signature")} error={error} rows={4} required />
        <FormActions>
          <SubmitButton small>{t("verify")}</SubmitButton>
        </FormActions>
      </form>
    </details>
  );
}
