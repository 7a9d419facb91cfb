import { segments } from "../../src/kernel/url-path.ts";
import { type RepoName, repoHref } from "../links.ts";

/** The page of a tag's release, or its edit form. */
export function releaseHref(repo: RepoName, tag: string, page: "tag" | "edit" = "tag"): string {
  return repoHref(repo, `releases/${page}/${segments(tag)}`);
}
