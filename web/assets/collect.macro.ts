/**
 * Run by the bundler, never at run time (`with { type: "macro" }`): collects the style sheets and scripts from the
 * folders of the pages, so that an area's files need not be listed anywhere.
 *
 * | layer      | files                              |
 * |------------|------------------------------------|
 * | reset, tokens, base, utilities | `web/assets/styles/<layer>.css` |
 * | components | `web/components/*.css`             |
 * | layout     | `web/layout/*.css`                 |
 * | areas      | `web/<area>/style.css`             |
 *
 * Styles that only one kind of page needs are a sheet, `web/<folder>/sheets/<name>.css`, also in the layer `areas`,
 * which that page requests (`PageSheet`).
 *
 * The script is one bundle of every `web/<folder>/client.ts`. Code that only one kind of page needs is a module,
 * `web/<folder>/modules/<name>.ts`, which that page loads (`PageModule`), or another script when it is first used.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const web = join(import.meta.dir, "..");
const LAYERS = ["reset", "tokens", "base", "components", "layout", "areas", "utilities"] as const;

function filesOf(pattern: string): string[] {
  return [...new Bun.Glob(pattern).scanSync(web)].sort();
}

function sheetsOf(layer: (typeof LAYERS)[number]): string[] {
  switch (layer) {
    case "components":
      return filesOf("components/*.css");
    case "layout":
      return filesOf("layout/*.css");
    case "areas":
      return filesOf("*/style.css");
    default:
      return [`assets/styles/${layer}.css`];
  }
}

/** Strips comments and whitespace from the style sheet. None of our strings contains the characters affected. */
function compact(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};]) ?/g, "$1")
    .replace(/([:,]) /g, "$1")
    .replace(/;}/g, "}")
    .trim();
}

/** All rules of the site, each in its layer: a later layer wins regardless of specificity. */
export function collectStyles(): string {
  const layers = LAYERS.map((layer) => {
    const rules = sheetsOf(layer).map((file) => compact(readFileSync(join(web, file), "utf8")));
    return `@layer ${layer}{\n${rules.join("\n")}\n}`;
  });
  return [`@layer ${LAYERS.join(",")};`, ...layers].join("\n");
}

/** The sheets of particular pages, by file name. */
export function collectSheets(): Record<string, string> {
  return Object.fromEntries(
    filesOf("*/sheets/*.css").map((file) => [
      basename(file, ".css"),
      `@layer areas{\n${compact(readFileSync(join(web, file), "utf8"))}\n}`,
    ]),
  );
}

/** The site's script, bundled for browsers. */
export function collectScripts(): string {
  return inFolder((folder) => {
    const entry = join(folder, "client.ts");
    const modules = filesOf("*/client.ts").map((file) => `import ${JSON.stringify(join(web, file))};\n`);
    writeFileSync(entry, modules.join(""));
    return bundle("--format=iife", entry);
  });
}

/** The modules of particular pages, by file name. */
export function collectModules(): Record<string, string> {
  return inFolder((folder) => {
    const files = filesOf("*/modules/*.ts").map((file) => join(web, file));
    bundle("--format=esm", "--outdir", folder, "--entry-naming=[name].[ext]", ...files);
    return Object.fromEntries(
      files.map((file) => {
        const name = basename(file, ".ts");
        return [name, readFileSync(join(folder, `${name}.js`), "utf8")];
      }),
    );
  });
}

/** Uses Bun's command line, because Bun.build would wait for the build that runs this macro. */
function bundle(...options: string[]): string {
  const built = Bun.spawnSync([process.execPath, "build", "--target=browser", "--minify", ...options]);
  if (built.exitCode !== 0) throw new Error(`the scripts of the pages do not build:\n${built.stderr.toString()}`);
  return built.stdout.toString();
}

function inFolder<T>(make: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "hearth-script-"));
  try {
    return make(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
