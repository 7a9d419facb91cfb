import type { Area } from "../area.ts";
import { labelErrorWords } from "./error-words.ts";
import { LabelService } from "./service.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services {
    readonly labels: LabelService;
  }
}

/** Labels: words that sort issues and pull requests. */
export const labelsArea: Area = {
  name: "labels",
  errorWords: labelErrorWords,
  routes: async () => (await import("./api.ts")).labelRoutes,
  open: ({ clock, db, outbox }, { generation, labelSets }) => {
    const labels = new LabelService(db, outbox, clock, labelSets);
    generation.addItem("labels", (template, made, principal) => labels.copy(template, made, principal));
    outbox.react("repo.created", ({ repoId }, { labels: template }) => {
      if (repoId !== undefined && template !== undefined) labels.begin(repoId, template);
    });
    return { services: { labels } };
  },
};
