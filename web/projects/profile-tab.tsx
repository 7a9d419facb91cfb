import type { ProfileTab } from "../area.ts";
import { projectsWords } from "./words/index.ts";

/** The boards of an account, on its page. */
export const projectsTab: ProfileTab = {
  id: "projects",
  label: projectsWords.label("projects"),
  icon: "project",
  order: 30,
  count: ({ projects }, { principal }, user) => projects.counts(projects.homeOf(principal, user)).open,
  show: async (services, call, user) => {
    const { listProps } = await import("./list-routes.tsx");
    const { ProjectList } = await import("./list.tsx");
    return <ProjectList {...listProps(services, call, services.projects.homeOf(call.principal, user))} />;
  },
};
