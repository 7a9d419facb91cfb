import { type Static, Type } from "@sinclair/typebox";
import type { Principal } from "../access/principal.ts";
import { text, time, whole } from "../http/fields.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { ghost } from "../identity/system-users.ts";
import { rfc3339 } from "../kernel/clock.ts";
import { RepoResource, repoResources } from "../repos/resource.ts";
import type { Services } from "../services.ts";
import { versionPath } from "./addresses.ts";
import type { PackageFile, PackageVersion } from "./types.ts";

export const PackageResource = Type.Object(
  {
    id: whole("Number of the version."),
    owner: UserResource,
    repository: Type.Union([RepoResource, Type.Null()], {
      description: "The repository it is linked to; null if there is none, or the caller may not see it.",
    }),
    creator: UserResource,
    type: text("Type of the package, such as npm."),
    name: text("Name of the package."),
    version: text("The version."),
    html_url: text("The version's page."),
    created_at: time("When it was published."),
  },
  { $id: "Package", description: "A version of a package." },
);
export type PackageResource = Static<typeof PackageResource>;

export const PackageFileResource = Type.Object(
  {
    id: whole("Number of the file."),
    size: whole("Size in bytes."),
    name: text("Name of the file."),
    md5: text("MD5 of the content, in hexadecimal."),
    sha1: text("SHA-1 of the content, in hexadecimal."),
    sha256: text("SHA-256 of the content, in hexadecimal."),
    sha512: text("SHA-512 of the content, in hexadecimal."),
  },
  { $id: "PackageFile", description: "A file of a package version." },
);

/** Versions as the principal may see them, with one query for their accounts and one for their repositories. */
export function packageResources(
  services: Services,
  principal: Principal,
  versions: readonly PackageVersion[],
): PackageResource[] {
  if (versions.length === 0) return [];
  const { identity, links, packageRepositories } = services;
  const ids = versions.flatMap((version) =>
    version.creatorId === undefined ? [version.package.ownerId] : [version.package.ownerId, version.creatorId],
  );
  const users = identity.byIds([...new Set(ids)]);
  const people = [...users.values(), ghost];
  const shown = new Map(userResources(services, principal, people).map((resource) => [resource.id, resource]));
  const seenRepos = packageRepositories.of({ principal }, versions);
  const repos = new Map(repoResources(services, [...seenRepos.values()]).map((resource) => [resource.id, resource]));
  const person = (id: number | undefined): UserResource => {
    const found = shown.get(id ?? ghost.id) ?? shown.get(ghost.id);
    if (!found) throw new Error("everybody has a resource, even the ghost");
    return found;
  };
  return versions.map((version) => {
    const { createdAt, creatorId, id, package: of } = version;
    const ownerLogin = users.get(of.ownerId)?.login ?? ghost.login;
    return {
      id,
      owner: person(of.ownerId),
      repository: (of.repoId === undefined ? undefined : repos.get(of.repoId)) ?? null,
      creator: person(creatorId),
      type: of.type,
      name: of.name,
      version: version.version,
      html_url: links.rootUrl + versionPath(ownerLogin, version),
      created_at: rfc3339(createdAt),
    };
  });
}

export function fileResource({ id, md5, name, sha1, sha256, sha512, sizeBytes }: PackageFile) {
  return { id, size: sizeBytes, name, md5, sha1, sha256, sha512 };
}
