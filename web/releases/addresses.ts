import { segments } from "../../src/kernel/url-path.ts";
import { type RepoName, repoHref } from "../links.ts";

/** The page of a tag's release, or the form that changes it. */
export function releaseHref(repo: RepoName, tag: string, page: "tag" | "edit" = "tag"): string {
  return repoHref(repo, `releases/${page}/${segments(tag)}`);
}
