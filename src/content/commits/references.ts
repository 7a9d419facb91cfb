import { atLeast } from "../../access/levels.ts";
import type { Oid } from "../../git/objects/types.ts";
import { segment } from "../../kernel/url-path.ts";
import type { CommitReference } from "../../references/grammar.ts";
import type { Resolver } from "../../references/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";

/** Beginnings of ids are looked up in every pack and folder: more of them stay text. */
const MAX_ABBREVIATED = 60;
const MAX_FULL = 500;
/** Other repositories are opened for their commits: more of them stay text. */
const MAX_REPOS = 20;
const MAX_CANDIDATES = 8;
const SHOWN_DIGITS = 10;

/** Ids of commits, of the text's own repository or of another whose code the reader may read. */
export function commitReferences(repos: RepoService, storage: RepoStorage): Resolver<CommitReference> {
  return ({ principal, repo: own }, references) => {
    const named = new Map<string, readonly [string, string]>();
    for (const { repo } of references)
      if (repo && named.size < MAX_REPOS) named.set(keyOf(repo.owner, repo.name), [repo.owner, repo.name]);
    const others = named.size === 0 ? new Map<string, SeenRepo>() : repos.seeNamed(principal, [...named.values()]);
    const left = { abbreviated: MAX_ABBREVIATED, full: MAX_FULL };
    return references.map(({ repo, id }) => {
      const seen = repo ? others.get(keyOf(repo.owner, repo.name)) : own;
      if (!seen || !atLeast(seen.access.on("code"), "read")) return undefined;
      const isFull = id.length === seen.repo.objectFormat.oidDigits;
      if (left[isFull ? "full" : "abbreviated"]-- <= 0) return undefined;
      const commit = commitOf(storage, seen, id, isFull);
      if (commit === undefined) return undefined;
      const address = `${segment(seen.owner.login)}/${segment(seen.repo.name)}`;
      const short = commit.slice(0, SHOWN_DIGITS);
      const isOwn = seen.repo.id === own?.repo.id;
      return {
        href: `/${address}/commit/${commit}`,
        label: isOwn ? short : `${seen.owner.login}/${seen.repo.name}@${short}`,
        className: "commit",
      };
    });
  };
}

const keyOf = (owner: string, name: string) => `${owner}/${name}`.toLowerCase();

function commitOf(storage: RepoStorage, { repo }: SeenRepo, id: string, isFull: boolean): Oid | undefined {
  const objects = storage.objects(repo.id);
  const candidates = isFull ? [id] : objects.findByPrefix(id, MAX_CANDIDATES);
  const commits = candidates.filter((oid) => objects.header(oid)?.type === "commit");
  return commits.length === 1 ? commits[0] : undefined;
}
