import type { Translate } from "../../src/language/catalogue.ts";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { CopyBox } from "../components/clone-box.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { CheckField, ErrorSummary, FormActions, type FormErrors, SelectField, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { UserSettings } from "./settings.tsx";
import { accountWords } from "./words/index.ts";

/** The scopes of a token, as the API names them. */
export const TOKEN_SCOPES = [
  "repository",
  "user",
  "organization",
  "issue",
  "notification",
  "package",
  "misc",
  "activitypub",
  "admin",
] as const;

/** Scopes the form offers; that of the administration only to administrators. */
const OFFERED: readonly ScopeName[] = [
  "repository",
  "user",
  "organization",
  "issue",
  "notification",
  "package",
  "misc",
  "admin",
];

/** Possible lifetimes of a token, in days. */
const LIFETIMES = [7, 30, 90, 365] as const;

export type ScopeName = (typeof TOKEN_SCOPES)[number];

export interface AccessToken {
  readonly id: number;
  readonly name: string;
  /** `read:repository`, `write:user`, `all`, `public-only`. */
  readonly scopes: readonly string[];
  readonly lastEight: string;
  readonly createdAt: Instant;
  readonly usedAt?: Instant;
  readonly expiresAt?: Instant;
  readonly isExpired?: boolean;
}

export interface TokensProps {
  readonly shell: Shell;
  readonly tokens: readonly AccessToken[];
  /** What other areas show about programs and their access. */
  readonly panels?: Children;
  /** The new token; shown once. */
  readonly created?: { readonly name: string; readonly secret: string };
  readonly form: {
    readonly values?: {
      readonly name?: string;
      readonly scopes?: Partial<Record<ScopeName, "read" | "write">>;
      readonly publicOnly?: boolean;
      readonly expires?: string;
    };
    readonly errors?: FormErrors<"name" | "scopes" | "expires">;
  };
}

/** `GET/POST /user/settings/applications`: access tokens. */
export function TokensPage({ shell, tokens, created, form, panels }: TokensProps) {
  const t = useWords(accountWords);
  return (
    <UserSettings shell={shell} section="applications">
      {created ? (
        <Notice kind="success">
          <p>{t.jsx("tokenCreated", { name: created.name, b: (inner) => <strong>{inner}</strong> })}</p>
          <CopyBox text={created.secret} label={t("accessToken")} id="new-token" />
        </Notice>
      ) : null}
      <ErrorSummary errors={form.errors} labels={{ name: t("name"), scopes: t("permissions") }} />
      <Card title={t("yourTokens")} flush>
        {tokens.length === 0 ? (
          <EmptyState icon="key" title={t("noTokens")}>
            {t("noTokensHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {tokens.map((token) => (
              <TokenRow token={token} />
            ))}
          </ul>
        )}
      </Card>
      <Card title={t("newToken")}>
        <form class="form" method="post" action="/user/settings/applications">
          <TextField
            name="name"
            label={t("name")}
            value={form.values?.name}
            error={form.errors?.name}
            hint={t("tokenNameHint")}
            autocomplete="off"
            maxLength={255}
            required
          />
          <SelectField
            name="expires"
            label={t("expiration")}
            value={form.values?.expires ?? ""}
            error={form.errors?.expires}
            choices={[
              { value: "", label: t("doesNotExpire") },
              ...LIFETIMES.map((count) => ({ value: String(count), label: t("afterDays", { count }) })),
            ]}
          />
          <ScopeTable
            offered={shell.viewer?.isSiteAdmin ? OFFERED : OFFERED.filter((scope) => scope !== "admin")}
            values={form.values?.scopes ?? {}}
            error={form.errors?.scopes}
          />
          <CheckField
            name="scope-public-only"
            value="public-only"
            label={t("publicOnly")}
            hint={t("publicOnlyHint")}
            checked={form.values?.publicOnly ?? false}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("createToken")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      {panels}
    </UserSettings>
  );
}

function TokenRow({ token }: { token: AccessToken }) {
  const t = useWords(accountWords);
  return (
    <li class="danger-row">
      <div>
        <p>
          <Icon name="key" /> <strong>{token.name}</strong> <code class="muted">…{token.lastEight}</code>
        </p>
        <p class="token-scopes">{token.scopes.map((scope) => scopeWords(scope, t)).join(" · ")}</p>
        <p class="repo-facts">
          <Time at={token.createdAt} text={t("created", { time: TIME })} />
          {token.usedAt === undefined ? (
            <span>{t("neverUsed")}</span>
          ) : (
            <Time at={token.usedAt} text={t("lastUsed", { time: TIME })} />
          )}
          {token.expiresAt === undefined ? null : (
            <Time
              at={token.expiresAt}
              text={token.isExpired ? t("expired", { time: TIME }) : t("expires", { time: TIME })}
            />
          )}
        </p>
      </div>
      <div class="form-actions">
        <OpenButton small opens={`regenerate-${token.id}`}>
          {t("regenerate")}
        </OpenButton>
        <OpenButton kind="danger" small opens={`delete-${token.id}`}>
          {t("delete")}
        </OpenButton>
      </div>
      {(["regenerate", "delete"] as const).map((what) => (
        <QuestionDialog
          id={`${what}-${token.id}`}
          title={t(`${what}Token`, { name: token.name })}
          action={`/user/settings/applications/${what}`}
          fields={{ id: String(token.id) }}
          label={t(what)}
        >
          {t("tokenStopsWorking")}
        </QuestionDialog>
      ))}
    </li>
  );
}

/** "can read repositories". */
export function scopeWords(scope: string, t: Translate<typeof accountWords.source>): string {
  if (scope === "all") return t("mayEverything");
  if (scope === "public-only") return t("mayPublicOnly");
  const [access, name] = scope.split(":");
  const known = TOKEN_SCOPES.find((each) => each === name);
  const what = known ? t(`scope-${known}`) : (name ?? scope);
  return access === "write" ? t("mayWrite", { what }) : t("mayRead", { what });
}

function ScopeTable({
  offered,
  values,
  error,
}: {
  offered: readonly ScopeName[];
  values: Partial<Record<ScopeName, "read" | "write">>;
  error: string | undefined;
}) {
  const t = useWords(accountWords);
  return (
    <fieldset class={error ? "field field-bad" : "field"}>
      <legend id="f-scopes">{t("permissions")}</legend>
      {error ? <p class="field-error">{error}</p> : null}
      <div class="scopes">
        {offered.map((scope) => (
          <div class="scope">
            <label for={`scope-${scope}`}>
              <strong>{t(`scope-${scope}`)}</strong>
              <span class="hint">{t(`scope-${scope}-about`)}</span>
            </label>
            <select id={`scope-${scope}`} name={`scope-${scope}`}>
              <option value="">{t("noAccess")}</option>
              <option value={`read:${scope}`} selected={values[scope] === "read"}>
                {t("read")}
              </option>
              <option value={`write:${scope}`} selected={values[scope] === "write"}>
                {t("readAndWrite")}
              </option>
            </select>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
