import type { Messages } from "../../../src/language/catalogue.ts";

export const en = {
  explore: "Explore",
  repositories: "Repositories",
  users: "Users",
  organizations: "Organizations",
  searchOrganizations: "Search organizations",
  noOrganizations: "No organizations yet",
  searchRepositories: "Search repositories",
  searchUsers: "Search users",
  newest: "Newest",
  oldest: "Oldest",
  alphabetically: "Name, A to Z",
  reversealphabetically: "Name, Z to A",
  joined: "joined {time}",
  noRepositories: "No repositories to show",
  noUsers: "No users to show",
  noMatch: "No matching results found.",
  noMatchHint: "Try fewer or other words.",
} as const satisfies Messages;
