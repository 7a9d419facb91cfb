import type { Call } from "../../../http/route.ts";
import { BadRequest } from "../../../kernel/errors.ts";
import { segment } from "../../../kernel/url-path.ts";

/**
 * What a path names: a recipe or one of its revisions, or a binary or one of its revisions (contract packages.md 9.14).
 */
export interface ConanReference {
  readonly name: string;
  readonly version: string;
  /** `_`: none, and then no channel either. */
  readonly user: string;
  readonly channel: string;
  readonly revision?: string | undefined;
  /** The package ID. */
  readonly binary?: string | undefined;
  readonly binaryRevision?: string | undefined;
}

/** The revision of files from clients without revisions. */
export const NO_REVISION = "0";

const NAME = /^[a-zA-Z0-9_][a-zA-Z0-9_+.-]{1,50}$/;
const REVISION = /^[a-zA-Z0-9]{1,51}$/;
const MAX_VERSION = 255;

/** @throws BadRequest */
export function referenceOf({ params }: Pick<Call, "params">): ConanReference {
  const { binary, binaryRevision, channel = "", name = "", revision, user = "", version = "" } = params;
  const hasNames = user === "_" ? channel === "_" : NAME.test(user) && NAME.test(channel);
  const hasVersion = version.trim() !== "" && version.length <= MAX_VERSION && !/\p{Cc}/u.test(version);
  const revisions = [revision, binary, binaryRevision].filter((given) => given !== undefined);
  if (!NAME.test(name) || !hasVersion || !hasNames || !revisions.every((given) => REVISION.test(given)))
    throw new BadRequest("packages.conan-reference");
  return { name, version, user, channel, revision, binary, binaryRevision };
}

/** The composite key of files, a prefix of those of more specific references: `user|channel|revision|P|revision`. */
export function keyOf({ binary, binaryRevision, channel, revision, user }: ConanReference): string {
  const parts = [user, channel, revision, binary, binaryRevision];
  const end = parts.indexOf(undefined);
  return parts.slice(0, end < 0 ? parts.length : end).join("|");
}

/** The recipe as in paths. */
export const recipePath = ({ channel, name, user, version }: ConanReference) =>
  [name, version, user, channel].map(segment).join("/");

/** The recipe as users write it. */
export const recipeText = ({ channel, name, user, version }: ConanReference) =>
  user === "_" ? `${name}/${version}` : `${name}/${version}@${user}/${channel}`;

const RECIPE_FILE = /^(conanfile\.py|conanmanifest\.txt|conan_(export|sources)\.(tgz|txz|tzst))$/;
const BINARY_FILE = /^(conaninfo\.txt|conanmanifest\.txt|conan_package\.(tgz|txz|tzst))$/;
const METADATA_FILE = /^metadata(\/[^/\\\p{Cc}]+)+$/u;
const MAX_METADATA_NAME = 512;

/** Whether a recipe, or a binary, may have a file with that name. */
export function isFileOf({ binary }: ConanReference, name: string): boolean {
  if ((binary === undefined ? RECIPE_FILE : BINARY_FILE).test(name)) return true;
  const goesUp = name.split("/").some((part) => part === "." || part === "..");
  return name.length <= MAX_METADATA_NAME && METADATA_FILE.test(name) && !goesUp;
}
