import type { Principal } from "../../access/principal.ts";
import { requireSiteAdmin } from "../../access/requirements.ts";
import type { BackupService } from "../../backup/service.ts";
import { rootUrl } from "../../config/describe.ts";
import type { Config } from "../../config/schema.ts";
import type { IntegrityService } from "../../integrity/service.ts";
import { checkFolder } from "../doctor/folder.ts";
import type { OverviewService } from "../overview/service.ts";

export const selfCheckCodes = [
  "folder-problem",
  "root-url-differs",
  "root-url-unencrypted",
  "mail-not-configured",
  "registration-open",
  "network-open",
  "proxy-sign-in-untrusted",
  "backup-old",
  "stored-damaged",
  "disk-full",
  "work-failed",
] as const;
export type SelfCheckCode = (typeof selfCheckCodes)[number];

/** A finding for administrators, with the values for its sentence. */
export interface SelfCheckFinding {
  readonly code: SelfCheckCode;
  /** It does harm now; otherwise it may be intended. */
  readonly isProblem: boolean;
  readonly params: Readonly<Record<string, string | number>>;
}

/** A disk with less free space may be full before anyone checks again. */
const MIN_FREE_SHARE = 0.05;

/** Looks for settings that do harm or are questionable. */
export class SelfCheck {
  constructor(
    private readonly config: Config,
    private readonly overview: OverviewService,
    private readonly backup: BackupService,
    private readonly integrity: Pick<IntegrityService, "worst">,
    private readonly canSendMail: () => boolean,
  ) {}

  /**
   * @param host the one in the administrator's browser, as forwarded by a proxy. @throws Forbidden not an
   * administrator
   */
  run(principal: Principal, host: string): SelfCheckFinding[] {
    requireSiteAdmin(principal, "read");
    const { config } = this;
    const root = new URL(rootUrl(config));
    const { diskFree, diskSize, eventsSetAside, failedJobs } = this.overview.show(principal);
    const problem = (code: SelfCheckCode, holds: boolean, params: SelfCheckFinding["params"] = {}) =>
      holds ? [{ code, isProblem: true, params }] : [];
    const thought = (code: SelfCheckCode, holds: boolean, params: SelfCheckFinding["params"] = {}) =>
      holds ? [{ code, isProblem: false, params }] : [];
    const damage = this.integrity.worst(principal);
    const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(root.hostname);
    return [
      ...checkFolder(config.data, false)
        .flatMap(() => problem("folder-problem", true))
        .slice(0, 1),
      ...problem("root-url-differs", host.toLowerCase() !== root.host, { here: host, configured: root.host }),
      ...problem("root-url-unencrypted", root.protocol === "http:" && !isLocal, { configured: root.origin }),
      ...problem("disk-full", diskSize > 0 && diskFree / diskSize < MIN_FREE_SHARE),
      ...problem("stored-damaged", damage !== undefined, damage),
      ...problem("backup-old", this.backup.isOverdue()),
      ...problem("work-failed", failedJobs + eventsSetAside > 0, { count: failedJobs + eventsSetAside }),
      ...problem("proxy-sign-in-untrusted", config["proxy.sign_in"] !== "off" && config["proxy.trusted"].length === 0),
      ...thought("mail-not-configured", !this.canSendMail()),
      ...thought("registration-open", config.registration === "open"),
      ...thought("network-open", config["network.allow"].includes("*")),
    ];
  }
}
