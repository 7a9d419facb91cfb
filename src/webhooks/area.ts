import type { Area } from "../area.ts";
import { HookDeliveries } from "./deliveries.ts";
import { pruneDeliveries } from "./deliveries-store.ts";
import { webhookErrorWords } from "./error-words.ts";
import { HookHappenings } from "./happenings.ts";
import { addCommentHappenings } from "./payloads/comments.ts";
import { addIssueHappenings } from "./payloads/issues.ts";
import { addPullHappenings } from "./payloads/pulls.ts";
import { refHappenings } from "./payloads/refs.ts";
import { addReleaseHappenings } from "./payloads/releases.ts";
import { addRepositoryHappenings } from "./payloads/repositories.ts";
import { HookSender } from "./sender.ts";
import { WebhookService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly webhooks: WebhookService;
    readonly webhookDeliveries: HookDeliveries;
    /** What events tell hooks: areas that come later add theirs. */
    readonly hookHappenings: HookHappenings;
  }
}

/** Webhooks: addresses that are told of what happens. */
export const webhooksArea: Area = {
  name: "webhooks",
  errorWords: webhookErrorWords,
  routes: async () => (await import("./api.ts")).webhookRoutes,
  open: (core, services) => {
    const { clock, config, crash, db, jobs, log, outbound, outbox, retention, secrets } = core;
    const { generation, identity, revisions } = services;
    const isEnabled = config["webhooks.enabled"];
    const webhooks = new WebhookService({ clock, db, secrets, isEnabled });
    const hookHappenings = new HookHappenings({ clock, db, jobs, log, outbox, isEnabled });
    outbox.react("repo.created", ({ repoId }) => {
      if (repoId !== undefined) webhooks.copyDefaults(repoId);
    });
    generation.addItem("webhooks", ({ repo }, made) => webhooks.copyOfTemplate(repo.id, made.id));
    hookHappenings.add("refs.changed", refHappenings(services));
    hookHappenings.add("commit-status.created", ({ principal, repoId }, { commit, number }) => {
      if (repoId === undefined) return [];
      const userId = principal?.userId ?? null;
      return [{ type: "status", payload: { source: "status", repoId, commit, number, userId } }];
    });
    addRepositoryHappenings(services, hookHappenings);
    addIssueHappenings(services, hookHappenings);
    addCommentHappenings(services, hookHappenings);
    addPullHappenings(services, hookHappenings);
    addReleaseHappenings(services, hookHappenings);
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
    const webhookDeliveries = new HookDeliveries({
      db,
      happenings: hookHappenings,
      revisions,
      webhooks,
      testPayload: async (seen, ref, commit) =>
        (await import("./payloads/test.ts")).testPayload(services, seen, ref, commit),
    });
    retention.add({
      name: "deliveries of webhooks",
      days: config["webhooks.history_days"],
      prune: (before, limit) => pruneDeliveries(db, before, limit),
    });
    return { services: { hookHappenings, webhookDeliveries, webhooks }, start: () => sender.wake() };
  },
};
