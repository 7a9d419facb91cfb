import type { Principal } from "../access/principal.ts";
import type { Surface } from "./route.ts";

/**
 * What the path of a route names: a repository, an account, an organization … The owning area decides how it is found,
 * redirected, hidden and refused; the guard knows none of them.
 */

/**
 * What a route may require of each kind of subject, and what its handler gets. Areas add theirs:
 * `declare module "../http/subject.ts" { interface SubjectKinds { repository: { needs: …; found: … } } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the areas
export interface SubjectKinds {}

export type SubjectKind = keyof SubjectKinds;

type NeedsOf<K extends SubjectKind> = SubjectKinds[K] extends { needs: infer Needs } ? Needs : never;
export type FoundOf<K extends SubjectKind> = SubjectKinds[K] extends { found: infer Found } ? Found : never;

/** What a route requires: the kind, and the needs for it. */
export type SubjectAccess = { readonly [K in SubjectKind]: { readonly kind: K } & NeedsOf<K> }[SubjectKind];

/** The needs for the subject as a short phrase: `write on the repository (code, unarchived)`. */
export function subjectWords({ kind, ...needs }: SubjectAccess): string {
  const { level, ...more } = needs as { readonly level?: string };
  const details = Object.values(more).join(", ");
  const thing = kind.replaceAll("-", " ");
  return `${level === undefined ? `the ${thing}` : `${level} on the ${thing}`}${details === "" ? "" : ` (${details})`}`;
}

/** The context of a lookup: the caller, the surface and the names in the path. */
export interface SubjectLook {
  readonly principal: Principal;
  readonly surface: Surface;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The request's own address with some path parameters replaced, for a subject that moved. */
  moved(params: Readonly<Record<string, string>>): string;
  /** An error that sends a page's visitor to sign in and back here. */
  signInFirst(): Error;
}

export interface SubjectResolver<K extends SubjectKind> {
  /** @throws NotFound if missing or invisible, which look the same; Redirected if it was renamed */
  find(look: SubjectLook): FoundOf<K>;
  /** @throws Forbidden, Locked, NotFound … if the principal may not use it in this way */
  require(found: FoundOf<K>, needs: NeedsOf<K>, look: SubjectLook): void;
  /** A string that changes whenever the subject's identity or the principal's rights on it change. */
  standing(found: FoundOf<K>): string;
}

/** The resolvers of all areas, applied to requests. */
export class Subjects {
  private readonly resolvers = new Map<SubjectKind, ErasedResolver>();

  /** @throws Error if the kind already has a resolver */
  add<K extends SubjectKind>(kind: K, resolver: SubjectResolver<K>): void {
    if (this.resolvers.has(kind)) throw new Error(`two areas find subjects of kind ${kind}`);
    this.resolvers.set(kind, {
      resolve: (access, look) => {
        const found = resolver.find(look);
        return {
          found: { [kind]: found },
          // `access` has the kind under which this resolver was added.
          require: () => resolver.require(found, access as NeedsOf<K>, look),
          standing: () => resolver.standing(found),
        };
      },
    });
  }

  resolve(access: SubjectAccess, look: SubjectLook): ResolvedSubject {
    const resolver = this.resolvers.get(access.kind);
    if (!resolver) throw new Error(`no area finds subjects of kind ${access.kind}`);
    return resolver.resolve(access, look);
  }
}

/** The resolved subjects, by kind. */
export type FoundSubjects = { readonly [K in SubjectKind]?: FoundOf<K> };

export interface ResolvedSubject {
  readonly found: FoundSubjects;
  require(): void;
  standing(): string;
}

interface ErasedResolver {
  resolve(access: SubjectAccess, look: SubjectLook): ResolvedSubject;
}
