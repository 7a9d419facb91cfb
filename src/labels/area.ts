import type { Area } from "../area.ts";
import { onDemand, whenMade } from "../kernel/on-demand.ts";
import { labelErrorWords } from "./error-words.ts";
import type { LabelService } from "./service.ts";
import "./events.ts";

declare module "../services.ts" {
  interface Services {
    readonly labels: LabelService;
  }
}

/** Labels for categorizing issues and pull requests. */
export const labelsArea: Area = {
  name: "labels",
  errorWords: labelErrorWords,
  routes: async () => (await import("./api.ts")).labelRoutes,
  open: ({ clock, db, outbox }, { generation, labelSets }) => {
    const labels = onDemand(
      () => new (require("./service.ts") as typeof import("./service.ts")).LabelService(db, outbox, clock, labelSets),
    );
    whenMade(generation, (made) =>
      made.addItem("labels", (template, repo, principal) => labels.copy(template, repo, principal)),
    );
    outbox.react("repo.created", ({ repoId }, { labels: template }) => {
      if (repoId !== undefined && template !== undefined) labels.begin(repoId, template);
    });
    return { services: { labels } };
  },
};
