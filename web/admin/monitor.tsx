import type { Monitored } from "../../src/admin/monitor/service.ts";
import { LinkButton } from "../components/button.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useLanguage, useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { AdminFrame } from "./admin-frame.tsx";
import { Fact, Facts } from "./facts.tsx";
import { adminWords } from "./words/index.ts";

export const MONITOR = "/-/admin/monitor/stats";
/** All of this and more as a file. */
export const DIAGNOSIS = "/-/admin/monitor/diagnosis";
/** Only the changing part. */
export const MONITOR_PART = "/-/admin/system_status";

/** `GET /-/admin/monitor/stats`: what the server is doing, refreshed every five seconds. */
export function MonitorPage({ shell, now }: { shell: Shell; now: Monitored }) {
  const t = useWords(adminWords);
  return (
    <AdminFrame shell={shell} page="monitor" title={t("monitor")}>
      <div class="row">
        <p class="muted grow">{t("monitorHint")}</p>
        <LinkButton href={MONITOR} icon="sync" small>
          {t("readAgain")}
        </LinkButton>
      </div>
      <MonitorPart now={now} />
      <Card title={t("diagnosis")}>
        <p>{t("diagnosisHint")}</p>
        <LinkButton href={DIAGNOSIS} icon="download">
          {t("downloadDiagnosis")}
        </LinkButton>
      </Card>
    </AdminFrame>
  );
}

/** `GET /-/admin/system_status`. */
export function MonitorPart({ now }: { now: Monitored }) {
  const t = useWords(adminWords);
  const language = useLanguage();
  return (
    <div id="monitor" class="stack" hx-get={MONITOR_PART} hx-trigger="every 5s" hx-swap="outerMorph">
      <Card title={t("process")} flush>
        <Facts>
          <Fact label={t("runningSince")}>
            <Time at={now.startedAt} />
          </Fact>
          <Fact label={t("memory")}>{language.size(now.memory)}</Fact>
          <Fact label={t("heap")}>{language.size(now.heap)}</Fact>
          <Fact label={t("cpuTime")}>{t("seconds", { count: Math.round(now.cpuSeconds) })}</Fact>
        </Facts>
      </Card>
      <Requests requests={now.requests} />
      <Lanes lanes={now.lanes} />
    </div>
  );
}

/** The time of an event that was measured with the process's own clock. */
const moment = (startedAt: number) => performance.timeOrigin + startedAt;

function Requests({ requests }: Pick<Monitored, "requests">) {
  const t = useWords(adminWords);
  return (
    <Card title={t("requests")} flush>
      {requests.length === 0 ? (
        <EmptyState icon="check-circle" title={t("noRequests")} />
      ) : (
        <div class="table-box">
          <table class="table table-stack">
            <thead>
              <tr>
                <th scope="col">{t("request")}</th>
                <th scope="col">{t("address")}</th>
                <th scope="col">{t("since")}</th>
              </tr>
            </thead>
            <tbody>
              {requests.map(({ address, id, method, path, startedAt }) => (
                <tr>
                  <th scope="row" class="mono">
                    {`${method} ${path}`} <span class="muted">{id}</span>
                  </th>
                  <td class="mono">{address}</td>
                  <td>
                    <Time at={moment(startedAt)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

function Lanes({ lanes }: Pick<Monitored, "lanes">) {
  const t = useWords(adminWords);
  return (
    <Card title={t("threads")} flush>
      <div class="table-box">
        <table class="table table-stack">
          <thead>
            <tr>
              <th scope="col">{t("lane")}</th>
              <th scope="col">{t("atWork")}</th>
              <th scope="col">{t("waitingJobs")}</th>
            </tr>
          </thead>
          <tbody>
            {lanes.map(({ lane, limit, running, waiting }) => (
              <tr>
                <th scope="row">{t(`lane-${lane}`)}</th>
                <td>
                  {t("someOf", { count: running.filter((job) => !job.isWaiting).length, limit })}
                  {running.map((job) => (
                    <div>
                      <span class="mono">{job.name}</span>{" "}
                      <span class="muted">
                        <Time at={moment(job.startedAt)} />
                        {job.isWaiting ? ` · ${t("waitsForClient")}` : null}
                      </span>
                    </div>
                  ))}
                </td>
                <td>{String(waiting)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
