import type { User } from "../../src/access/user.ts";
import { type Activity as Happened, reposOf } from "../../src/activity/service.ts";
import { readBytes } from "../../src/content/access.ts";
import type { Access, Call, Route } from "../../src/http/route.ts";
import { param } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import { readsReleaseFiles } from "../../src/releases/access.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { bodyOf } from "../content/commit-items.ts";
import { placeOf } from "../content/place.ts";
import { subjectOf } from "../home/pushed-commits.ts";
import { wordsFor } from "../language.ts";
import { commitHref, refHref, userHref } from "../links.ts";
import { homeOf } from "../repos/frame.ts";
import { renderedText } from "../repos/texts.ts";
import { anyone } from "../visit.ts";
import { activityEntries } from "./activity-entries.tsx";
import { type Feed, type FeedEntry, type FeedForm, feedDocument, feedType } from "./document.ts";
import { feedsWords } from "./words/index.ts";

const FORMS: readonly FeedForm[] = ["rss", "atom"];
const MAX_COMMITS = 10;
/** The newest entries, as many as feeds of accounts and repositories have (contract webhooks.md 9). */
const NEWEST = { page: 1, limit: 30, offset: 0 };

/** Feed readers have no cookies: Basic authentication or a token is accepted too. */
const ofRepo: Access = {
  ...anyone,
  subject: { kind: "repository", level: "read" },
  scopes: ["repository"],
  sudo: false,
};

const ofUser: Access = { ...anyone, scopes: ["user"], sudo: false };

/** Activity as RSS and Atom (contract web.md 3.3). Other URLs of the first two: `http/other-forms.ts`. */
export function feedPages(services: WebServices): Route[] {
  const feed = { method: "GET", surface: "bytes" } as const;
  return [
    { ...feed, path: "/:owner/-/feed/:form", access: ofUser, handle: (call) => userFeed(services, call) },
    { ...feed, path: "/:owner/:repo/-/feed/:form", access: ofRepo, handle: (call) => repoFeed(services, call) },
    ...FORMS.flatMap((form): Route[] => [
      {
        ...feed,
        path: `/:owner/:repo/tags.${form}`,
        access: readBytes,
        handle: (call) => tagsFeed(services, call, form),
      },
      {
        ...feed,
        path: `/:owner/:repo/releases.${form}`,
        access: readsReleaseFiles,
        handle: (call) => releasesFeed(services, call, form),
      },
      {
        ...feed,
        path: `/:owner/:repo/${form}/branch/*`,
        access: readBytes,
        handle: (call) => branchFeed(services, call, form),
      },
    ]),
  ];
}

function formOf(call: Call): FeedForm {
  const form = FORMS.find((known) => known === param(call, "form"));
  if (!form) throw new NotFound();
  return form;
}

/** An absolute URL of this site. */
function absolute({ links }: WebServices, path: string): string {
  return links.rootUrl.replace(/\/$/, "") + path;
}

function answer(call: Call, feed: Feed, form: FeedForm): Response {
  const document = feedDocument(feed, form);
  const etag = `"${new Bun.CryptoHasher("sha256").update(document).digest("hex").slice(0, 32)}"`;
  const headers = {
    "content-type": feedType(form),
    "cache-control": "max-age=0, private, must-revalidate",
    "accept-ranges": "none",
    etag,
    vary: "Accept, Accept-Language, Authorization, Cookie",
  };
  const isKnown = call.request.headers.get("if-none-match")?.includes(etag);
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(document, { headers });
}

async function userFeed(services: WebServices, call: Call): Promise<Response> {
  const form = formOf(call);
  const user = services.identity.visible(
    call.principal,
    param(call, "owner"),
    (present) => `${userHref(present)}.${form}`,
  );
  const page = userHref(user.login);
  const t = wordsFor(call, feedsWords);
  const happened = happenedAt(services, call, user);
  return answer(
    call,
    {
      title: t("ofUser", { name: user.fullName || user.login }),
      description: user.description,
      link: absolute(services, page),
      self: absolute(services, `${page}.${form}`),
      entries: await activityEntries(services, call, happened),
    },
    form,
  );
}

/** What a person did, or what happened in an organization's repositories. */
function happenedAt({ activity }: WebServices, { principal, query }: Call, user: User): Happened[] {
  const day = query.get("date") ?? "";
  if (user.kind !== "organization") return activity.feedOfAccount(principal, user, { onlyBy: true, day }, NEWEST).items;
  return activity.feed(principal, reposOf(user), day, NEWEST).items;
}

