import type { Messages } from "../../../src/language/catalogue.ts";

/** The start page, for visitors and for those who are signed in, and the feed of what happened. */
export const en = {
  dashboard: "Dashboard",
  recentActivity: "Recent activity",
  repositories: "Repositories",
  repositoryPages: "Pages of repositories",
  new: "New",
  findRepository: "Find a repository",
  archived: "Archived",
  noMatch: "None of your repositories has a name like this.",
  noRepositories: "No repositories yet",
  noRepositoriesHint: "Create one, or push to an address that does not exist yet.",
  newRepository: "New repository",

  siteDescription: "{site}: repositories",
  searchRepositories: "Search repositories",
  search: "Search",
  recentlyActive: "Recently active",
  allRepositories: "All repositories",
  noPublicRepositories: "No public repositories",
  noPublicRepositoriesHint: "Sign in to see the repositories you have access to.",
  newServer: "This server is new. Open the setup link printed on its console.",

  nothingYet: "Nothing has happened yet",
  nothingYetHint: "Pushes and new repositories appear here.",
  pushed: "{person} pushed to {branch} in {repository}",
  pushedCommits: {
    one: "{person} pushed {count} commit to {branch} in {repository}",
    other: "{person} pushed {count} commits to {branch} in {repository}",
  },
  pushedMoreThan: {
    one: "{person} pushed more than {count} commit to {branch} in {repository}",
    other: "{person} pushed more than {count} commits to {branch} in {repository}",
  },
  createdBranch: "{person} created branch {branch} in {repository}",
  deletedBranch: "{person} deleted branch {branch} in {repository}",
  createdTag: "{person} created tag {tag} in {repository}",
  deletedTag: "{person} deleted tag {tag} in {repository}",
  changedMoreRefs: {
    one: "{person} changed {count} more branch or tag in {repository}",
    other: "{person} changed {count} more branches and tags in {repository}",
  },
  createdRepository: "{person} created {repository}",
  forkedRepository: "{person} forked to {repository}",
  archivedRepository: "{person} archived {repository}",
  renamedRepository: "{person} renamed {from} to {repository}",
  transferredRepository: "{person} transferred {from} to {repository}",
  compareAll: { one: "Compare {count} commit", other: "Compare all {count} commits" },

  lastYear: "Activity of the last year",
  contributions: { one: "{count} contribution in the last year", other: "{count} contributions in the last year" },
  contributionsOn: { one: "{count} contribution on {day}", other: "{count} contributions on {day}" },
  less: "Less",
  more: "More",
  doneOn: "What was done on {day}",
  allDays: "All days",
} as const satisfies Messages;
