import type { Area } from "../area.ts";
import { IssueTemplateService } from "./service.ts";

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
    services: { issueTemplates: new IssueTemplateService({ caches, pool, refs, storage }) },
  }),
};
