import { asAccount } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Links } from "../../kernel/links.ts";
import { unlinked } from "../../mail/content.ts";
import type { ComposedMail, MailParams, MailService } from "../../mail/service.ts";
import { repoPage } from "../../repos/addresses.ts";
import type { RepoService } from "../../repos/service.ts";
import { shortRef } from "../runs/context.ts";
import { jobsOfAttempt } from "../runs/jobs-store.ts";
import { isDone, Status, statusName } from "../runs/statuses.ts";
import { attemptUser, findRun } from "../runs/store.ts";
import type { RunMailPreferences } from "./preferences.ts";
import type { RunMailPreference, RunMailWords } from "./types.ts";

export interface RunMailParts {
  readonly db: Database;
  readonly identity: IdentityService;
  readonly links: Links;
  readonly mail: MailService;
  readonly outbox: Outbox;
  readonly preferences: RunMailPreferences;
  readonly repos: RepoService;
  readonly words: RunMailWords;
}

const KIND = "actions.run";

/** Mails whoever started a run once it has ended (contract webhooks.md 11). Skipped runs send no mail. */
export function mailRuns(parts: RunMailParts): void {
  const { db, identity, links, mail, outbox, preferences, repos } = parts;
  const domain = new URL(links.rootUrl).hostname;
  mail.compose(KIND, (params) => compose(parts, params));
  outbox.react("actions.run-changed", ({ repoId }, { attempt, from, runId, status }) => {
    const wasDone = from !== undefined && isDone(from);
    if (!mail.isConfigured || repoId === undefined || wasDone || !isDone(status)) return;
    const run = findRun(db, runId);
    const user = attemptUser(db, { id: runId, attempt });
    if (!run || user === undefined || !wants(preferences.of(user), status)) return;
    const repo = repos.byId(repoId);
    const owner = repo && identity.byId(repo.ownerId);
    if (!repo || !owner) return;
    // A second attempt is a separate mail, which mail clients thread below the first.
    const place = `${owner.login}/${repo.name}/actions/runs/${run.number}${attempt > 1 ? `/attempts/${attempt}` : ""}`;
    mail.enqueue(KIND, { run: runId, attempt, user }, { messageId: `<${place}@${domain}>` });
  });
}

function wants(preference: RunMailPreference, status: Status): boolean {
  if (preference === "disabled" || status === Status.skipped) return false;
  return preference === "all" || status === Status.failure;
}

/** The mail as of now; undefined if the run is gone or still going, or the recipient may not read it. */
async function compose(parts: RunMailParts, params: MailParams): Promise<ComposedMail | undefined> {
  const { db, identity, links, repos, words } = parts;
  const user = identity.byId(Number(params["user"]));
  const run = findRun(db, Number(params["run"]));
  if (user?.kind !== "individual" || !user.isActive || user.prohibitLogin) return undefined;
  if (!run || run.attempt !== params["attempt"] || !isDone(run.status)) return undefined;
  const principal = asAccount(user);
  if (!repos.mayRead(principal, run.repoId, "actions")) return undefined;
  const [seen] = repos.seeEach(principal, [run.repoId]);
  if (!seen) return undefined;
  const home = repoPage(seen, links);
  const name = `${seen.owner.login}/${seen.repo.name}`;
  const content = await words({
    language: user.language,
    repo: name,
    workflow: unlinked(run.workflowName || run.workflow),
    title: unlinked(run.title),
    ref: shortRef(run.ref),
    commit: run.commit,
    status: statusName(run.status),
    jobs: jobsOfAttempt(db, run.id, run.attempt).map((job) => ({
      name: unlinked(job.name),
      status: statusName(job.status),
    })),
    href: `${home}/actions/runs/${run.id}`,
    settings: `${links.rootUrl}user/settings/notifications`,
  });
  const domain = new URL(links.rootUrl).hostname;
  return {
    to: user.email,
    content,
    list: { name, id: `${seen.repo.name}.${seen.owner.login}.${domain}` },
    unsubscribe: home,
  };
}
