import { SubmitButton } from "../components/button.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { UserSettings } from "./settings.tsx";
import { accountWords } from "./words/index.ts";

export interface SessionItem {
  readonly id: string;
  /** "Firefox on Linux". */
  readonly device: string;
  readonly address: string;
  readonly startedAt: Instant;
  readonly usedAt: Instant;
  readonly expiresAt: Instant;
  readonly isCurrent: boolean;
}

export interface SecurityProps {
  readonly shell: Shell;
  /** What other areas show about the account's security. */
  readonly cards: Children[];
  readonly sessions: readonly SessionItem[];
}

/** `GET /user/settings/security`: second factors and sessions. */
export function SecurityPage({ shell, cards, sessions }: SecurityProps) {
  const t = useWords(accountWords);
  return (
    <UserSettings shell={shell} section="security">
      {cards}
      <Card title={t("whereSignedIn")} flush>
        <ul class="list">
          {sessions.map((session) => (
            <li class="danger-row">
              <div>
                <p>
                  <strong>{session.device}</strong>{" "}
                  {session.isCurrent ? <Badge tone="ok">{t("thisSession")}</Badge> : null}
                </p>
                <p class="repo-facts">
                  <span class="mono">{session.address}</span>
                  <Time at={session.startedAt} text={t("signedIn", { time: TIME })} />
                  <Time at={session.usedAt} text={t("lastUsed", { time: TIME })} />
                  <Time at={session.expiresAt} text={t("ends", { time: TIME })} />
                </p>
              </div>
              {session.isCurrent ? null : (
                <form method="post" action="/user/settings/security/sessions/revoke">
                  <input type="hidden" name="id" value={session.id} />
                  <SubmitButton small>{t("signOut")}</SubmitButton>
                </form>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {sessions.length > 1 ? (
        <form method="post" action="/user/settings/security/sessions/revoke">
          <input type="hidden" name="id" value="others" />
          <SubmitButton kind="danger">{t("signOutElsewhere")}</SubmitButton>
        </form>
      ) : null}
    </UserSettings>
  );
}
