import { beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { types } from "node:util";
import { loadConfig } from "../../src/config/load.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { isMade } from "../../src/kernel/on-demand.ts";
import { openHouse } from "../../src/services.ts";

/**
 * What the first answer does not need is not loaded for it (docs/architecture.md, "A start"): the modules that a start
 * of the server imports, and those they import, hold services and no edges.
 */

const root = join(import.meta.dir, "../..");
const modules = new Set<string>();
const packages = new Map<string, string>();

beforeAll(async () => {
  const scan = new Bun.Transpiler({ loader: "tsx" });
  const visit = async (file: string): Promise<void> => {
    if (modules.has(file)) return;
    modules.add(file);
    if (!/\.tsx?$/.test(file)) return;
    for (const { kind, path } of scan.scanImports(await Bun.file(join(root, file)).text())) {
      // What stands behind import() is loaded when it is used.
      if (kind !== "import-statement") continue;
      if (path.startsWith(".")) await visit(relative(root, join(root, dirname(file), path)));
      else packages.set(path, file);
    }
  };
  await visit("cli/main.ts");
});

test("a start loads no pages, routes, schemas, words or services on demand", () => {
  expect(modules.has("src/server.ts") && modules.has("src/stars/service.ts")).toBe(true);
  const edges = [...modules].filter(
    (file) => file.startsWith("web/") || /(^|\/)(api[^/]*|resource|bodies|openapi|opening)\.ts$/.test(file),
  );
  expect(edges).toEqual([]);
});

test("a start loads the server and its database, and no other library", () => {
  const needed = ["bun:sqlite", "cac", "elysia"];
  // Others of Bun's own take milliseconds and MiB: node:zlib four and six, node:http five and eight.
  const cheap = ["node:async_hooks", "node:fs", "node:os", "node:path"];
  const others = [...packages].filter(([name]) => ![...needed, ...cheap].includes(name));
  expect(others).toEqual([]);
});

test("a start asks nothing of what is made on demand, and neither does a server that is left alone", async () => {
  const data = mkdtempSync(join(tmpdir(), "hearth-start-"));
  const { config } = loadConfig({ flags: { data }, environment: {}, file: undefined });
  const house = openHouse(config, makeLog({ level: "error", format: "text", write: console.error }));
  try {
    for (const area of house.opened) {
      area.recover?.();
      area.start?.();
      area.sweep?.();
    }
    const onDemand = Object.entries(house.services).filter(([, service]) => types.isProxy(service));
    expect(onDemand.length).toBeGreaterThan(100);
    expect(onDemand.flatMap(([name, service]) => (isMade(service) ? [name] : []))).toEqual([]);
    for (const area of house.opened) await area.drain?.();
  } finally {
    house.close();
    rmSync(data, { recursive: true, force: true });
  }
});
