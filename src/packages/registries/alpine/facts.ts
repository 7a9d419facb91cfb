import { BadRequest } from "../../../kernel/errors.ts";
import { compact, urlOf } from "../metadata.ts";

const NAME = /^[a-zA-Z0-9_][a-zA-Z0-9._+-]*$/;
const VERSION = /^[a-zA-Z0-9][a-zA-Z0-9._+~-]*$/;
const ARCHITECTURE = /^[a-zA-Z0-9][a-zA-Z0-9_-]*$/;
const MAX_LENGTH = 200;

/** The fields of a package's `.PKGINFO` that the index repeats. */
export interface AlpineFacts {
  readonly name: string;
  readonly version: string;
  readonly metadata: object;
  readonly file: AlpineFile;
}

/** Stored with the file, as JSON. */
export interface AlpineFile {
  /** `Q1` and the base64 SHA-1 of the compressed control segment. */
  readonly checksum: string;
  readonly architecture: string;
  readonly description: string;
  readonly url: string;
  readonly license: string;
  readonly installedSize: string;
  readonly origin: string;
  readonly maintainer: string;
  readonly buildDate: string;
  readonly commit: string;
  readonly installIf: string;
  readonly providerPriority: string;
  readonly depends: readonly string[];
  readonly provides: readonly string[];
}

/** Parses `key = value` lines. @throws BadRequest */
export function readFacts(text: string, checksum: string): AlpineFacts {
  const values = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [, key, value] = /^\s*([a-z_]+)\s*=(.*)$/s.exec(line) ?? [];
    const clean = value?.replace(/[\x00-\x1f\x7f\x85\u2028\u2029]/g, " ").trim();
    if (key && clean) values.set(key, [...(values.get(key) ?? []), clean]);
  }
  const last = (key: string) => values.get(key)?.at(-1) ?? "";
  const number = (key: string) => /^\d{1,15}$/.exec(last(key))?.[0] ?? "0";
  const [name, version, architecture] = [last("pkgname"), last("pkgver"), last("arch")];
  if (!NAME.test(name) || name.length > MAX_LENGTH) throw new BadRequest("packages.invalid-name");
  if (!VERSION.test(version) || version.length > MAX_LENGTH) throw new BadRequest("packages.invalid-version");
  if (!ARCHITECTURE.test(architecture) || architecture.length > MAX_LENGTH)
    throw new BadRequest("packages.invalid-architecture");
  const [description, license, maintainer, url] = [last("pkgdesc"), last("license"), last("maintainer"), last("url")];
  return {
    name,
    version,
    metadata: compact({ description, license, project_url: urlOf(url), maintainer }),
    file: {
      checksum,
      architecture,
      description,
      url: urlOf(url),
      license,
      installedSize: number("size"),
      origin: last("origin"),
      maintainer,
      buildDate: number("builddate"),
      commit: last("commit"),
      installIf: last("install_if"),
      providerPriority: last("provider_priority"),
      depends: values.get("depend") ?? [],
      provides: values.get("provides") ?? [],
    },
  };
}
