/**
 * Run by the bundler, never by the product (`with { type: "macro" }`): collects the style sheets and scripts that
 * stand beside the pages, so that an area brings its own without a list that names it.
 *
 * | layer      | files                              |
 * |------------|------------------------------------|
 * | reset, tokens, base, utilities | `web/assets/styles/<layer>.css` |
 * | components | `web/components/*.css`             |
 * | layout     | `web/layout/*.css`                 |
 * | areas      | `web/<area>/style.css`             |
 *
 * The script is one bundle of every `web/<folder>/client.ts`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

/** Comments and indentation stay in the source; the browser gets the rules. */
function compact(css: string): string {
  return css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\n\s*/g, "\n")
    .replace(/\n{2,}/g, "\n")
    .trim();
}

/** Every rule of the site, each in its layer: a later layer wins whatever its selectors weigh. */
export function collectStyles(): string {
  const layers = LAYERS.map((layer) => {
    const rules = sheetsOf(layer).map((file) => compact(readFileSync(join(web, file), "utf8")));
    return `@layer ${layer}{\n${rules.join("\n")}\n}`;
  });
  return [`@layer ${LAYERS.join(",")};`, ...layers].join("\n");
}

/** The site's own script, ready for a browser. Bun.build would wait for the build that runs this: so its command line. */
export function collectScripts(): string {
  const folder = mkdtempSync(join(tmpdir(), "hearth-script-"));
  try {
    const entry = join(folder, "client.ts");
    const modules = filesOf("*/client.ts").map((file) => `import ${JSON.stringify(join(web, file))};\n`);
    writeFileSync(entry, modules.join(""));
    const built = Bun.spawnSync([process.execPath, "build", entry, "--target=browser", "--format=iife", "--minify"]);
    if (built.exitCode !== 0) throw new Error(`the client script does not build:\n${built.stderr.toString()}`);
    return built.stdout.toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
