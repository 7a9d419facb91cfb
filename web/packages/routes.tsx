import { atLeast } from "../../src/access/levels.ts";
import { administersAccounts } from "../../src/admin/access.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Access, type Call, idParam, param, type Route } from "../../src/http/route.ts";
import { ghost } from "../../src/identity/system-users.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import { type JsonObject, textOf } from "../../src/kernel/json.ts";
import { segment } from "../../src/kernel/url-path.ts";
import { packagesOnPages } from "../../src/packages/access.ts";
import { packagePath, versionPath } from "../../src/packages/addresses.ts";
import { packageFileAnswer } from "../../src/packages/registries/kit.ts";
import { metadataOf, textsOf } from "../../src/packages/registries/metadata.ts";
import { seenPackages } from "../../src/packages/subject.ts";
import {
  isPackageType,
  type PackageFile,
  type PackageType,
  type PackageVersion,
  packageTypes,
  type SeenPackages,
} from "../../src/packages/types.ts";
import { readsRepoPackages } from "../../src/repos/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { profilePage } from "../account/profile-routes.tsx";
import type { WebServices } from "../area.ts";
import { formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { RepoPage } from "../layout/repo-frame.tsx";
import { repoHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { OrganizationPage } from "../organizations/frame.tsx";
import { organizationOf } from "../organizations/view.ts";
import { personOf } from "../people.ts";
import { repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { ADMIN_PACKAGES, AdminPackagesPage } from "./admin.tsx";
import { dependenciesOf } from "./dependencies.ts";
import { installLines } from "./install.ts";
import { type PackageItem, PackageList, type PackageListProps } from "./list.tsx";
import { packagesTab } from "./profile-tab.tsx";
import { PackageSettingsPage } from "./settings.tsx";
import { stateLockOf } from "./terraform.tsx";
import { PackagePage, VersionsPage } from "./version.tsx";
import { packagesWords } from "./words/index.ts";

const PER_PAGE = 20;
const SHOWN_VERSIONS = 5;
const LIST = "/:owner/-/packages";
const ONE = `${LIST}/:type/:name`;
/** The property with which an image index names its images. */
const CONTAINER_CHILD = "container.manifest.reference";

const reads = packagesOnPages("read");
const writes = packagesOnPages("write");

/** Packages of accounts and repositories (contract packages.md 6). */
export function packagePages(services: WebServices): Route[] {
  const get = (path: string, access: Access, handle: (call: Call) => Response | Promise<Response>): Route => ({
    method: "GET",
    surface: "page",
    path,
    access,
    handle,
  });
  const post = (path: string, access: Access, handle: (call: Call) => Promise<Response>): Route => ({
    method: "POST",
    surface: "page",
    path,
    access,
    handle,
  });
  return [
    get(LIST, reads, (call) => ownerList(services, call)),
    get("/:owner/:repo/packages", readsRepoPackages, (call) => repoList(services, call)),
    get(`${LIST}/settings/:type/:name`, writes, (call) => settings(services, call)),
    post(`${LIST}/settings/:type/:name`, writes, (call) => change(services, call)),
    get(ONE, reads, (call) => {
      const { owner } = seenPackages(call);
      const latest = services.packages.latest(seenPackages(call), typeOf(call), param(call, "name"));
      return redirect(`/${versionPath(owner.login, latest)}`);
    }),
    get(`${ONE}/versions`, reads, (call) => versions(services, call)),
    get(`${ONE}/:version`, reads, (call) => one(services, call, versionOf(services, call))),
    get(`${ONE}/:version/:sub`, reads, (call) => one(services, call, imageOf(services, call))),
    post(`${ONE}/:version`, writes, (call) => deleteVersion(services, call)),
    {
      method: "GET",
      surface: "bytes",
      path: `${ONE}/:version/files/:id`,
      access: reads,
      handle: (call) => {
        const version = versionOf(services, call);
        const file = services.packages.fileById(version, idParam(call, "id"));
        return packageFileAnswer(call, file, services.packages.open(file, call.request.method === "GET"));
      },
    },
    get(ADMIN_PACKAGES, administersAccounts, (call) => adminList(services, call)),
    post(`${ADMIN_PACKAGES}/cleanup`, administersAccounts, async (call) => {
      services.packageCleanup.enqueue();
      const text = wordsFor(call, packagesWords)("cleanUpBegins");
      return redirectAfterPost(services, call, ADMIN_PACKAGES, { kind: "success", text });
    }),
  ];
}

/** @throws NotFound */
function typeOf(call: Call): PackageType {
  const type = param(call, "type");
  if (!isPackageType(type)) throw new NotFound();
  return type;
}

const versionOf = ({ packages }: WebServices, call: Call): PackageVersion =>
  packages.version(seenPackages(call), typeOf(call), param(call, "name"), param(call, "version"));

function itemsOf(services: WebServices, call: Call, found: readonly PackageVersion[]): PackageItem[] {
  const { identity, packageRepositories } = services;
  const ids = found.flatMap(({ creatorId, package: of }) => [
    of.ownerId,
    ...(creatorId === undefined ? [] : [creatorId]),
  ]);
  const users = identity.byIds([...new Set(ids)]);
  const repos = packageRepositories.of(call, found);
  return found.map((version) => {
    const { createdAt, creatorId, package: of } = version;
    const repo = repos.get(of.repoId ?? 0);
    return {
      name: of.name,
      version: version.version,
      type: of.type,
      href: `/${versionPath(users.get(of.ownerId)?.login ?? "", version)}`,
      owner: personOf(users.get(of.ownerId) ?? ghost),
      creator: personOf(users.get(creatorId ?? ghost.id) ?? ghost),
      at: createdAt,
      repo: repo && {
        name: `${repo.owner.login}/${repo.repo.name}`,
        href: repoHref({ owner: repo.owner.login, name: repo.repo.name }),
      },
    };
  });
}

const packagesHref = (login: string) => `/${segment(login)}/-/packages`;

function filterOf({ query }: Call): { text: string; type: PackageType | undefined } {
  const type = query.get("type") ?? "";
  return { text: (query.get("q") ?? "").trim().slice(0, 255), type: isPackageType(type) ? type : undefined };
}

/** The packages of an account, for its page and for the separate list. */
export function ownerListProps(services: WebServices, call: Call, seen: SeenPackages): PackageListProps {
  const filter = filterOf(call);
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = services.packages.latestOfEach(seen, filter, slice);
  const action = packagesHref(seen.owner.login);
  return {
    action,
    query: filter.text,
    type: filter.type ?? "",
    types: services.packages.typesInUse(seen),
    items: itemsOf(services, call, items),
    pages: {
      page: slice.page,
      perPage: PER_PAGE,
      total,
      href: withQuery(action, { q: filter.text, type: filter.type }),
    },
  };
}

function ownerList(services: WebServices, call: Call): Response | Promise<Response> {
  const seen = seenPackages(call);
  const t = wordsFor(call, packagesWords);
  const list = <PackageList {...ownerListProps(services, call, seen)} />;
  const organization = organizationOf(services, call, seen.owner);
  if (!organization) return profilePage(services, call, seen.owner, packagesTab, list);
  return show(
    call,
    <OrganizationPage
      shell={shellOf(services, call)}
      organization={organization}
      tab="packages"
      title={[t("packages")]}
    >
      <h1 class="hidden-text">{t("packages")}</h1>
      {list}
    </OrganizationPage>,
  );
}

async function repoList(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const filter = filterOf(call);
  const slice = pageOf(call, PER_PAGE);
  const { items, total } = services.packages.ofRepo(seen, filter, slice);
  const repo = await repoFrame(services, seen);
  const action = repoHref(repo, "packages");
  const t = wordsFor(call, packagesWords);
  const list = {
    action,
    query: filter.text,
    type: filter.type ?? "",
    types: packageTypes,
    items: itemsOf(services, call, items),
    pages: {
      page: slice.page,
      perPage: PER_PAGE,
      total,
      href: withQuery(action, { q: filter.text, type: filter.type }),
    },
  };
  return show(
    call,
    <RepoPage shell={shellOf(services, call)} repo={repo} tab="packages" title={[t("packages")]}>
      <h1 class="hidden-text">{t("packages")}</h1>
      <PackageList {...list} />
    </RepoPage>,
  );
}

/** The digests in an image index (contract packages.md 6). */
function childrenOf({ packages }: WebServices, { id, package: { type } }: PackageVersion): string[] {
  const all = type === "container" ? (packages.propertiesOf("version", [id]).get(id) ?? []) : [];
  return all.filter(({ name }) => name === CONTAINER_CHILD).map(({ value }) => value);
}

/** The image of one platform in an index. @throws NotFound */
function imageOf(services: WebServices, call: Call): PackageVersion {
  const index = versionOf(services, call);
  const digest = param(call, "sub");
  if (!childrenOf(services, index).includes(digest)) throw new NotFound();
  // It may have its own tag.
  const holding = services.packages.filesHolding(index.package, digest.replace(/^sha256:/, ""));
  const manifest = holding.find(({ isLead }) => isLead);
  const found = manifest && services.packages.byId(manifest.versionId);
  if (!found) throw new NotFound();
  return found;
}

function one(services: WebServices, call: Call, version: PackageVersion): Response {
  const { links, packages } = services;
  const seen = seenPackages(call);
  const { name, type } = version.package;
  const files = packages.filesOf(version);
  const { items, total } = packages.pageOfVersions(version.package, {}, { limit: SHOWN_VERSIONS, offset: 0 });
  const [item] = itemsOf(services, call, [version]);
  if (!item) throw new NotFound();
  const read = metadataOf(version);
  const text = (key: string) => textOf(read[key]).slice(0, 1000);
  const base = `/${packagePath(seen.owner.login, type, name)}`;
  return show(
    call,
    <PackagePage
      shell={shellOf(services, call)}
      owner={{ name: seen.owner.login, packagesHref: packagesHref(seen.owner.login) }}
      item={item}
      description={text("summary") || text("description")}
      license={licensesOf(read)}
      website={text("project_url") || text("homepage") || text("source_url")}
      install={installLines({
        type,
        name,
        version: version.version,
        owner: seen.owner.login,
        base: `${links.rootUrl}api/packages/${segment(seen.owner.login)}/${type}`,
        host: new URL(links.rootUrl).host,
        file: files[0]?.name ?? "",
        place: files[0]?.compositeKey ?? "",
      })}
      lock={stateLockOf(services, version.package)}
      images={childrenOf(services, version).map((digest) => ({ digest, href: `${item.href}/${digest}` }))}
      dependencies={dependenciesOf(read)}
      files={files.map((file) => ({
        ...file,
        href: `${item.href}/files/${file.id}`,
        // For images it would be the digest, which is shown anyway.
        of: type === "container" ? "" : file.compositeKey.replaceAll("|", " "),
      }))}
      downloads={packages.downloads(version)}
      versions={itemsOf(services, call, items)}
      versionsHref={`${base}/versions`}
      versionCount={total}
      settingsHref={atLeast(seen.level, "write") ? settingsHref(seen, type, name) : undefined}
    />,
  );
}

function licensesOf(read: JsonObject): string {
  const all = [read["license"], read["licenses"]].flatMap(textsOf).filter((license) => license !== "");
  return all.join(", ").slice(0, 1000);
}

const settingsHref = ({ owner }: SeenPackages, type: string, name: string) =>
  `${packagesHref(owner.login)}/settings/${type}/${segment(name.toLowerCase())}`;

function versions(services: WebServices, call: Call): Response {
  const { packages } = services;
  const seen = seenPackages(call);
  const found = packages.find(seen, typeOf(call), param(call, "name"));
  const slice = pageOf(call, PER_PAGE);
  const text = (call.query.get("q") ?? "").trim().slice(0, 255);
  const tagged =
    found.type !== "container" ? undefined : call.query.get("tagged") === "untagged" ? "untagged" : "tagged";
  const property = tagged && { name: "container.manifest.tagged", has: tagged === "tagged" };
  const { items, total } = packages.pageOfVersions(found, { text, property }, slice);
  const href = `/${packagePath(seen.owner.login, found.type, found.name)}`;
  return show(
    call,
    <VersionsPage
      shell={shellOf(services, call)}
      owner={{ name: seen.owner.login, packagesHref: packagesHref(seen.owner.login) }}
      name={found.name}
      href={href}
      query={text}
      tagged={tagged}
      versions={itemsOf(services, call, items)}
      pages={{ page: slice.page, perPage: PER_PAGE, total, href: withQuery(`${href}/versions`, { q: text, tagged }) }}
    />,
  );
}

async function deleteVersion(services: WebServices, call: Call): Promise<Response> {
  const seen = seenPackages(call);
  const version = versionOf(services, call);
  const form = await readForm(call);
  const href = `/${versionPath(seen.owner.login, version)}`;
  if (form.has("version") && form.text("version") !== version.version) return redirectAfterPost(services, call, href);
  services.packages.deleteVersion(seen, version);
  const text = wordsFor(call, packagesWords)("deleted");
  return redirectAfterPost(services, call, packagesHref(seen.owner.login), { kind: "success", text });
}

function settings(services: WebServices, call: Call, error?: Failure): Response {
  const seen = seenPackages(call);
  const found = services.packages.find(seen, typeOf(call), param(call, "name"));
  const linked = found.repoId === undefined ? undefined : services.repos.seeById(call.principal, found.repoId);
  const fields = { repo_name: "repo_name", package_name: "package_name" } as const;
  const errors = error && formErrors<"repo_name" | "package_name">(call, error, fields);
  return show(
    call,
    <PackageSettingsPage
      shell={shellOf(services, call)}
      owner={{ name: seen.owner.login, packagesHref: packagesHref(seen.owner.login) }}
      name={found.name}
      href={`/${packagePath(seen.owner.login, found.type, found.name)}`}
      action={settingsHref(seen, found.type, found.name)}
      repoName={linked?.repo.name ?? ""}
      errors={errors}
    />,
    { status: errors ? 422 : 200 },
  );
}

/** `action` is `link`, without a name to unlink, or `delete`, with the typed name. */
async function change(services: WebServices, call: Call): Promise<Response> {
  const { packageRepositories, packages } = services;
  const seen = seenPackages(call);
  const found = packages.find(seen, typeOf(call), param(call, "name"));
  const form = await readForm(call);
  const t = wordsFor(call, packagesWords);
  try {
    if (form.text("action") === "delete") {
      packages.deleteNamed(seen, found, form.text("package_name"));
      return redirectAfterPost(services, call, packagesHref(seen.owner.login), { kind: "success", text: t("deleted") });
    }
    packageRepositories.set(seen, found, form.text("repo_name").slice(0, 255));
  } catch (error) {
    if (error instanceof Failure) return settings(services, call, error);
    throw error;
  }
  const href = settingsHref(seen, found.type, found.name);
  return redirectAfterPost(services, call, href, { kind: "success", text: t("saved") });
}

function adminList(services: WebServices, call: Call): Response {
  const filter = filterOf(call);
  const slice = pageOf(call, 50);
  const { items, sizeBytes, total } = services.packages.everyones(call.principal, filter, slice);
  const files: Map<number, PackageFile[]> = services.packages.filesOfEach(items);
  const sizes = items.map(({ id }) => (files.get(id) ?? []).reduce((sum, file) => sum + file.sizeBytes, 0));
  const list = {
    action: ADMIN_PACKAGES,
    query: filter.text,
    type: filter.type ?? "",
    types: packageTypes,
    items: itemsOf(services, call, items).map((item, at) => ({ ...item, sizeBytes: sizes[at] })),
    ofEveryone: true,
    pages: {
      page: slice.page,
      perPage: 50,
      total,
      href: withQuery(ADMIN_PACKAGES, { q: filter.text, type: filter.type }),
    },
  };
  return show(call, <AdminPackagesPage shell={shellOf(services, call)} list={list} sizeBytes={sizeBytes} />);
}
