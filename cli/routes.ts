import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Route } from "../src/http/route.ts";
import { subjectWords } from "../src/http/subject.ts";
import { makeLog } from "../src/kernel/log.ts";
import { openHouse } from "../src/services.ts";
import { configOf } from "./arguments.ts";
import type { Command } from "./dispatch.ts";

/** `hearth routes`: every route and who may use it. Reads no data: it uses a temporary folder instead. */
export const routesCommand: Command = {
  name: "routes",
  doc: "help-routes",
  options: [],
  run: async (options) => {
    const folder = mkdtempSync(join(tmpdir(), "hearth-routes-"));
    try {
      const house = openHouse(
        { ...configOf(options).config, data: folder },
        makeLog({ level: "error", format: "text", write: console.error }),
      );
      const { allRoutes } = await import("../src/routes.ts");
      const rows = (await allRoutes(house.services)).map((route) => [
        route.method,
        route.path,
        route.surface,
        accessWords(route),
      ]);
      house.close();
      const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
      for (const row of rows) console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function accessWords({ access }: Route): string {
  const words: string[] = [access.who];
  if (access.subject) words.push(`(${subjectWords(access.subject)})`);
  if (access.scopes.length > 0) words.push(`scope:${access.scopes.join("+")}`);
  if (access.publicOnly === "refused") words.push("no-public-only");
  if (access.basicOnly) words.push("basic-only");
  return words.join(" ");
}
