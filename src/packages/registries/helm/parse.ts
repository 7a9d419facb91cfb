import { BadRequest } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import type { WorkerPool } from "../../../workers/pool.ts";
import { readFirst } from "../archives/tar.ts";
import { packingOf, unpacked } from "../archives/unpack.ts";
import { textMapOf, textsOf } from "../metadata.ts";
import { semverOf } from "../semver.ts";
import { readYaml } from "../yaml.ts";

const MAX_CHART_BYTES = 1 << 20;

export interface Chart {
  readonly name: string;
  readonly version: string;
  /** With the field names of Helm's index. */
  readonly metadata: JsonObject;
}

/** `Chart.yaml` one directory below the root of a gzipped tar. @throws BadRequest */
export async function readChart(pool: WorkerPool, file: Blob): Promise<Chart> {
  const packing = await packingOf(file);
  if (packing !== "gzip") throw new BadRequest("packages.bad-archive");
  const bytes = await readFirst(unpacked(file, packing), (name) => /^[^/]+\/Chart\.yaml$/.test(name), MAX_CHART_BYTES);
  if (!bytes) throw new BadRequest("packages.helm-missing");
  const chart = objectOf(await readYaml(pool, bytes));
  const name = textOf(chart["name"]);
  const type = textOf(chart["type"]);
  if (textOf(chart["apiVersion"]) === "" || !["", "application", "library"].includes(type)) throw invalid();
  if (!/^[A-Za-z0-9._-]{1,250}$/.test(name)) throw new BadRequest("packages.invalid-name");
  const version = textOf(chart["version"]);
  if (!semverOf(version)) throw new BadRequest("packages.invalid-version");
  return { name, version, metadata: chartFields(chart, { name, type, version }) };
}

const invalid = () => new BadRequest("packages.helm-invalid");

const rowsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.map(objectOf) : []);

function chartFields(
  chart: JsonObject,
  { name, type, version }: { name: string; type: string; version: string },
): JsonObject {
  return {
    apiVersion: textOf(chart["apiVersion"]),
    type,
    name,
    version,
    appVersion: textOf(chart["appVersion"]),
    home: textOf(chart["home"]),
    sources: textsOf(chart["sources"]),
    description: textOf(chart["description"]),
    keywords: textsOf(chart["keywords"]),
    maintainers: rowsOf(chart["maintainers"]).map(({ email, name: of, url }) => ({
      name: textOf(of),
      email: textOf(email),
      url: textOf(url),
    })),
    icon: textOf(chart["icon"]),
    condition: textOf(chart["condition"]),
    tags: textOf(chart["tags"]),
    deprecated: chart["deprecated"] === "true",
    annotations: textMapOf(chart["annotations"]),
    kubeVersion: textOf(chart["kubeVersion"]),
    dependencies: rowsOf(chart["dependencies"]).map((each) => ({
      name: textOf(each["name"]),
      version: textOf(each["version"]),
      repository: textOf(each["repository"]),
      condition: textOf(each["condition"]),
      tags: textsOf(each["tags"]),
      alias: textOf(each["alias"]),
    })),
  };
}
