/**
 * Builds the executables: `bun build.ts [--target NAME|all]`. The host's own is always `dist/hearth`.
 * Heavy parts are behind import() and split off, so that start-up loads only what it needs (dependencies.md section 3).
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BunPlugin } from "bun";
import { loadConfig } from "./src/config/load.ts";
import { makeLog } from "./src/kernel/log.ts";
import { RouteGroups } from "./src/routes.ts";
import { openHouse } from "./src/services.ts";
import { type ApiDocuments, makeDocuments, NOWHERE } from "./src/site/swagger/documents.ts";

const targets = ["linux-x64", "linux-x64-musl", "linux-arm64", "darwin-arm64", "darwin-x64", "windows-x64"] as const;
type Target = (typeof targets)[number];

const root = import.meta.dir;
const outDir = join(root, "dist");

function hostTarget(): Target {
  const system = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform as string];
  const host = targets.find((target) => target === `${system}-${process.arch}`);
  if (!host)
    throw new Error(`no executable can be made for ${process.platform} ${process.arch}; known: ${targets.join(", ")}`);
  return host;
}

/**
 * Writes the route table by area, so that a start has all of it without loading the handlers, and the API document.
 * A route declared twice fails the build here.
 */
async function describeRoutes(): Promise<{ index: string; documents: ApiDocuments }> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-build-"));
  try {
    const { config } = loadConfig({ flags: { data: folder }, environment: {}, file: undefined });
    const house = openHouse(config, makeLog({ level: "error", format: "text", write: console.error }));
    const groups = new RouteGroups(house.services);
    const index = await groups.index();
    const documents = await makeDocuments(await groups.all(), NOWHERE);
    house.close();
    return { index, documents };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Elysia validates nothing here, because route declarations do that themselves; its validator loads only if it is asked
 * for.
 * Without this, every start loads it.
 */
const withoutChecks: BunPlugin = {
  name: "elysia-without-checks",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@sinclair\/typebox\/(value|compiler)$/ }, ({ importer, path }) =>
      importer.includes("/node_modules/elysia/")
        ? { path: join(root, "src/http/elysia", `${path.split("/").at(-1)}.ts`) }
        : undefined,
    );
  },
};

/**
 * sanitize-html parses styles with a library larger than itself, and user text may not contain styles.
 * Without this, the first text that is rendered loads it.
 */
const withoutStyles: BunPlugin = {
  name: "sanitize-html-without-styles",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^postcss$/ }, () => ({ path: join(root, "src/markup/no-styles.ts") }));
  },
};

async function build(target: Target | undefined, outfile: string): Promise<void> {
  const result = await Bun.build({
    entrypoints: ["cli/entry.ts", "src/workers/worker.ts", "src/ssh/ssh-protocol.ts"].map((file) => join(root, file)),
    target: "bun",
    format: "esm",
    splitting: true,
    // Chunks are written to the root, and code that starts a worker names its file as a sibling: so entry points must
    // be there too.
    naming: { entry: "[name].[ext]" },
    bytecode: true,
    // Identifiers are kept: minified class names break libraries that tell results apart by class name.
    minify: { syntax: true, whitespace: true, identifiers: false },
    define: {
      "process.env.NODE_ENV": '"production"',
      HEARTH_ROUTE_INDEX: JSON.stringify(described.index),
      HEARTH_API_DOCUMENTS: JSON.stringify(described.documents),
    },
    plugins: [withoutChecks, withoutStyles],
    external: ["cpu-features", "*.node"],
    compile: {
      outfile,
      ...(target ? { target: `bun-${target}` as Bun.Build.CompileTarget } : {}),
      // A foreign .env or bunfig.toml must not affect the executable (trap B2).
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
  if (!result.success) {
    for (const message of result.logs) console.error(message);
    process.exit(1);
  }
  const file = target === "windows-x64" && !outfile.endsWith(".exe") ? `${outfile}.exe` : outfile;
  console.log(`${file.slice(root.length + 1)}  ${(statSync(file).size / 2 ** 20).toFixed(1)} MiB`);
}

const at = process.argv.indexOf("--target");
const wanted = at < 0 ? undefined : process.argv[at + 1];
if (at >= 0 && wanted !== "all" && !targets.some((target) => target === wanted)) {
  console.error(`--target must be all or one of ${targets.join(", ")}`);
  process.exit(1);
}
mkdirSync(outDir, { recursive: true });
const described = await describeRoutes();
const host = hostTarget();
// A running server keeps its old file.
rmSync(join(outDir, "hearth"), { force: true });
await build(undefined, join(outDir, "hearth"));
for (const target of wanted === "all" ? targets : targets.filter((name) => name === wanted)) {
  const outfile = join(outDir, `hearth-${target}`);
  if (target === host) {
    cpSync(join(outDir, "hearth"), outfile);
    console.log(`dist/hearth-${target}  (the same)`);
  } else await build(target, outfile);
}
