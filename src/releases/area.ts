import { requireScope } from "../access/requirements.ts";
import type { Area } from "../area.ts";
import { rulesOf } from "../issues/attachments/rules.ts";
import { onDemand, whenMade } from "../kernel/on-demand.ts";
import { heldAssets } from "./assets/held.ts";
import type { ReleaseAssets } from "./assets/service.ts";
import { releaseErrorWords } from "./error-words.ts";
import { mailReleases } from "./mails.ts";
import type { ReleaseService } from "./service.ts";
import { releaseCount } from "./store.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services {
    readonly releases: ReleaseService;
    readonly releaseAssets: ReleaseAssets;
  }
}

/** Releases: tags with notes and files. */
export const releasesArea: Area = {
  name: "releases",
  errorWords: releaseErrorWords,
  routes: async () => (await import("./api.ts")).releaseRoutes,
  open: (core, services) => {
    const { clock, config, db, links, mail, mailWords, outbox } = core;
    const { attachments, blobs, heldFiles, identity, mailTexts, occasions, quotas, repos, tags } = services;
    repos.addCount("releases", releaseCount);
    const releases = onDemand(
      () =>
        new (require("./service.ts") as typeof import("./service.ts")).ReleaseService({
          clock,
          db,
          outbox,
          quotas,
          tags,
        }),
    );
    whenMade(tags, (made) => made.addHold((seen, name) => releases.requireUnreleased(seen, name)));
    outbox.react("refs.changed", (context, { moves }) => releases.refsMoved(context, moves));
    mailReleases({ identity, links, mail, occasions, releases, repos, texts: mailTexts, words: mailWords.release });
    const rules = {
      ...rulesOf(config),
      allowed: config["releases.allowed_types"],
      maxBytes: config["releases.max_size_mib"] * 2 ** 20,
    };
    const releaseAssets = onDemand(
      () =>
        new (require("./assets/service.ts") as typeof import("./assets/service.ts")).ReleaseAssets({
          blobs,
          clock,
          db,
          quotas,
          releases,
          repos,
          rules,
        }),
    );
    heldFiles.add("attachments", heldAssets(db, links));
    attachments.addSource((principal, uuid) => {
      const found = releaseAssets.find(principal, uuid);
      if (!found) return undefined;
      requireScope(principal, ["repository"], "read");
      const { asset, seen } = found;
      return {
        file: { name: asset.name, uuid, createdAt: asset.createdAt, repoId: seen.repo.id },
        body: releaseAssets.open(asset),
        countDownload: () => releaseAssets.countDownload(asset),
      };
    });
    return { services: { releases, releaseAssets } };
  },
};