async function repoFeed(services: WebServices, call: Call): Promise<Response> {
  const form = formOf(call);
  const seen = seenRepo(call);
  const { items: happened } = services.activity.feedOfRepo(seen, call.query.get("date") ?? "", NEWEST);
  const entries = await activityEntries(services, call, happened);
  const title = wordsFor(call, feedsWords)("ofRepository", { repository: fullName(seen) });
  return answer(call, { ...about(services, seen, title), self: selfOf(services, seen, `.${form}`), entries }, form);
}

/** The commits of a branch, or of a file on it. */
async function branchFeed(services: WebServices, call: Call, form: FeedForm): Promise<Response> {
  const seen = seenRepo(call);
  const t = wordsFor(call, feedsWords);
  const given = param(call, "raw*");
  const self = selfOf(services, seen, `/${form}/branch/${given}`);
  if (seen.repo.isEmpty) {
    const title = t("ofBranch", { branch: seen.repo.defaultBranch, repository: fullName(seen) });
    return answer(call, { ...about(services, seen, title), self, entries: [] }, form);
  }
  const { at, ref, path } = placeOf(services, call, "commits", "branch");
  const { oids } = await services.history.page(seen, {
    tips: [at.commit],
    ...(path === "" ? {} : { paths: [path] }),
    skip: 0,
    limit: MAX_COMMITS,
    count: false,
  });
  if (path !== "" && oids.length === 0) throw new NotFound();
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const entries = services.commits.readAll(seen, oids).map(({ oid, commit }): FeedEntry => {
    const link = absolute(services, commitHref(repo, oid));
    return {
      title: subjectOf(commit.message) || oid.slice(0, 10),
      link,
      id: link,
      author: commit.author.name,
      at: commit.committer.timestamp * 1000,
      content: bodyOf(commit.message) === "" ? "" : `<pre>${Bun.escapeHTML(bodyOf(commit.message))}</pre>`,
    };
  });
  const title =
    path === ""
      ? t("ofBranch", { branch: ref.name, repository: fullName(seen) })
      : t("ofFile", { path, branch: ref.name, repository: fullName(seen) });
  const link = absolute(services, refHref(repo, "commits", ref, path));
  return answer(call, { ...about(services, seen, title), link, self, entries }, form);
}

async function tagsFeed(services: WebServices, call: Call, form: FeedForm): Promise<Response> {
  const seen = seenRepo(call);
  const { items } = await services.tags.list(seen, { page: 1, limit: MAX_COMMITS, offset: 0 });
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const entries = items.map((tag): FeedEntry => {
    const link = absolute(services, refHref(repo, "src", { kind: "tag", name: tag.name }));
    return {
      title: tag.name,
      link,
      id: `${link}#${tag.oid}`,
      author: seen.owner.login,
      at: tag.time * 1000,
      content: tag.message === "" ? "" : `<pre>${Bun.escapeHTML(tag.message)}</pre>`,
    };
  });
  const title = wordsFor(call, feedsWords)("ofTags", { repository: fullName(seen) });
  const link = absolute(services, homeOf(seen, "tags"));
  const self = selfOf(services, seen, `/tags.${form}`);
  return answer(call, { ...about(services, seen, title), link, self, entries }, form);
}

async function releasesFeed(services: WebServices, call: Call, form: FeedForm): Promise<Response> {
  const seen = seenRepo(call);
  const { items } = services.releases.list(seen, { isDraft: false }, { limit: MAX_COMMITS, offset: 0 });
  const authors = services.identity.byIds(items.flatMap(({ authorId }) => authorId ?? []));
  const entries = await Promise.all(
    items.map(async ({ authorId, body, createdAt, id, tag, title }): Promise<FeedEntry> => {
      const link = absolute(services, homeOf(seen, `releases/tag/${segments(tag)}`));
      return {
        title: title || tag,
        link,
        id: `${link}#${id}`,
        author: authors.get(authorId ?? 0)?.login ?? seen.owner.login,
        at: createdAt,
        content: await renderedText(services, call.principal, seen, body),
      };
    }),
  );
  const title = wordsFor(call, feedsWords)("ofReleases", { repository: fullName(seen) });
  const link = absolute(services, homeOf(seen, "releases"));
  const self = selfOf(services, seen, `/releases.${form}`);
  return answer(call, { ...about(services, seen, title), link, self, entries }, form);
}

function fullName({ owner, repo }: SeenRepo): string {
  return `${owner.login}/${repo.name}`;
}

function selfOf(services: WebServices, seen: SeenRepo, rest: string): string {
  return absolute(services, homeOf(seen) + rest);
}

function about(services: WebServices, seen: SeenRepo, title: string) {
  return { title, description: seen.repo.description, link: absolute(services, homeOf(seen)) };
}
