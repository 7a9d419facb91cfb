import type { SshOverview } from "../../src/ssh/service.ts";
import { Badge, Card } from "../components/surface.tsx";
import { useLanguage, useWords } from "../language.ts";
import { Fact, Facts } from "./facts.tsx";
import { adminWords } from "./words/index.ts";

/** The state of git over SSH, and the server's host keys. */
export function SshCard({ ssh }: { ssh: SshOverview }) {
  const t = useWords(adminWords);
  const language = useLanguage();
  return (
    <Card title={t("gitOverSsh")} flush>
      <Facts>
        <Fact label={t("state")}>
          <SshState state={ssh.state} />
          {ssh.problem === undefined ? null : <div class="muted wrap">{ssh.problem}</div>}
        </Fact>
        {ssh.state === "off" ? null : (
          <>
            <Fact label={t("sshAddress")}>
              <code>{ssh.listen}</code>
            </Fact>
            <Fact label={t("sshOpenConnections")}>{language.number(ssh.connections)}</Fact>
          </>
        )}
        {ssh.hostKeys.length === 0 ? null : (
          <Fact label={t("sshHostKeys")}>
            {ssh.hostKeys.map(({ fingerprint, type }) => (
              <div>
                <code class="wrap">{fingerprint}</code> <span class="muted">{type}</span>
              </div>
            ))}
            <div class="muted">{t("sshHostKeysHint")}</div>
          </Fact>
        )}
      </Facts>
    </Card>
  );
}

function SshState({ state }: Pick<SshOverview, "state">) {
  const t = useWords(adminWords);
  switch (state) {
    case "listening":
      return (
        <Badge tone="ok" icon="check">
          {t("sshListening")}
        </Badge>
      );
    case "failed":
      return (
        <Badge tone="warn" icon="alert">
          {t("sshFailed")}
        </Badge>
      );
    case "waiting":
      return <Badge>{t("sshWaiting")}</Badge>;
    default:
      return <Badge>{t("sshOff")}</Badge>;
  }
}
