import { flagParam, numberParam, textParam } from "../../http/query.ts";

/** What the search of repositories takes; areas add filters of their own (`RepoSearch.filters`). */
export const repoSearchParams = {
  q: textParam("Words with commas between them, in the name or a topic; owner/name looks in both."),
  topic: flagParam("Look among topics only, for whole words.", false),
  includeDesc: flagParam("Look in the description too.", false),
  uid: numberParam("Number of an account: what it owns and what is shared with it."),
  exclusive: flagParam("With uid: only what it owns.", false),
  priority_owner_id: numberParam("Number of an account whose repositories come first."),
  private: flagParam("Include private repositories; true by default."),
  is_private: flagParam("Only private ones, or only others."),
  template: flagParam("Only templates, or only others."),
  archived: flagParam("Only archived ones, or only others."),
  mode: textParam("source, fork, mirror or collaborative."),
  sort: textParam("alpha, created, updated, size, git_size, lfs_size, stars, forks or id; by name otherwise."),
  order: textParam("asc or desc."),
};

/** What narrows a list for people to look at (contract web.md 1.1). */
export const exploreParams = {
  archived: repoSearchParams.archived,
  fork: flagParam("Only forks, or only others."),
  mirror: flagParam("Only mirrors."),
  private: repoSearchParams.is_private,
  template: repoSearchParams.template,
  topic: flagParam("Look among topics only, for whole words."),
  language: textParam("Only those with this main language, in any letter case."),
};
