import { flagParam, numberParam, textParam } from "../../http/query.ts";

/** Query parameters of the repository search; areas add more filters (`RepoSearch.filters`). */
export const repoSearchParams = {
  q: textParam("Words to find in names or topics, separated by commas; owner/name matches both parts."),
  topic: flagParam("Search topics only, for whole words.", false),
  includeDesc: flagParam("Also search descriptions.", false),
  uid: numberParam("Number of an account; only repositories it owns or that are shared with it."),
  exclusive: flagParam("With uid: only repositories it owns.", false),
  priority_owner_id: numberParam("Number of an account whose repositories come first."),
  private: flagParam("Include private repositories; true by default."),
  is_private: flagParam("Only private repositories, or only public ones."),
  template: flagParam("Only templates, or only other repositories."),
  archived: flagParam("Only archived repositories, or only other ones."),
  mode: textParam("source, fork, mirror or collaborative."),
  sort: textParam("alpha, created, updated, size, git_size, lfs_size, stars, forks or id; by name by default."),
  order: textParam("asc or desc."),
};

/** Filters of repository lists on pages (contract web.md 1.1). */
export const exploreParams = {
  archived: repoSearchParams.archived,
  fork: flagParam("Only forks, or only others."),
  mirror: flagParam("Only mirrors."),
  private: repoSearchParams.is_private,
  template: repoSearchParams.template,
  topic: flagParam("Search topics only, for whole words."),
  language: textParam("Only those with this main language, in any letter case."),
};
