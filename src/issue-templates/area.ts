import type { Area } from "../area.ts";
import { onDemand } from "../kernel/on-demand.ts";
import type { IssueTemplateService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly issueTemplates: IssueTemplateService;
  }
}

/** Templates of issues and pull requests. */
export const issueTemplatesArea: Area = {
  name: "issue-templates",
  routes: async () => (await import("./api.ts")).issueTemplateRoutes,
  open: ({ caches, pool }, { refs, storage }) => ({
    services: {
      issueTemplates: onDemand(
        () =>
          new (require("./service.ts") as typeof import("./service.ts")).IssueTemplateService({
            caches,
            pool,
            refs,
            storage,
          }),
      ),
    },
  }),
};
