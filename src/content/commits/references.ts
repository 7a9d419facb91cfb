import { atLeast } from "../../access/levels.ts";
import type { Oid } from "../../git/objects/types.ts";
import { segment } from "../../kernel/url-path.ts";
import type { CommitReference } from "../../references/grammar.ts";
import type { Resolver } from "../../references/service.ts";
import type { Reachability } from "../../repos/refs/reachability.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";

/** Abbreviated ids are looked up in every pack and directory: any beyond this remain text. */
const MAX_ABBREVIATED = 60;
const MAX_FULL = 500;
/** Other repositories must be opened for their commits: any beyond this remain text. */
const MAX_REPOS = 20;
const MAX_CANDIDATES = 8;
const SHOWN_DIGITS = 10;

/** Resolves commit ids, in the text's own repository or in another whose code the reader may read. */
export function commitReferences(
  repos: RepoService,
  storage: RepoStorage,
  reachability: Reachability,
): Resolver<CommitReference> {
  return ({ principal, repo: own }, references) => {
    const named = new Map<string, readonly [string, string]>();
    for (const { repo } of references)
      if (repo && named.size < MAX_REPOS) named.set(keyOf(repo.owner, repo.name), [repo.owner, repo.name]);
    const others = named.size === 0 ? new Map<string, SeenRepo>() : repos.seeNamed(principal, [...named.values()]);
    const left = { abbreviated: MAX_ABBREVIATED, full: MAX_FULL };
    const candidates = references.map(({ repo, id }): { seen: SeenRepo; oids: Oid[] } | undefined => {
      const seen = repo ? others.get(keyOf(repo.owner, repo.name)) : own;
      if (!seen || !atLeast(seen.access.on("code"), "read")) return undefined;
      const isFull = id.length === seen.repo.objectFormat.oidDigits;
      if (left[isFull ? "full" : "abbreviated"]-- <= 0) return undefined;
      const oids = commitsNamed(storage, seen, id, isFull);
      return oids.length === 0 ? undefined : { seen, oids };
    });
    const shown = showable(candidates, reachability);
    return candidates.map((candidate, at) => {
      const [commit, another] = candidate?.oids.filter((oid) => shown.has(`${candidate.seen.repo.id} ${oid}`)) ?? [];
      if (!candidate || commit === undefined || another !== undefined) return undefined;
      const { seen } = candidate;
      const address = `${segment(seen.owner.login)}/${segment(seen.repo.name)}`;
      // An id written with seven digits is shown with seven.
      const short = commit.slice(0, Math.min(SHOWN_DIGITS, references[at]?.id.length ?? SHOWN_DIGITS));
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

/** The commits reachable from a ref, each preceded by its repository: all of one repository are checked at once. */
function showable(
  candidates: readonly ({ readonly seen: SeenRepo; readonly oids: readonly Oid[] } | undefined)[],
  reachability: Reachability,
): Set<string> {
  const byRepo = new Map<number, Set<Oid>>();
  for (const candidate of candidates) {
    if (!candidate) continue;
    const oids = byRepo.get(candidate.seen.repo.id) ?? new Set();
    byRepo.set(candidate.seen.repo.id, oids);
    for (const oid of candidate.oids) oids.add(oid);
  }
  return new Set([...byRepo].flatMap(([id, oids]) => reachability.only(id, [...oids]).map((oid) => `${id} ${oid}`)));
}

function commitsNamed(storage: RepoStorage, { repo }: SeenRepo, id: string, isFull: boolean): Oid[] {
  const objects = storage.objects(repo.id);
  const candidates = isFull ? [id] : objects.findByPrefix(id, MAX_CANDIDATES);
  return candidates.filter((oid) => objects.header(oid)?.type === "commit");
}
