import type { Area } from "../area.ts";
import { AuditService } from "./service.ts";
import { pruneEntries } from "./store.ts";

declare module "../services.ts" {
  interface Services {
    readonly audit: AuditService;
  }
}

/** The security audit log. */
export const auditArea: Area = {
  name: "audit",
  open: ({ clock, config, db, retention }) => {
    retention.add({
      name: "security events",
      days: config["retention.audit_days"],
      prune: (before, limit) => pruneEntries(db, before, limit),
    });
    return { services: { audit: new AuditService(db, clock) } };
  },
};
