import { type Call, param } from "../../src/http/route.ts";
import { NotFound, Redirected } from "../../src/kernel/errors.ts";
import { mayUse, seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { changesWiki } from "../../src/wiki/access.ts";
import { HOME } from "../../src/wiki/names.ts";
import type { WikiEntry, WrittenWiki } from "../../src/wiki/types.ts";
import type { WebServices } from "../area.ts";
import { Rendered } from "../content/rendered.ts";
import { signInHref } from "../links.ts";
import { cloneUrls, repoFrame } from "../repos/frame.ts";
import { shellOf } from "../visit.ts";
import type { PageLink, WikiPageProps } from "./frame.tsx";
import { RenderedPages } from "./rendered.ts";

/** Maximum pages in the wiki's menu. */
const MAX_CHOICES = 30;

/** The dependencies of wiki pages. */
export class WikiPages {
  readonly rendered: RenderedPages;
  /** Syntax-highlighted files, for diffs. */
  readonly code: Rendered;

  constructor(readonly services: WebServices) {
    this.rendered = new RenderedPages(services);
    this.code = new Rendered(services);
  }

  /**
   * The requested repository, if the visitor may read its wiki.
   * @throws NotFound; Redirected to an external wiki
   */
  seen(call: Call): SeenRepo {
    const seen = seenRepo(call);
    const { externalWiki } = seen.repo.settings;
    if (externalWiki && seen.access.on("wiki") !== "none") throw new Redirected(303, externalWiki.url);
    this.services.wikis.open(seen);
    return seen;
  }

  /** The same for forms. @throws NotFound; Redirected to sign in, for a visitor */
  writable(call: Call): SeenRepo {
    const seen = this.seen(call);
    if (mayUse(changesWiki, seen)) return seen;
    throw call.principal.user || seen.repo.isArchived ? new NotFound() : new Redirected(303, signInHref(call.target));
  }

  async frame(call: Call, seen: SeenRepo, wiki: WrittenWiki | undefined): Promise<WikiPageProps> {
    const pages = wiki ? await this.services.wikis.pages(wiki) : [];
    return {
      shell: shellOf(this.services, call),
      repo: await repoFrame(this.services, seen),
      cloneUrls: cloneUrls(this.services, seen, ".wiki.git"),
      mayWrite: mayUse(changesWiki, seen),
      choices: pages.slice(0, MAX_CHOICES).map(pageLink),
    };
  }
}

export function pageLink({ address, title }: WikiEntry): PageLink {
  return { address, title: title.toWellFormed() };
}

/** The page named in the path, as sent; without one, the wiki's start page. */
export function addressIn(call: Call): string {
  return call.params["raw*"] === undefined ? HOME : param(call, "raw*").replace(/\/$/, "") || HOME;
}
