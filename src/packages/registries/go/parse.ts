import { BadRequest, Failure } from "../../../kernel/errors.ts";
import { readZipEntry, zipEntries } from "../archives/zip.ts";

/** Every version starts with `v`. */
const VERSION = /^v\d+(\.\d+){0,2}(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/;
const MAX_GO_MOD_BYTES = 16 << 20;

export interface GoModule {
  readonly name: string;
  readonly version: string;
  readonly goMod: string;
}

/** Reads a module's zip, in which all names begin with `module@version/`. @throws BadRequest */
export async function readModule(file: Blob): Promise<GoModule> {
  const bad = () => new BadRequest("packages.go-structure");
  const entries = await zipEntries(file).catch((error: unknown) => {
    throw error instanceof Failure ? bad() : error;
  });
  const [, name = "", version = ""] = /^([^@]+)@([^/]+)\//.exec(entries[0]?.name ?? "") ?? [];
  if (name === "") throw bad();
  if (!/^[A-Za-z0-9._~\-/]{1,255}$/.test(name) || name.split("/").some((part) => part === "" || part === ".."))
    throw bad();
  if (version.length > 255 || !VERSION.test(version)) throw new BadRequest("packages.invalid-version");
  const root = `${name}@${version}/`;
  if (!entries.every((entry) => entry.name.startsWith(root))) throw bad();
  const goMod = entries.find((entry) => entry.name === `${root}go.mod`);
  const text = goMod ? new TextDecoder().decode(await readZipEntry(file, goMod, MAX_GO_MOD_BYTES)) : `module ${name}`;
  return { name, version, goMod: text };
}

/** Decodes client paths, which write an upper-case letter as `!` and its lower-case form. */
export const unescaped = (path: string): string =>
  path.replace(/!([a-z])/g, (_, letter: string) => letter.toUpperCase());
