import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Every test. What failed, and why, is printed once more at the end: of a long log often its end alone is kept. */

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: `"`, apos: "'" };

const folder = mkdtempSync(join(tmpdir(), "hearth-tests-"));
const report = join(folder, "report.xml");
const words = ["test", "--timeout", "180000", "--parallel=2", "--no-isolate", "--timings", "tests/timings.json"];
const tests = Bun.spawn(
  [process.execPath, ...words, "--reporter=junit", `--reporter-outfile=${report}`, ...process.argv.slice(2)],
  { stdout: "inherit", stderr: "inherit", stdin: "ignore" },
);
const code = await tests.exited;
const failures = code !== 0 && existsSync(report) ? failuresOf(readFileSync(report, "utf8")) : [];
if (failures.length > 0) console.error(`\nWhat failed, once more:\n\n${failures.join("\n\n")}`);
rmSync(folder, { recursive: true });
process.exit(code);

/** @param xml as JUnit reports: `<testcase name file><failure>the error` */
function failuresOf(xml: string): string[] {
  const failed = /<testcase name="([^"]*)"[^>]* file="([^"]*)"[^>]*>\s*<failure type="(\w*)"[^>]*?(?:\/>|>([^<]*)<)/g;
  return [...xml.matchAll(failed)].map(([, name, file, kind, error]) =>
    `${file}: ${name}\n${error ?? kind}`.replace(/&(?:#(\d+)|(\w+));/g, (entity, code, name) =>
      code ? String.fromCodePoint(Number(code)) : (ENTITIES[name] ?? entity),
    ),
  );
}
