import { asAccount } from "../access/principal.ts";
import type { User } from "../access/user.ts";
import type { IdentityService } from "../identity/service.ts";
import type { Links } from "../kernel/links.ts";
import { segments } from "../kernel/url-path.ts";
import { type MailContent, unlinked } from "../mail/content.ts";
import type { ComposedMail, MailParams, MailService } from "../mail/service.ts";
import type { SafeHtml } from "../markup/safe-html.ts";
import type { MailTexts } from "../notifications/mails/texts.ts";
import type { Occasions } from "../notifications/occasions.ts";
import { repoPage } from "../repos/addresses.ts";
import type { RepoService } from "../repos/service.ts";
import type { ReleaseService } from "./service.ts";

/** The content of a mail about a release; the page side provides the wording. */
export interface ReleaseMail {
  /** The language of the account's own setting; empty: none. */
  readonly language: string;
  /** Display name of the publisher; empty if the account was deleted. */
  readonly doer: string;
  /** `owner/repo`. */
  readonly repo: string;
  readonly title: string;
  readonly tag: string;
  /** The release notes: their source, and HTML with absolute addresses. */
  readonly notes: { readonly source: string; readonly html: SafeHtml } | undefined;
  readonly href: string;
  /** Source code archives. */
  readonly archives: readonly string[];
  /** Where to unsubscribe. */
  readonly settings: string;
}

export type ReleaseMailWords = (about: ReleaseMail) => Promise<MailContent>;

export interface ReleaseMailParts {
  readonly identity: IdentityService;
  readonly links: Links;
  readonly mail: MailService;
  readonly occasions: Occasions;
  readonly releases: ReleaseService;
  readonly repos: RepoService;
  readonly texts: MailTexts;
  readonly words: ReleaseMailWords;
}

const KIND = "releases.published";
/** Max length of the notes in a mail. */
const MAX_NOTES = 20_000;

/**
 * Mails watchers of a repository about its releases (contract issues.md 25.1), but not about drafts and pre-releases.
 */
export function mailReleases(parts: ReleaseMailParts): void {
  const { links, mail, occasions, releases } = parts;
  const domain = new URL(links.rootUrl).hostname;
  mail.compose(KIND, (params) => compose(parts, params));
  occasions.add("release.published", ({ at, payload, principal, repoId }) => {
    const { releaseId } = payload;
    const release = releases.byId(releaseId);
    if (repoId === undefined || !release || release.isDraft || release.isPrerelease) return undefined;
    const doerId = principal.userId ?? null;
    return {
      repoId,
      issueId: null,
      subject: null,
      unit: "releases",
      at,
      doerId,
      toAll: true,
      withWatchers: true,
      to: [],
      mail: {
        kind: KIND,
        params: { repo: repoId, release: releaseId, doer: doerId ?? 0 },
        messageId: `<releases/${releaseId}/${at}@${domain}>`,
      },
    };
  });
}

/** Composes the mail from the current state; undefined if the release is gone, or the recipient may not read it. */
async function compose(parts: ReleaseMailParts, params: MailParams): Promise<ComposedMail | undefined> {
  const { identity, links, releases, repos, texts, words } = parts;
  const user = identity.byId(Number(params["user"]));
  const release = releases.byId(Number(params["release"]));
  if (user?.kind !== "individual" || !user.isActive || user.prohibitLogin) return undefined;
  if (!release || release.isDraft || release.isPrerelease) return undefined;
  const principal = asAccount(user);
  if (!repos.mayRead(principal, release.repoId, "releases")) return undefined;
  const [seen] = repos.seeEach(principal, [release.repoId]);
  if (!seen) return undefined;
  const home = repoPage(seen, links);
  const doer = nameOf(identity.byId(Number(params["doer"])));
  const name = `${seen.owner.login}/${seen.repo.name}`;
  const source = release.body.slice(0, MAX_NOTES);
  const mayDownload = repos.mayRead(principal, release.repoId, "code");
  const content = await words({
    language: user.language,
    doer,
    repo: name,
    title: release.title || release.tag,
    tag: release.tag,
    notes: source.trim() === "" ? undefined : { source, html: await texts.html(seen, source) },
    href: `${home}/releases/tag/${segments(release.tag)}`,
    archives: mayDownload ? ["zip", "tar.gz"].map((kind) => `${home}/archive/${segments(release.tag)}.${kind}`) : [],
    settings: `${links.rootUrl}user/settings/notifications`,
  });
  const domain = new URL(links.rootUrl).hostname;
  return {
    to: user.email,
    content,
    fromName: doer,
    list: { name, id: `${seen.repo.name}.${seen.owner.login}.${domain}` },
    unsubscribe: home,
  };
}

/** Neutralizes user-chosen names so that mail programs do not turn them into links. */
const nameOf = (user: User | undefined) => (user ? unlinked(user.fullName || user.login) : "");
