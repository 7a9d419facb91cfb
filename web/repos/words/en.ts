import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  newRepository: "New repository",
  settings: "Settings",
  general: "General",
  collaborators: "Collaborators",
  branches: "Branches",
  repositorySettings: "Repository settings",

  recentupdate: "Recently updated",
  leastupdate: "Least recently updated",
  newest: "Newest",
  oldest: "Oldest",
  alphabetically: "Name, A to Z",
  reversealphabetically: "Name, Z to A",
  size: "Smallest",
  reversesize: "Largest",
  archived: "Archived",
  template: "Template",
  updated: "updated {time}",
} as const satisfies Messages;
