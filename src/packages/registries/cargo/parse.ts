import { parseJson } from "../../../http/json.ts";
import { BadRequest, Failure } from "../../../kernel/errors.ts";
import { isObject, type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { ReceivedContent } from "../../types.ts";
import { ByteReader } from "../archives/bytes.ts";
import { textsOf, urlOf } from "../metadata.ts";
import { semverOf } from "../semver.ts";

/**
 * The body that cargo publishes:
 *
 *     length 4, little-endian | JSON | length 4 | crate
 */

const NAME = /^[a-zA-Z][a-zA-Z0-9-_]{0,63}$/;
const MAX_DOCUMENT_BYTES = 10 << 20;

export interface Crate extends Disposable {
  readonly name: string;
  readonly version: string;
  readonly metadata: JsonObject;
  readonly content: ReceivedContent;
}

/** @throws BadRequest; errors of `receive` */
export async function readCrate(
  body: AsyncIterable<Uint8Array>,
  receive: (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedContent>,
): Promise<Crate> {
  const reader = new ByteReader(body);
  try {
    const documentBytes = await lengthOf(reader);
    if (documentBytes > MAX_DOCUMENT_BYTES) throw new BadRequest("packages.cargo-size");
    const parsed = parseJson(await reader.exactly(documentBytes));
    if ("problem" in parsed || !isObject(parsed.value)) throw new BadRequest("packages.cargo-invalid");
    const read = crateOf(parsed.value);
    const content = await receive(reader.stream(await lengthOf(reader)));
    return { ...read, content, [Symbol.dispose]: () => content[Symbol.dispose]() };
  } catch (error) {
    throw error instanceof Failure && error.code === "packages.bad-archive"
      ? new BadRequest("packages.cargo-size")
      : error;
  } finally {
    await reader.close();
  }
}

async function lengthOf(reader: ByteReader): Promise<number> {
  return Buffer.from(await reader.exactly(4)).readUInt32LE();
}

function crateOf(sent: JsonObject): Omit<Crate, "content" | typeof Symbol.dispose> {
  const name = textOf(sent["name"]);
  if (!NAME.test(name)) throw new BadRequest("packages.invalid-name");
  const version = textOf(sent["vers"]);
  if (!semverOf(version)) throw new BadRequest("packages.invalid-version");
  const deps = Array.isArray(sent["deps"]) ? sent["deps"] : [];
  return {
    name,
    version,
    metadata: {
      dependencies: deps.map(dependencyOf),
      features: objectOf(sent["features"]),
      authors: textsOf(sent["authors"]),
      description: textOf(sent["description"]),
      documentation_url: urlOf(sent["documentation"]),
      project_url: urlOf(sent["homepage"]),
      readme: textOf(sent["readme"]),
      keywords: textsOf(sent["keywords"]),
      categories: textsOf(sent["categories"]),
      license: textOf(sent["license"]),
      repository_url: urlOf(sent["repository"]),
      links: textOf(sent["links"]),
    },
  };
}

/** A dependency as the index lists it: by its name in code, with the crate it comes from if that differs. */
function dependencyOf(value: unknown): JsonObject {
  const sent = objectOf(value);
  const name = textOf(sent["name"]);
  const inCode = textOf(sent["explicit_name_in_toml"]);
  return {
    name: inCode || name,
    req: textOf(sent["version_req"]),
    features: textsOf(sent["features"]),
    optional: sent["optional"] === true,
    default_features: sent["default_features"] !== false,
    target: textOf(sent["target"]) || null,
    kind: textOf(sent["kind"]) || "normal",
    registry: textOf(sent["registry"]) || null,
    package: inCode === "" ? null : name,
  };
}
