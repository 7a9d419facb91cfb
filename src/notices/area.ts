import type { Area } from "../area.ts";
import { NoticeService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly notices: NoticeService;
  }
}

/** Notices from the server to its administrators. */
export const noticesArea: Area = {
  name: "notices",
  open: ({ clock, config, db, jobs, retention }) => {
    const notices = new NoticeService(db, clock);
    jobs.onChange(({ id, kind, state }) => {
      if (state === "failed") notices.add("job-failed", { id, kind });
    });
    retention.add({
      name: "notices",
      days: config["retention.notices_days"],
      task: "delete_old_system_notices",
      prune: (before, limit) => notices.prune(before, limit),
    });
    return { services: { notices } };
  },
};
