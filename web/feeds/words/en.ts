import type { Messages } from "../../../src/language/catalogue.ts";

/** Titles of feeds. */
export const en = {
  ofUser: "Activity of {name}",
  ofRepository: "Activity in {repository}",
  ofBranch: "Commits on {branch} of {repository}",
  ofFile: "Commits to {path} on {branch} of {repository}",
  ofTags: "Tags of {repository}",
  ofReleases: "Releases of {repository}",
} as const satisfies Messages;
