import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import { readSize } from "../kernel/size.ts";
import type { QuotaAdministration } from "./administration.ts";
import { quotaErrorWords } from "./error-words.ts";
import { HeldFiles } from "./held-files.ts";
import { quotaPushRule } from "./push-rule.ts";
import { recountEveryNight } from "./recount.ts";
import { QuotaService } from "./service.ts";
import { contentSubject } from "./subjects.ts";

declare module "../services.ts" {
  interface Services {
    readonly quotas: QuotaService;
    readonly quotaAdministration: QuotaAdministration;
    /** Where areas register the files they store for accounts. */
    readonly heldFiles: HeldFiles;
  }
}

declare module "../audit/actions.ts" {
  interface AuditActions {
    "quota-changed": { readonly name: string };
  }
}

/** Storage limits of accounts. */
export const quotasArea: Area = {
  name: "quotas",
  errorWords: quotaErrorWords,
  routes: async () => (await import("./api.ts")).quotaRoutes,
  open: ({ clock, config, db, jobs, log, schedules }, { audit, identity, pushRules, repoRegistration }) => {
    const heldFiles = new HeldFiles();
    const quotas = new QuotaService(db, heldFiles, {
      isEnabled: config["quota.enabled"],
      defaultGroups: config["quota.default_groups"],
      defaultTotalBytes: readSize(config["quota.default_total"]) ?? -1,
    });
    recountEveryNight(db, jobs, schedules, log);
    pushRules.add(quotaPushRule(quotas));
    // Wikis are the only directories besides code.
    pushRules.addFolderGuard(({ owner }, _kind, bytes) => quotas.require(owner, "size:assets:wiki", bytes));
    repoRegistration.addGuard((owner, { isPrivate, moreBytes }) =>
      quotas.require(owner, contentSubject(isPrivate), moreBytes),
    );
    return {
      services: {
        heldFiles,
        quotas,
        quotaAdministration: onDemand(
          () =>
            new (require("./administration.ts") as typeof import("./administration.ts")).QuotaAdministration(
              db,
              identity,
              audit,
              clock,
            ),
        ),
      },
    };
  },
};
