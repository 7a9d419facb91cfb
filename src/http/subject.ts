import type { Principal } from "../access/principal.ts";
import type { Surface } from "./route.ts";

/**
 * What the path of a route names: a repository, an account, an organization … The area that owns the thing says how it
 * is found, redirected, hidden and refused; the guard knows none of them.
 */

/**
 * What a route may demand of each kind of subject, and what its handler then gets. Areas add theirs:
 * `declare module "../http/subject.ts" { interface SubjectKinds { repository: { needs: …; found: … } } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the areas
export interface SubjectKinds {}

export type SubjectKind = keyof SubjectKinds;

type NeedsOf<K extends SubjectKind> = SubjectKinds[K] extends { needs: infer Needs } ? Needs : never;
export type FoundOf<K extends SubjectKind> = SubjectKinds[K] extends { found: infer Found } ? Found : never;

/** A route's demand: the kind, and what is needed of it. */
export type SubjectAccess = { readonly [K in SubjectKind]: { readonly kind: K } & NeedsOf<K> }[SubjectKind];

/** What is needed of the subject, as a short phrase: `write on the repository (code, unarchived)`. */
export function subjectWords({ kind, ...needs }: SubjectAccess): string {
  const { level, ...more } = needs as { readonly level?: string };
  const details = Object.values(more).join(", ");
  const thing = kind.replaceAll("-", " ");
  return `${level === undefined ? `the ${thing}` : `${level} on the ${thing}`}${details === "" ? "" : ` (${details})`}`;
}

/** Who looks for a subject, from where, and by which names. */
export interface SubjectLook {
  readonly principal: Principal;
  readonly surface: Surface;
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>;
  /** The request's own address with some parameters of the path replaced: for a thing that moved. */
  moved(params: Readonly<Record<string, string>>): string;
  /** What sends a visitor of a page to sign in and back here. */
  signInFirst(): Error;
}

export interface SubjectResolver<K extends SubjectKind> {
  /** @throws NotFound missing or invisible, which look the same; Redirected it has another name now */
  find(look: SubjectLook): FoundOf<K>;
  /** @throws Forbidden, Locked, NotFound … the principal may not use it so */
  require(found: FoundOf<K>, needs: NeedsOf<K>, look: SubjectLook): void;
  /** A text that is another one when what the principal may do there, or which thing it is, is another. */
  standing(found: FoundOf<K>): string;
}

/** The resolvers of every area, and what they make of a request. */
export class Subjects {
  private readonly resolvers = new Map<SubjectKind, ErasedResolver>();

  /** @throws Error the kind has a resolver already */
  add<K extends SubjectKind>(kind: K, resolver: SubjectResolver<K>): void {
    if (this.resolvers.has(kind)) throw new Error(`two areas find subjects of kind ${kind}`);
    this.resolvers.set(kind, {
      resolve: (access, look) => {
        const found = resolver.find(look);
        return {
          found: { [kind]: found },
          // The kind of `access` is the key under which this resolver stands.
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

/** What was found, by kind. */
export type FoundSubjects = { readonly [K in SubjectKind]?: FoundOf<K> };

export interface ResolvedSubject {
  readonly found: FoundSubjects;
  require(): void;
  standing(): string;
}

interface ErasedResolver {
  resolve(access: SubjectAccess, look: SubjectLook): ResolvedSubject;
}
