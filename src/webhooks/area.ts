import type { Area } from "../area.ts";
import { onDemand, whenMade } from "../kernel/on-demand.ts";
import type { HookDeliveries } from "./deliveries.ts";
import { pruneDeliveries } from "./deliveries-store.ts";
import { webhookErrorWords } from "./error-words.ts";
import { type HappeningsOf, HookHappenings } from "./happenings.ts";
import type { Tellers } from "./payloads/all.ts";
import { HookSender } from "./sender.ts";
import type { WebhookService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly webhooks: WebhookService;
    readonly webhookDeliveries: HookDeliveries;
    /** Turns events into what hooks are sent; later areas add theirs. */
    readonly hookHappenings: HookHappenings;
  }
}

/** Webhooks: HTTP requests to registered addresses when something happens. */
export const webhooksArea: Area = {
  name: "webhooks",
  errorWords: webhookErrorWords,
  routes: async () => (await import("./api.ts")).webhookRoutes,
  open: (core, services) => {
    const { clock, config, crash, db, jobs, log, outbound, outbox, retention, secrets } = core;
    const { generation, identity, revisions } = services;
    const isEnabled = config["webhooks.enabled"];
    const webhooks = onDemand(
      () =>
        new (require("./service.ts") as typeof import("./service.ts")).WebhookService({
          clock,
          db,
          secrets,
          isEnabled,
        }),
    );
    const hookHappenings = new HookHappenings({ clock, db, jobs, log, outbox, isEnabled });
    outbox.react("repo.created", ({ repoId }) => {
      if (repoId !== undefined) webhooks.copyDefaults(repoId);
    });
    whenMade(generation, (made) =>
      made.addItem("webhooks", ({ repo }, copy) => webhooks.copyOfTemplate(repo.id, copy.id)),
    );
    addTellers(hookHappenings, () => {
      // Loaded by the first event with a listener: building payloads in its transaction cannot wait for a promise.
      const { allTellers } = require("./payloads/all.ts") as typeof import("./payloads/all.ts");
      return allTellers(services);
    });
    hookHappenings.add("commit-status.created", ({ principal, repoId }, { commit, number }) => {
      if (repoId === undefined) return [];
      const userId = principal?.userId ?? null;
      return [{ type: "status", payload: { source: "status", repoId, commit, number, userId } }];
    });
    const sender = new HookSender({
      clock,
      crash,
      db,
      identity,
      jobs,
      log,
      outbound,
      webhooks,
      timeoutMs: config["webhooks.timeout_seconds"] * 1_000,
      payloadOf: async (source) => (await import("./sources.ts")).payloadOf(services, source),
    });
    const webhookDeliveries = onDemand(
      () =>
        new (require("./deliveries.ts") as typeof import("./deliveries.ts")).HookDeliveries({
          db,
          happenings: hookHappenings,
          revisions,
          webhooks,
          testPayload: async (seen, ref, commit) =>
            (await import("./payloads/test.ts")).testPayload(services, seen, ref, commit),
        }),
    );
    retention.add({
      name: "deliveries of webhooks",
      days: config["webhooks.history_days"],
      task: "cleanup_hook_task_table",
      prune: (before, limit) => pruneDeliveries(db, before, limit),
    });
    return { services: { hookHappenings, webhookDeliveries, webhooks }, start: () => sender.wake() };
  },
};

const kinds = [
  "repo.created",
  "repo.forked",
  "refs.changed",
  "issue.created",
  "issue.edited",
  "issue.state-changed",
  "issue.labels-changed",
  "issue.milestone-changed",
  "issue.assignee-changed",
  "comment.created",
  "comment.edited",
  "pull.synchronized",
  "pull.retargeted",
  "pull.review-requested",
  "pull.review-request-removed",
  "pull.reviewed",
  "release.published",
  "release.edited",
  "package.published",
  "wiki.created",
  "wiki.edited",
  "wiki.deleted",
  "actions.run-changed",
  "actions.job-changed",
] as const satisfies readonly (keyof Tellers)[];

/** Deletion events. */
const farewells = [
  "repo.deleted",
  "issue.deleted",
  "comment.deleted",
  "release.deleted",
  "package.deleted",
] as const satisfies readonly Exclude<keyof Tellers, (typeof kinds)[number]>[];

function addTellers(happenings: HookHappenings, load: () => Tellers): void {
  let loaded: Tellers | undefined;
  const tellerOf = <K extends keyof Tellers>(kind: K): HappeningsOf<K> => {
    loaded ??= load();
    const tellers: { readonly [Kind in keyof Tellers]: HappeningsOf<Kind> } = loaded;
    return tellers[kind];
  };
  const add = <K extends keyof Tellers>(kind: K) =>
    happenings.add(kind, (context, payload) => tellerOf(kind)(context, payload));
  const addFarewell = <K extends keyof Tellers>(kind: K) =>
    happenings.addFarewell(kind, (context, payload) => tellerOf(kind)(context, payload));
  for (const kind of kinds) add(kind);
  for (const kind of farewells) addFarewell(kind);
}
