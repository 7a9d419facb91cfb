import { readBody } from "../../../http/body.ts";
import { parseJson } from "../../../http/json.ts";
import { jsonSlices, plain } from "../../../http/respond.ts";
import type { Call } from "../../../http/route.ts";
import { BadRequest, NotFound, Unauthorised } from "../../../kernel/errors.ts";
import { isObject, type JsonObject } from "../../../kernel/json.ts";
import { segment } from "../../../kernel/url-path.ts";
import type { PackageFile, SeenPackages } from "../../types.ts";
import type { RegistryKit } from "../kit.ts";
import { ConanRecipes, type DescribedBinary, INFO } from "./recipes.ts";
import { type ConanReference, isFileOf, keyOf, NO_REVISION, recipePath } from "./reference.ts";

/** Clients compare the exact media type. */
const JSON_TYPE = { "content-type": "application/json" };
export const json = (value: object) => new Response(JSON.stringify(value), { headers: JSON_TYPE });

const MAX_LIST_BYTES = 1 << 20;

/** @throws Unauthorised */
export function requireUser({ principal }: Call, { owner }: SeenPackages): void {
  if (!principal.user) throw new Unauthorised("packages.needs-credentials", { params: { owner: owner.visibility } });
}

/** The operations shared by both protocols, and uploads. */
export class ConanRegistry {
  readonly recipes: ConanRecipes;

  constructor(private readonly kit: RegistryKit) {
    this.recipes = new ConanRecipes(kit.services.packages, kit.services.packageKeys);
  }

  private get packages() {
    return this.kit.services.packages;
  }

  /** @throws Unauthorised */
  token(call: Call, seen: SeenPackages): Promise<string> {
    requireUser(call, seen);
    return this.kit.services.packageTokens.issue(call.principal);
  }

  file(call: Call, seen: SeenPackages, reference: ConanReference, name: string): Response {
    return this.kit.file(call, this.packages.file(this.recipes.version(seen, reference), name, keyOf(reference)));
  }

  async put(call: Call, seen: SeenPackages, reference: ConanReference, file: string): Promise<Response> {
    if (!isFileOf(reference, file)) throw new BadRequest("packages.conan-file");
    const { headers } = call.request;
    // Asks whether the content exists already, without sending it.
    if (headers.get("x-checksum-deploy")?.toLowerCase() === "true") throw new NotFound("packages.file-missing");
    using upload = await this.kit.upload(call);
    const { content } = upload;
    const sha1 = headers.get("x-checksum-sha1")?.trim().toLowerCase() ?? "";
    if (sha1 !== "" && sha1 !== content.sha1) throw new BadRequest("packages.hash-mismatch");
    const { name, version } = reference;
    const { info, recipe } = await describe(file, Bun.file(content.path));
    return this.kit.publish(seen, {
      version: { name, version, metadata: recipe },
      refreshesMetadata: recipe !== undefined,
      files: [
        {
          name: file,
          compositeKey: keyOf(reference),
          isLead: recipe !== undefined,
          content,
          properties: info ? [{ name: INFO, value: JSON.stringify(info) }] : [],
          overwrites: true,
        },
      ],
    });
  }

  /** The download URLs of files of the newest revision. @throws NotFound */
  addresses(seen: SeenPackages, reference: ConanReference, isWanted: (file: PackageFile) => boolean): Response {
    const newest = this.recipes.newest(seen, reference);
    const files = this.recipes.files(seen, newest).filter(isWanted);
    if (files.length === 0) throw new NotFound("packages.file-missing");
    return json(Object.fromEntries(files.map(({ name }) => [name, this.addressOf(seen, newest, name)])));
  }

  /** The upload URLs of the files that may be uploaded. */
  async uploadAddresses(call: Call, seen: SeenPackages, reference: ConanReference): Promise<Response> {
    const names = Object.keys(await listIn(call)).filter((name) => isFileOf(reference, name) && !name.includes("/"));
    return json(Object.fromEntries(names.map((name) => [name, this.addressOf(seen, reference, name)])));
  }

  private addressOf(seen: SeenPackages, reference: ConanReference, file: string): string {
    const { binary, binaryRevision = NO_REVISION, revision = NO_REVISION } = reference;
    const what = binary === undefined ? "recipe" : `package/${binary}/${binaryRevision}`;
    const base = `${this.kit.urlOf(seen)}/v1/files`;
    return `${base}/${recipePath(reference)}/${revision}/${what}/${file.split("/").map(segment).join("/")}`;
  }

