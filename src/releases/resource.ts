import { type Static, Type } from "@sinclair/typebox";
import type { Principal } from "../access/principal.ts";
import { text, time, whole, yesNo } from "../http/fields.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { ghost } from "../identity/system-users.ts";
import { AttachmentResource } from "../issues/attachments/resource.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { segment, segments } from "../kernel/url-path.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";
import type { Release, ReleaseAsset } from "./types.ts";

export const ReleaseResource = Type.Object(
  {
    id: whole("Number of the release; never used again."),
    tag_name: text("The tag."),
    target_commitish: text("Branch or commit given as the target of the tag."),
    name: text("Its title."),
    body: text("Its notes, as Markdown."),
    url: text("Its API address."),
    html_url: text("Its page."),
    tarball_url: text("Address of the source code as tar.gz."),
    zipball_url: text("Address of the source code as zip."),
    upload_url: text("Address to upload files to."),
    draft: yesNo("Whether it is a draft, visible only with write access; its tag may not exist yet."),
    prerelease: yesNo("Whether it is a pre-release."),
    created_at: time("When it was published; for a draft, when it was created."),
    published_at: time("The same."),
    author: UserResource,
    assets: Type.Array(AttachmentResource, { description: "Its files, sorted by name." }),
  },
  { $id: "Release", description: "A tag with notes and files." },
);
export type ReleaseResource = Static<typeof ReleaseResource>;

const repoHome = ({ owner, repo }: SeenRepo) => `${segment(owner.login)}/${segment(repo.name)}`;

/** A single file's resource. */
export function assetResource({ links }: Pick<Services, "links">, asset: ReleaseAsset): AttachmentResource {
  return {
    id: asset.id,
    name: asset.name,
    size: asset.sizeBytes,
    download_count: asset.downloads,
    created_at: rfc3339(asset.createdAt),
    uuid: asset.uuid,
    browser_download_url: `${links.rootUrl}attachments/${asset.uuid}`,
  };
}

/** A release's files, with addresses below its tag, unless two share a name. */
export function assetResources(
  services: Pick<Services, "links">,
  seen: SeenRepo,
  { tag }: Release,
  assets: readonly ReleaseAsset[],
): AttachmentResource[] {
  const isUnique = new Set(assets.map(({ name }) => name)).size === assets.length;
  const below = `${services.links.rootUrl}${repoHome(seen)}/releases/download/${segments(tag)}`;
  return assets.map((asset) => ({
    ...assetResource(services, asset),
    ...(isUnique ? { browser_download_url: `${below}/${segment(asset.name)}` } : {}),
  }));
}

/** Releases of one repository as the viewer sees them. */
export function releaseResources(
  services: Services,
  viewer: Principal,
  seen: SeenRepo,
  releases: readonly Release[],
): ReleaseResource[] {
  const { identity, links, releaseAssets } = services;
  const home = repoHome(seen);
  const assets = releaseAssets.ofReleases(releases.map(({ id }) => id));
  const users = identity.byIds(releases.flatMap(({ authorId }) => authorId ?? []));
  const authors = userResources(
    services,
    viewer,
    releases.map(({ authorId }) => (authorId === undefined ? ghost : (users.get(authorId) ?? ghost))),
  );
  return releases.flatMap((release, at) => {
    const author = authors[at];
    if (!author) return [];
    const url = `${links.rootUrl}api/v1/repos/${home}/releases/${release.id}`;
    const archive = `${links.rootUrl}${home}/archive/${segments(release.tag)}`;
    const createdAt = rfc3339(release.createdAt);
    return [
      {
        id: release.id,
        tag_name: release.tag,
        target_commitish: release.target,
        name: release.title,
        body: release.body,
        url,
        html_url: `${links.rootUrl}${home}/releases/tag/${segments(release.tag)}`,
        tarball_url: `${archive}.tar.gz`,
        zipball_url: `${archive}.zip`,
        upload_url: `${url}/assets`,
        draft: release.isDraft,
        prerelease: release.isPrerelease,
        created_at: createdAt,
        published_at: createdAt,
        author,
        assets: assetResources(services, seen, release, assets.get(release.id) ?? []),
      },
    ];
  });
}
