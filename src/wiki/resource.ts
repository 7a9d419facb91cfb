import { type Static, Type } from "@sinclair/typebox";
import { SignatureResource } from "../content/commits/resource.ts";
import type { ReadCommit } from "../content/commits/service.ts";
import type { Signature } from "../git/objects/commit.ts";
import { text, whole } from "../http/fields.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Links } from "../kernel/links.ts";
import { repoPage } from "../repos/addresses.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { WikiEntry } from "./types.ts";

export const WikiCommitResource = Type.Object(
  {
    sha: text("Id of the commit."),
    author: SignatureResource,
    commiter: SignatureResource,
    message: text("Its message."),
  },
  { $id: "WikiCommit", description: "A commit in a wiki." },
);
type WikiCommitResource = Static<typeof WikiCommitResource>;

const metadata = {
  title: text("The title."),
  html_url: text("Its page."),
  sub_url: text("Its escaped name for addresses."),
  last_commit: WikiCommitResource,
};

export const WikiPageMetaDataResource = Type.Object(metadata, {
  $id: "WikiPageMetaData",
  description: "A wiki page without its text.",
});
export type WikiPageMetaDataResource = Static<typeof WikiPageMetaDataResource>;

export const WikiPageResource = Type.Object(
  {
    ...metadata,
    content_base64: text("Its text in base64; empty if it is too large."),
    commit_count: whole("Number of commits that changed it."),
    sidebar: text("The sidebar, in base64."),
    footer: text("The footer, in base64."),
  },
  { $id: "WikiPage", description: "A wiki page." },
);
export type WikiPageResource = Static<typeof WikiPageResource>;

export const WikiCommitListResource = Type.Object(
  {
    commits: Type.Array(WikiCommitResource, { description: "Newest first." }),
    count: whole("The total number on all pages."),
  },
  { $id: "WikiCommitList", description: "The commits that changed a page." },
);

function signature({ name, email, timestamp }: Signature): Static<typeof SignatureResource> {
  return { name, email, date: rfc3339(timestamp * 1000) };
}

export function wikiCommitResource({ oid, commit }: ReadCommit): WikiCommitResource {
  return {
    sha: oid,
    author: signature(commit.author),
    commiter: signature(commit.committer),
    message: commit.message,
  };
}

export function wikiPageMetaData(
  links: Links,
  seen: SeenRepo,
  { address, title }: WikiEntry,
  lastCommit: ReadCommit,
): WikiPageMetaDataResource {
  return {
    title: title.toWellFormed(),
    html_url: `${repoPage(seen, links)}/wiki/${address}`,
    sub_url: address,
    last_commit: wikiCommitResource(lastCommit),
  };
}
