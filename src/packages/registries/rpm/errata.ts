import { BadRequest } from "../../../kernel/errors.ts";
import { isObject, type JsonObject } from "../../../kernel/json.ts";

/**
 * Errata as publishers send them: known faults of packages, and the packages that fix them
 * (contract packages.md 9.17).
 */

/** For all errata of a version, as JSON. */
const MAX_LENGTH = 4 << 20;

const texts = ["from", "status", "type", "version", "id", "title", "severity", "description"] as const;
const referenceTexts = ["href", "id", "title", "type"] as const;
const packageTexts = ["arch", "name", "release", "src", "version", "filename"] as const;

type Texts<K extends string> = Readonly<Record<K, string>>;

export interface ErratumCollection {
  readonly short: string;
  readonly packages: readonly Texts<(typeof packageTexts)[number]>[];
}

export type Erratum = Texts<(typeof texts)[number]> & {
  readonly issued?: { readonly date: string };
  readonly updated?: { readonly date: string };
  readonly references: readonly Texts<(typeof referenceTexts)[number]>[];
  readonly pkg_list: readonly ErratumCollection[];
};

/** An erratum for a package of a group, as stored in the version's metadata. */
export type GroupErratum = Erratum & { readonly group: string };

/** Parses the uploaded errata. @throws BadRequest if it is no list of errata */
export function errataOf(sent: unknown): Erratum[] {
  return objectsOf(sent).map((each) => {
    const read = textsOf(each, texts);
    if (read.id === "") throw invalid();
    return {
      ...read,
      ...datesOf(each),
      references: objectsOf(each["references"] ?? []).map((reference) => textsOf(reference, referenceTexts)),
      pkg_list: objectsOf(each["pkg_list"] ?? []).map((collection) => ({
        short: textsOf(collection, ["short"]).short,
        packages: objectsOf(collection["packages"] ?? []).map((of) => textsOf(of, packageTexts)),
      })),
    };
  });
}

const invalid = () => new BadRequest("packages.errata-invalid");

/** Members that are `null` count as absent. */
function objectsOf(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) throw invalid();
  return value
    .filter((each) => each !== null)
    .map((each) => {
      if (!isObject(each)) throw invalid();
      return each;
    });
}

function textsOf<K extends string>(given: JsonObject, names: readonly K[]): Texts<K> {
  const read = names.map((name) => {
    const value = given[name] ?? "";
    if (typeof value !== "string") throw invalid();
    return [name, value];
  });
  // Each name has a string.
  return Object.fromEntries(read) as Texts<K>;
}

function datesOf(given: JsonObject): Pick<Erratum, "issued" | "updated"> {
  const dates = (["issued", "updated"] as const).flatMap((name) => {
    const value = given[name] ?? null;
    if (value === null) return [];
    if (!isObject(value)) throw invalid();
    const { date } = textsOf(value, ["date"]);
    return date === "" ? [] : [[name, { date }]];
  });
  return Object.fromEntries(dates);
}

/** The errata in a version's metadata, written by `withErrata`. */
export const errataIn = ({ updates }: { readonly updates?: unknown }): GroupErratum[] =>
  Array.isArray(updates) ? (updates as GroupErratum[]) : [];

/** Merges the uploaded errata of a group into a version's. @throws BadRequest if there are too many */
export function withErrata(
  present: readonly GroupErratum[],
  { at, group, sent }: { readonly group: string; readonly sent: readonly Erratum[]; readonly at: Date },
): GroupErratum[] {
  // `2024-01-31 00:00:00`
  const now = { date: at.toISOString().slice(0, 19).replace("T", " ") };
  const merged = new Map(present.map((each) => [`${each.group} ${each.id}`, each]));
  for (const each of sent) {
    const key = `${group} ${each.id}`;
    const before = merged.get(key);
    const { issued = now, updated = now } = each;
    merged.set(key, {
      ...(before
        ? { ...mergedErratum(before, each), updated: now }
        : { ...mergedErratum(each, each), issued, updated }),
      group,
    });
  }
  const all = [...merged.values()];
  if (JSON.stringify(all).length > MAX_LENGTH) throw new BadRequest("packages.errata-too-many");
  return all;
}

/** The second determines the description; the package lists of both are combined. */
export const mergedErratum = (before: Erratum, after: Erratum): Erratum => ({
  ...before,
  ...after,
  pkg_list: mergedLists([...before.pkg_list, ...after.pkg_list]),
});

/** Merges collections with the same short name, listing each package once. */
function mergedLists(lists: readonly ErratumCollection[]): ErratumCollection[] {
  return [...Map.groupBy(lists, ({ short }) => short)].map(([short, collections]) => {
    const packages = collections.flatMap((each) => each.packages);
    const once = new Map(packages.map((of) => [JSON.stringify([of.name, of.version, of.release, of.arch]), of]));
    return { short, packages: [...once.values()] };
  });
}
