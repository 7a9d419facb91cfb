import { PROVIDERS } from "../../src/sources/oauth2/providers.ts";
import { type SourceKind, sourceFields } from "../../src/sources/settings.ts";
import { SMTP_METHODS } from "../../src/sources/values.ts";
import { AdminFrame } from "../admin/admin-frame.tsx";
import { CancelLink, OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import { CheckField, ErrorSummary, FormActions, SelectField, TextArea, TextField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { callbackAddress } from "./hrefs.ts";
import { sourceWords } from "./words/index.ts";

export interface SourceValues {
  readonly name: string;
  readonly isActive: boolean;
  readonly isSynchronized: boolean;
  readonly skipsSecondFactor: boolean;
  readonly settings: Readonly<Record<string, string | boolean | number | undefined>>;
}

export interface SourcePageProps {
  readonly shell: Shell;
  readonly kind: SourceKind;
  readonly action: string;
  readonly values: SourceValues;
  readonly hasSecret: boolean;
  readonly errors: Readonly<Record<string, string | undefined>> | undefined;
  readonly rootUrl: string;
  /** Absent: a new one; false: accounts use it. */
  readonly deletable?: boolean;
}

/** The fields of each kind in form order; `secret` is never shown again. */
const PARTS = {
  oauth2: {
    connection: ["provider", "clientId", "secret", "discoveryUrl", "tenant", "scopes", "iconUrl", "signsOutThere"],
    addresses: ["usesCustomUrls", "authorizationUrl", "tokenUrl", "profileUrl", "emailUrl"],
    claims: ["requiredClaim", "requiredValue", "fullNameClaim", "sshKeyClaim"],
    groups: ["groupClaim", "adminGroup", "restrictedGroup", "teamMap", "removesFromTeams"],
  },
  ldap: {
    connection: ["host", "port", "security", "skipsVerification", "bindDn", "secret", "attributesInBind", "pageSize"],
    people: ["userBase", "userFilter", "adminFilter", "restrictedFilter", "deactivatesAll"],
    attributes: [
      "usernameAttribute",
      "firstNameAttribute",
      "surnameAttribute",
      "emailAttribute",
      "sshKeyAttribute",
      "sshKeysAreVerified",
      "avatarAttribute",
    ],
    groups: [
      "usesGroups",
      "groupBase",
      "groupFilter",
      "groupMemberAttribute",
      "groupUserAttribute",
      "teamMap",
      "removesFromTeams",
    ],
  },
  "ldap-simple": {
    connection: ["host", "port", "security", "skipsVerification"],
    people: ["userDn", "userBase", "userFilter", "adminFilter", "restrictedFilter"],
    attributes: [
      "usernameAttribute",
      "firstNameAttribute",
      "surnameAttribute",
      "emailAttribute",
      "sshKeyAttribute",
      "sshKeysAreVerified",
      "avatarAttribute",
    ],
  },
  smtp: {
    connection: ["host", "port", "forcesTls", "skipsVerification", "authType", "heloName", "hidesName"],
    people: ["allowedDomains"],
  },
} as const;

type Part = "connection" | "addresses" | "claims" | "groups" | "people" | "attributes";
type FieldKey = Exclude<
  | (typeof PARTS)["oauth2"][keyof (typeof PARTS)["oauth2"]][number]
  | (typeof PARTS)["ldap"][keyof (typeof PARTS)["ldap"]][number]
  | "userDn"
  | (typeof PARTS)["smtp"][keyof (typeof PARTS)["smtp"]][number],
  never
>;

const HINTED: ReadonlySet<FieldKey> = new Set<FieldKey>([
  "discoveryUrl",
  "scopes",
  "usesCustomUrls",
  "signsOutThere",
  "requiredClaim",
  "groupClaim",
  "userFilter",
  "adminFilter",
  "userDn",
  "usernameAttribute",
  "groupFilter",
  "groupUserAttribute",
  "bindDn",
  "pageSize",
  "deactivatesAll",
  "forcesTls",
  "heloName",
  "allowedDomains",
]);
const REQUIRED: ReadonlySet<FieldKey> = new Set<FieldKey>([
  "clientId",
  "host",
  "userFilter",
  "emailAttribute",
  "userDn",
]);

/** `GET/POST /-/admin/auths/new` and `/-/admin/auths/{id}`. */
export function SourcePage(props: SourcePageProps) {
  const t = useWords(sourceWords);
  const { kind, values, errors, action, deletable } = props;
  const isNew = deletable === undefined;
  const title = isNew ? t("newSource", { kind: t(`kind-${kind}`) }) : t("editSource", { name: values.name });
  const parts: [string, readonly FieldKey[]][] = Object.entries(PARTS[kind]);
  return (
    <AdminFrame shell={props.shell} page="sources" title={title}>
      <ErrorSummary errors={errors} labels={useLabels(kind)} />
      <form class="source-form" method="post" action={action}>
        {isNew ? <input type="hidden" name="type" value={kind} /> : null}
        <FieldsCard title={t("part-general")}>
          <TextField
            name="name"
            label={t("name")}
            {...(kind === "oauth2" ? { hint: t("nameHint") } : {})}
            value={values.name}
            error={errors?.["name"]}
            required
          />
          <CheckField name="is_active" label={t("active")} hint={t("activeHint")} checked={values.isActive} />
          {kind === "ldap" ? (
            <CheckField
              name="is_sync_enabled"
              label={t("synchronize")}
              hint={t("synchronizeHint")}
              checked={values.isSynchronized}
            />
          ) : null}
          <CheckField
            name="skip_local_2fa"
            label={t("skipSecondFactor")}
            hint={t("skipSecondFactorHint")}
            checked={values.skipsSecondFactor}
          />
          {kind === "oauth2" ? (
            <p class="hint">
              {t("callbackAddress")} <code>{callbackAddress(props.rootUrl, values.name || "NAME").href}</code>
            </p>
          ) : null}
        </FieldsCard>
        {parts.map(([part, keys]) => (
          <FieldsCard title={t(`part-${part as Part}`)}>
            {keys.map((key) => (
              <SettingField of={key} form={props} />
            ))}
          </FieldsCard>
        ))}
        <FormActions>
          <SubmitButton kind="primary">{isNew ? t("add") : t("save")}</SubmitButton>
          <CancelLink href="/-/admin/auths" />
        </FormActions>
      </form>
      {isNew ? null : <DeleteCard name={values.name} action={action} deletable={deletable} />}
    </AdminFrame>
  );
}

function FieldsCard({ title, children }: { title: string; children: Children }) {
  return (
    <Card title={title}>
      <div class="form">{children}</div>
    </Card>
  );
}

/** Labels by field. Only inside a component. */
function useLabels(kind: SourceKind): Record<string, string> {
  const t = useWords(sourceWords);
  const entries = Object.values<readonly FieldKey[]>(PARTS[kind])
    .flat()
    .map((key) => [formName(kind, key), t(`field-${key}`)]);
  return { name: t("name"), ...Object.fromEntries(entries) };
}

const formName = (kind: SourceKind, key: FieldKey): string => {
  const fields: Readonly<Record<string, { readonly option: string }>> = sourceFields[kind];
  return fields[key]?.option.replaceAll("-", "_") ?? key;
};

function SettingField({ of: key, form }: { of: FieldKey; form: SourcePageProps }) {
  const t = useWords(sourceWords);
  const { kind, values, errors, hasSecret } = form;
  const name = formName(kind, key);
  const value = values.settings[key];
  const label = key === "secret" && kind !== "oauth2" ? t("field-bindPassword") : t(`field-${key}`);
  const field = {
    name,
    label,
    ...(HINTED.has(key) ? { hint: t(`hint-${key as "scopes"}`) } : {}),
    error: errors?.[name],
    required: REQUIRED.has(key),
  };
  if (key === "secret")
    return (
      <TextField {...field} type="password" autocomplete="off" {...(hasSecret ? { hint: t("secretStays") } : {})} />
    );
  if (key === "provider") return <SelectField {...field} value={String(value ?? "")} choices={providers} />;
  if (key === "security")
    return (
      <SelectField
        {...field}
        value={String(value ?? "")}
        choices={SECURITIES.map((each) => ({ value: each, label: t(`security-${each}`) }))}
      />
    );
  if (key === "authType")
    return (
      <SelectField
        {...field}
        value={String(value ?? "")}
        choices={SMTP_METHODS.map((each) => ({ value: each, label: each }))}
      />
    );
  if (key === "teamMap")
    return (
      <TextArea
        {...field}
        hint={t("hint-teamMap", { example: '{"admins": {"acme": ["Owners"]}}' })}
        value={String(value ?? "")}
        rows={4}
      />
    );
  if (typeof value === "boolean") return <CheckField {...field} checked={value} />;
  const type = typeof value === "number" ? "number" : "text";
  return <TextField {...field} type={type} value={String(value ?? "")} autocomplete="off" code />;
}

const SECURITIES = ["unencrypted", "ldaps", "starttls"] as const;
const providers = [...PROVIDERS].map(([value, { label }]) => ({ value, label }));

function DeleteCard({ name, action, deletable }: { name: string; action: string; deletable: boolean }) {
  const t = useWords(sourceWords);
  return (
    <Card title={t("dangerZone")} danger>
      <div class="danger-row">
        <p>{deletable ? t("deleteLead") : t("inUse")}</p>
        {deletable ? (
          <OpenButton kind="danger" opens="delete-source">
            {t("delete")}
          </OpenButton>
        ) : null}
      </div>
      {deletable ? (
        <ConfirmDialog
          id="delete-source"
          title={t("deleteQuestion", { name })}
          action={`${action}/delete`}
          field="source_name"
          typed={name}
          label={t("delete")}
        />
      ) : null}
    </Card>
  );
}
