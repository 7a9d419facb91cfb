import { SubmitButton } from "../components/button.tsx";
import { CopyBox } from "../components/clone-box.tsx";
import { CheckField, ErrorSummary, FormActions, type FormErrors, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Badge, Card, EmptyState, Notice } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import type { Shell } from "../layout/shell.tsx";
import { UserSettings } from "./settings.tsx";

/** What a token may be allowed, in the API's words and in plain ones. */
export const TOKEN_SCOPES = [
  { name: "repository", label: "Repositories", about: "Code, branches, settings of repositories; git over HTTP" },
  { name: "user", label: "Your account", about: "Profile, e-mail addresses, keys" },
  { name: "organization", label: "Organizations", about: "Organizations and teams" },
  { name: "issue", label: "Issues", about: "Issues, pull requests, labels, milestones" },
  { name: "notification", label: "Notifications", about: "What is new for you" },
  { name: "package", label: "Packages", about: "Package registries" },
  { name: "misc", label: "Server information", about: "Markdown, templates, settings of the server" },
  { name: "activitypub", label: "Federation", about: "ActivityPub" },
  { name: "admin", label: "Administration", about: "Everything a site administrator may do" },
] as const;

/** Those of features this server has. */
const OFFERED: readonly ScopeName[] = ["repository", "user", "misc", "admin"];

export type ScopeName = (typeof TOKEN_SCOPES)[number]["name"];

export interface AccessToken {
  readonly id: number;
  readonly name: string;
  /** `read:repository`, `write:user`, `all`, `public-only`. */
  readonly scopes: readonly string[];
  readonly lastEight: string;
  readonly createdAt: Instant;
  readonly usedAt?: Instant;
}

export interface TokensProps {
  readonly shell: Shell;
  readonly tokens: readonly AccessToken[];
  /** The token just made; shown once. */
  readonly created?: { readonly name: string; readonly secret: string };
  readonly form: {
    readonly values?: {
      readonly name?: string;
      readonly scopes?: Partial<Record<ScopeName, "read" | "write">>;
      readonly publicOnly?: boolean;
    };
    readonly errors?: FormErrors<"name" | "scopes">;
  };
}

/** `GET/POST /user/settings/applications`: access tokens. */
export function TokensPage({ shell, tokens, created, form }: TokensProps) {
  return (
    <UserSettings shell={shell} section="applications">
      {created ? (
        <Notice kind="success">
          <p>
            Token <strong>{created.name}</strong> was created. Copy it now: it is never shown again.
          </p>
          <CopyBox text={created.secret} label="Access token" id="new-token" />
        </Notice>
      ) : null}
      <ErrorSummary errors={form.errors} labels={{ name: "Name", scopes: "Permissions" }} />
      <Card title="Your tokens" flush>
        {tokens.length === 0 ? (
          <EmptyState icon="key" title="No access tokens">
            Programs use a token in place of your password.
          </EmptyState>
        ) : (
          <ul class="list">
            {tokens.map((token) => (
              <TokenRow token={token} />
            ))}
          </ul>
        )}
      </Card>
      <Card title="New token">
        <form class="form" method="post" action="/user/settings/applications">
          <TextField
            name="name"
            label="Name"
            value={form.values?.name}
            error={form.errors?.name}
            hint="Say where it is used: laptop, backup job, editor."
            autocomplete="off"
            maxLength={255}
            required
          />
          <ScopeTable values={form.values?.scopes ?? {}} error={form.errors?.scopes} />
          <CheckField
            name="scope-public-only"
            value="public-only"
            label="Only public things"
            hint="The token sees nothing private, whatever it may do otherwise."
            checked={form.values?.publicOnly ?? false}
          />
          <FormActions>
            <SubmitButton kind="primary">Create token</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </UserSettings>
  );
}

function TokenRow({ token }: { token: AccessToken }) {
  return (
    <li class="danger-row">
      <div>
        <p>
          <Icon name="key" /> <strong>{token.name}</strong> <code class="muted">…{token.lastEight}</code>
        </p>
        <p class="token-scopes">{token.scopes.map(scopeWords).join(" · ")}</p>
        <p class="repo-facts">
          <Time at={token.createdAt} prefix="created" />
          {token.usedAt === undefined ? <span>never used</span> : <Time at={token.usedAt} prefix="last used" />}
        </p>
      </div>
      <form method="post" action="/user/settings/applications/delete">
        <input type="hidden" name="id" value={String(token.id)} />
        <SubmitButton kind="danger" small>
          Delete
        </SubmitButton>
      </form>
    </li>
  );
}

/** "can read repositories". */
export function scopeWords(scope: string): string {
  if (scope === "all") return "can do everything you can";
  if (scope === "public-only") return "only public things";
  const [access, name] = scope.split(":");
  const label = TOKEN_SCOPES.find((known) => known.name === name)?.label.toLowerCase() ?? name ?? scope;
  return access === "write" ? `can read and write: ${label}` : `can read: ${label}`;
}

function ScopeTable({
  values,
  error,
}: {
  values: Partial<Record<ScopeName, "read" | "write">>;
  error: string | undefined;
}) {
  return (
    <fieldset class={error ? "field field-bad" : "field"}>
      <legend id="f-scopes">Permissions</legend>
      {error ? <p class="field-error">{error}</p> : null}
      <div class="scopes">
        {TOKEN_SCOPES.filter((scope) => OFFERED.includes(scope.name)).map((scope) => (
          <div class="scope">
            <label for={`scope-${scope.name}`}>
              <strong>{scope.label}</strong>
              <span class="hint">{scope.about}</span>
            </label>
            <select id={`scope-${scope.name}`} name={`scope-${scope.name}`}>
              <option value="">No access</option>
              <option value={`read:${scope.name}`} selected={values[scope.name] === "read"}>
                Read
              </option>
              <option value={`write:${scope.name}`} selected={values[scope.name] === "write"}>
                Read and write
              </option>
            </select>
          </div>
        ))}
      </div>
    </fieldset>
  );
}

export interface SessionItem {
  readonly id: string;
  /** "Firefox on Linux". */
  readonly device: string;
  readonly address: string;
  readonly startedAt: Instant;
  readonly expiresAt: Instant;
  readonly isCurrent: boolean;
}

export interface SessionsProps {
  readonly shell: Shell;
  readonly sessions: readonly SessionItem[];
}

/** `GET /user/settings/security`: where one is signed in. */
export function SessionsPage({ shell, sessions }: SessionsProps) {
  return (
    <UserSettings shell={shell} section="security">
      <Card title="Where you are signed in" flush>
        <ul class="list">
          {sessions.map((session) => (
            <li class="danger-row">
              <div>
                <p>
                  <strong>{session.device}</strong> {session.isCurrent ? <Badge tone="ok">This one</Badge> : null}
                </p>
                <p class="repo-facts">
                  <span class="mono">{session.address}</span>
                  <Time at={session.startedAt} prefix="signed in" />
                  <Time at={session.expiresAt} prefix="ends" />
                </p>
              </div>
              {session.isCurrent ? null : (
                <form method="post" action="/user/settings/security/sessions/revoke">
                  <input type="hidden" name="id" value={session.id} />
                  <SubmitButton small>Sign out</SubmitButton>
                </form>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {sessions.length > 1 ? (
        <form method="post" action="/user/settings/security/sessions/revoke">
          <input type="hidden" name="id" value="others" />
          <SubmitButton kind="danger">Sign out everywhere else</SubmitButton>
        </form>
      ) : null}
    </UserSettings>
  );
}
