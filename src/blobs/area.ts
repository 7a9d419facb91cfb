import type { Area } from "../area.ts";
import { blobErrorWords } from "./error-words.ts";
import { BlobInspector } from "./inspection.ts";
import { BlobService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly blobs: BlobService;
    readonly blobInspector: BlobInspector;
  }
}

/** Content-addressed files in which other areas store their uploads. */
export const blobsArea: Area = {
  name: "blobs",
  errorWords: blobErrorWords,
  open: ({ clock, config, crash, db, jobs, log, schedules }) => {
    const graceDays = config["blobs.grace_days"];
    const blobs = new BlobService({ dataDir: config.data, db, jobs, schedules, clock, log, crash, graceDays });
    return {
      services: { blobs, blobInspector: new BlobInspector(db, blobs.files) },
      recover: () => blobs.removeLeftovers(),
    };
  },
};
