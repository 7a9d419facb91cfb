import { TAGS } from "../../src/git/refs/names.ts";
import { redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { downloadOf } from "../../src/issues/attachments/download.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { segment, segments } from "../../src/kernel/url-path.ts";
import { changesReleases, readsReleaseFiles, readsReleases } from "../../src/releases/access.ts";
import type { Release, ReleaseAsset } from "../../src/releases/types.ts";
import { mayUse, seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { personOf } from "../people.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { renderedText } from "../repos/texts.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { releaseFormPages } from "./form-routes.tsx";
import { type AssetItem, type ReleaseItem, ReleasePage, ReleasesPage } from "./list.tsx";
import { releasesWords } from "./words/index.ts";

const PER_PAGE = 10;
const MAX_WORDS = 255;

/** Releases of repositories and their files (contract web.md 1.8 and 2.13). */
export function releasePages(services: WebServices): Route[] {
  const at = (path: string) => ({ surface: "page", path: `/:owner/:repo/${path}` }) as const;
  const read = { method: "GET", access: readsReleases } as const;
  const file = (path: string) =>
    ({ surface: "bytes", method: "GET", path: `/:owner/:repo/${path}`, access: readsReleaseFiles }) as const;
  return [
    { ...at("releases"), ...read, handle: (call) => list(services, call) },
    { ...at("releases/latest"), ...read, handle: (call) => toLatest(services, call) },
    { ...at("releases/tag/*"), ...read, handle: (call) => one(services, call) },
    { ...file("releases/download/*"), handle: (call) => download(services, call) },
    { ...file("releases/attachments/:uuid"), handle: (call) => attached(services, call) },
    {
      ...at("releases/delete"),
      method: "POST",
      access: changesReleases,
      handle: (call) => remove(services, call),
    },
    ...releaseFormPages(services),
  ];
}

async function list(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  // As for branches and tags: an empty repository has nothing to show.
  if (seen.repo.isEmpty) throw new NotFound();
  const query = (call.query.get("q") ?? "").trim().slice(0, MAX_WORDS);
  const paging = pageOf(call, PER_PAGE);
  const { items, total } = services.releases.list(seen, { words: query }, paging);
  const view = (
    <ReleasesPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      releases={await itemsOf(services, seen, items)}
      query={query}
      mayWrite={mayUse(changesReleases, seen)}
      pages={{ page: paging.page, perPage: PER_PAGE, total, href: withQuery(homeOf(seen, "releases"), { q: query }) }}
    />
  );
  return show(call, view);
}

function toLatest({ releases }: WebServices, call: Call): Response {
  const seen = seenRepo(call);
  const { tag } = releases.latest(seen);
  return redirect(homeOf(seen, `releases/tag/${segments(tag)}`));
}

/** A release, or a tag without one. */
async function one(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const tag = param(call, "*");
  const release = services.releases.findOfTag(seen, tag);
  const [item] = release ? await itemsOf(services, seen, [release]) : [await plainTag(services, seen, tag)];
  if (!item) throw new NotFound();
  const view = (
    <ReleasePage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      release={item}
      mayWrite={mayUse(changesReleases, seen)}
    />
  );
  return show(call, view);
}

/** A file of a tag's release; `latest` is the latest release unless a tag has that name. */
function download(services: WebServices, call: Call): Response {
  const { releaseAssets, releases } = services;
  const seen = seenRepo(call);
  const parts = param(call, "*").split("/");
  const name = parts.pop() ?? "";
  const tag = parts.join("/");
  const named = releases.findOfTag(seen, tag);
  const release = named?.tag === tag ? named : tag === "latest" ? releases.latest(seen) : undefined;
  if (!release) throw new NotFound();
  return bytesOf(services, call, releaseAssets.named(release, name));
}

function attached(services: WebServices, call: Call): Response {
  const found = services.releaseAssets.find(call.principal, param(call, "uuid"));
  if (!found || found.seen.repo.id !== seenRepo(call).repo.id) throw new NotFound();
  return bytesOf(services, call, found.asset);
}

function bytesOf({ releaseAssets }: WebServices, call: Call, asset: ReleaseAsset): Response {
  return downloadOf(call, {
    file: { ...asset, repoId: seenRepo(call).repo.id },
    body: releaseAssets.open(asset),
    countDownload: () => releaseAssets.countDownload(asset),
  });
}

async function remove(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const { releases } = services;
  const { id, tag } = releases.get(seen, (await readForm(call)).number("id") ?? 0);
  releases.delete(seen, id);
  const text = wordsFor(call, releasesWords)("deleted", { tag });
  return redirectAfterPost(services, call, homeOf(seen, "releases"), { kind: "success", text });
}

async function itemsOf(services: WebServices, seen: SeenRepo, found: readonly Release[]): Promise<ReleaseItem[]> {
  const { identity, refs, releaseAssets, releases } = services;
  const assets = releaseAssets.ofReleases(found.map(({ id }) => id));
  const authors = identity.byIds(found.flatMap(({ authorId }) => authorId ?? []));
  const latestId = releases.findLatest(seen)?.id;
  return Promise.all(
    found.map(async (release): Promise<ReleaseItem> => {
      const { authorId, createdAt, id, isDraft, isPrerelease, tag, title } = release;
      const author = authorId === undefined ? undefined : authors.get(authorId);
      const ref = refs.find(seen.repo.id, TAGS + tag);
      const sha = ref && (ref.peeled ?? ref.oid);
      return {
        id,
        tag,
        title,
        state: isDraft ? "draft" : isPrerelease ? "prerelease" : id === latestId ? "latest" : "plain",
        at: createdAt,
        notes: await renderedText(services, seen.principal, seen, release.body),
        assets: (assets.get(id) ?? []).map((asset) => assetItem(seen, release, asset)),
        ...(sha === undefined ? {} : { sha }),
        ...(author ? { author: personOf(author) } : {}),
      };
    }),
  );
}

/** @throws NotFound */
async function plainTag(services: WebServices, seen: SeenRepo, name: string): Promise<ReleaseItem> {
  const tag = seen.access.on("code") === "none" ? undefined : services.tags.find(seen, name);
  if (!tag) throw new NotFound();
  const notes = await renderedText(services, seen.principal, seen, tag.isAnnotated ? tag.message : "");
  return { tag: name, title: name, state: "plain", sha: tag.target, at: tag.time * 1000, notes, assets: [] };
}

function assetItem(seen: SeenRepo, { tag }: Release, { downloads, name, sizeBytes }: ReleaseAsset): AssetItem {
  const href = homeOf(seen, `releases/download/${segments(tag)}/${segment(name)}`);
  return { name, href, sizeBytes, downloads };
}
