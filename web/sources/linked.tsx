import type { OutsideAccount } from "../../src/sources/types.ts";
import { LinkButton, SubmitButton } from "../components/button.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { providerHref } from "./hrefs.ts";
import { sourceWords } from "./words/index.ts";

const PAGE = "/user/settings/security";

/** On the security page: linked external accounts, and providers that can be linked. */
export function LinkedCard(props: { linked: readonly OutsideAccount[]; providers: readonly string[] }) {
  const t = useWords(sourceWords);
  return (
    <Card title={t("linkedAccounts")} id="linked-accounts" flush>
      {props.linked.length === 0 ? (
        <EmptyState icon="sign-in" title={t("noLinked")}>
          {t("noLinkedHint")}
        </EmptyState>
      ) : (
        <ul class="list">
          {props.linked.map((account) => (
            <LinkedRow account={account} />
          ))}
        </ul>
      )}
      {props.providers.length === 0 ? null : (
        <p class="list-row row">
          {props.providers.map((name) => (
            <LinkButton small href={providerHref(name, PAGE)}>
              {t("linkProvider", { name })}
            </LinkButton>
          ))}
        </p>
      )}
    </Card>
  );
}

function LinkedRow({ account }: { account: OutsideAccount }) {
  const t = useWords(sourceWords);
  return (
    <li class="danger-row">
      <div>
        <p>
          <strong>{account.sourceName}</strong> <span class="muted">{account.name}</span>
        </p>
        <p class="repo-facts">
          <Time at={account.lastUsedAt} text={t("lastUsed", { time: TIME })} />
        </p>
      </div>
      <form method="post" action={`${PAGE}/account_link`}>
        <input type="hidden" name="id" value={String(account.sourceId)} />
        <input type="hidden" name="issuer" value={account.issuer} />
        <input type="hidden" name="subject" value={account.subject} />
        <SubmitButton kind="danger" small>
          {t("unlink")}
        </SubmitButton>
      </form>
    </li>
  );
}
