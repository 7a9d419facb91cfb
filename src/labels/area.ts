import type { Area } from "../area.ts";
import { LabelService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly labels: LabelService;
  }
}

/** Labels: words that sort issues and pull requests. */
export const labelsArea: Area = {
  name: "labels",
  open: ({ db }) => ({ services: { labels: new LabelService(db) } }),
};