  /** The `conaninfo.txt` facts of binaries, by ID. @throws NotFound */
  binaries({ query }: Call, seen: SeenPackages, reference: ConanReference): Response {
    const found = this.recipes.binaries(seen, reference);
    if (query.get("list_only")?.toLowerCase() === "true")
      return json(Object.fromEntries(found.map(({ binary }) => [binary, {}])));
    return jsonSlices(this.described(found), JSON_TYPE);
  }

  /** Descriptions may be long, so they are read a few at a time. */
  private *described(found: readonly DescribedBinary[]): Generator<string> {
    let separator = "{";
    for (const some of slicesOf(found)) {
      const infos = this.packages.propertiesOf(
        "file",
        some.map(({ info }) => info.id),
      );
      for (const { binary, info } of some) {
        const value = infos.get(info.id)?.find(({ name }) => name === INFO)?.value;
        if (value === undefined) continue;
        yield `${separator}${JSON.stringify(binary)}:${value}`;
        separator = ",";
      }
    }
    yield separator === "{" ? "{}" : "}";
  }

  /** @throws NotFound */
  delete(seen: SeenPackages, reference: ConanReference, keys: readonly string[]): Response {
    this.packages.deleteFilesUnder(seen, this.recipes.version(seen, reference), keys);
    return plain("");
  }

  /** Deletes binaries of all revisions, or all binaries if none is named. @throws NotFound */
  async deleteBinaries(call: Call, seen: SeenPackages, reference: ConanReference): Promise<Response> {
    const ids = textsIn(await listIn(call), "package_ids");
    const version = this.recipes.version(seen, reference);
    const isMeant = (id: string | undefined) => id !== undefined && (ids.size === 0 || ids.has(id));
    const keys = this.kit.services.packageKeys.keysBelow(version, keyOf(reference)).map(({ key }) => key);
    return this.delete(
      seen,
      reference,
      keys.filter((key) => isMeant(key.split("|")[3])),
    );
  }

  /** Deletes files of a recipe that the client no longer has. @throws NotFound */
  async deleteFiles(call: Call, seen: SeenPackages, reference: ConanReference): Promise<Response> {
    const names = textsIn(await listIn(call), "files");
    const files = this.recipes
      .files(seen, { ...reference, revision: NO_REVISION })
      .filter(({ name }) => names.has(name));
    if (files.length === 0) throw new NotFound("packages.file-missing");
    this.packages.deleteFilesOf(seen, this.recipes.version(seen, reference), files);
    return plain("");
  }
}

/** Parses the file that describes a recipe or a binary. @throws BadRequest */
async function describe(
  file: string,
  content: Blob,
): Promise<{ readonly recipe?: JsonObject; readonly info?: JsonObject }> {
  if (file !== "conanfile.py" && file !== "conaninfo.txt") return {};
  const { readInfo, readRecipe } = await import("./parse.ts");
  return file === "conanfile.py" ? { recipe: await readRecipe(content) } : { info: await readInfo(content) };
}

/** A JSON body that lists something. @throws BadRequest if it is no object */
async function listIn(call: Call): Promise<JsonObject> {
  const parsed = parseJson(await readBody(call, MAX_LIST_BYTES));
  if ("problem" in parsed || !isObject(parsed.value)) throw new BadRequest("packages.conan-list");
  return parsed.value;
}

/** @throws BadRequest if it is no list of strings */
function textsIn(list: JsonObject, member: string): ReadonlySet<string> {
  const texts = list[member];
  if (!Array.isArray(texts) || !texts.every((each) => typeof each === "string"))
    throw new BadRequest("packages.conan-list");
  return new Set(texts);
}

const SLICE_BYTES = 1 << 20;

/** Groups binaries so that the descriptions of each group stay within a size limit. */
function* slicesOf(found: readonly DescribedBinary[]): Generator<DescribedBinary[]> {
  let slice: DescribedBinary[] = [];
  let bytes = 0;
  for (const each of found) {
    slice.push(each);
    bytes += each.info.sizeBytes + 1024;
    if (bytes < SLICE_BYTES) continue;
    yield slice;
    slice = [];
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}
