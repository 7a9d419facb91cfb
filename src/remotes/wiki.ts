import { Failure } from "../kernel/errors.ts";
import type { RemoteAddress } from "./address.ts";
import type { RemoteListing, RemoteRequest, RemoteService } from "./service.ts";

/** Failures meaning that there is no wiki, or none we may read. */
const ABSENT: ReadonlySet<string> = new Set([
  "remote.not-found",
  "remote.credentials-needed",
  "remote.bad-credentials",
  "remote.forbidden",
  "remote.not-git",
  "remote.refused",
  "remote.bad-status",
]);

/** The wiki that forges store beside a repository. @returns undefined: there is none @throws Failure `remote.…` */
export async function findWiki(
  remotes: RemoteService,
  request: RemoteRequest,
): Promise<{ readonly address: RemoteAddress; readonly listing: RemoteListing } | undefined> {
  for (const url of wikiUrlsOf(request.address.url)) {
    const address = { ...request.address, url };
    try {
      return { address, listing: await remotes.list({ ...request, address }) };
    } catch (error) {
      if (!(error instanceof Failure) || !ABSENT.has(error.code)) throw error;
    }
  }
  return undefined;
}

/** Where forges serve it: `engine.wiki.git`, or without the ending. */
function wikiUrlsOf(url: string): string[] {
  const base = url.replace(/\.git$/i, "");
  return [`${base}.wiki.git`, `${base}.wiki`];
}
