import type { Area } from "../area.ts";
import { BackupService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly backup: BackupService;
  }
}

/** Backups of the data directory, made while the server runs. */
export const backupArea: Area = {
  name: "backup",
  open: ({ clock, config, jobs, log, pool, schedules }) => ({
    services: { backup: new BackupService({ clock, config, jobs, log, pool, schedules }) },
  }),
};
