import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import {
  assetNamed,
  assetPath,
  assetResponse,
  CLIENT_MODULES,
  CLIENT_SCRIPT,
  modulePath,
  PAGE_SHEETS,
  sheetPath,
} from "../../web/assets/index.ts";
import { pageHref, refHref, repoHref, signInHref, withQuery } from "../../web/links.ts";

const NAMES = ["hearth.css", "noscript.css", "hearth.js", "icon.svg", "site-manifest.json"] as const;

test("each file is served under its hash, forever, in the best coding", async () => {
  for (const name of NAMES) {
    const path = assetPath(name);
    expect(path).toMatch(new RegExp(`^/assets/[0-9a-f]{12}/${name.replace(".", "\\.")}$`));
    const plain = await assetResponse(path, null)!.bytes();
    const gzip = assetResponse(path, "gzip, deflate")!;
    const brotli = assetResponse(path, "gzip, deflate, br")!;
    expect(gzip.headers.get("content-encoding")).toBe("gzip");
    expect(brotli.headers.get("content-encoding")).toBe("br");
    expect(Buffer.from(Bun.gunzipSync(await gzip.bytes())).equals(plain)).toBe(true);
    expect(brotliDecompressSync(await brotli.bytes()).equals(plain)).toBe(true);
    expect(gzip.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(gzip.headers.get("x-content-type-options")).toBe("nosniff");
  }
  expect(assetResponse("/assets/000000000000/hearth.css", null)).toBeUndefined();
  expect(assetNamed("constructor")).toBeUndefined();
});

test("what every page loads stays within the budget", async () => {
  const size = async (name: (typeof NAMES)[number]) =>
    (await assetResponse(assetPath(name), "gzip")!.bytes()).byteLength;
  expect(await size("hearth.css")).toBeLessThan(25 * 1024);
  expect(await size("hearth.js")).toBeLessThan(28 * 1024);
  expect(await size("icon.svg")).toBeLessThan(1024);
});

test("home screens get a picture that phones can draw, as it is", async () => {
  const { icons } = (await new Response(assetNamed("site-manifest.json")?.body).json()) as {
    icons: { src: string; type: string; sizes: string }[];
  };
  expect(icons.map(({ type, sizes }) => `${type} ${sizes}`)).toEqual(["image/png 512x512", "image/svg+xml any"]);
  const picture = assetResponse(icons[0]?.src ?? "", "gzip, br")!;
  expect([picture.headers.get("content-type"), picture.headers.get("content-encoding")]).toEqual(["image/png", null]);
  const bytes = Buffer.from(await picture.bytes());
  // The size stands in the first chunk of a PNG.
  expect([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual(["PNG", 512, 512]);
});

test("modules of single kinds of pages are small, and served like the rest", async () => {
  for (const name of Object.keys(CLIENT_MODULES)) {
    const answer = assetResponse(modulePath(name), "gzip")!;
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await answer.bytes()).byteLength).toBeLessThan(6 * 1024);
  }
  expect(() => modulePath("constructor")).toThrow("there is no module");
});

test("sheets of single kinds of pages are small, and yield to no less than the others", async () => {
  for (const name of Object.keys(PAGE_SHEETS)) {
    const answer = assetResponse(sheetPath(name), "gzip")!;
    expect(answer.headers.get("content-type")).toBe("text/css; charset=utf-8");
    const rules = Buffer.from(Bun.gunzipSync(await answer.bytes())).toString();
    expect(rules).toStartWith("@layer areas{");
    expect(rules.length).toBeLessThan(8 * 1024);
  }
  expect(() => sheetPath("constructor")).toThrow("there is no sheet");
});

test("the scripts are free of what the pages' policy refuses", () => {
  for (const script of [CLIENT_SCRIPT, ...Object.values(CLIENT_MODULES)])
    expect(script).not.toMatch(/\.(?:inner|outer)HTML|insertAdjacentHTML|document\.write|\beval\(|new Function/);
});

test("a compiled executable serves the same bytes", () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-assets-"));
  try {
    const probe = join(import.meta.dir, "compiled-probe.ts");
    const out = join(folder, "probe");
    const built = Bun.spawnSync([
      "bun",
      "build",
      "--compile",
      "--minify-syntax",
      "--minify-whitespace",
      "--splitting",
      "--bytecode",
      "--format=esm",
      probe,
      "--outfile",
      out,
    ]);
    expect(built.exitCode).toBe(0);
    const compiled = Bun.spawnSync([out], { cwd: folder }).stdout.toString();
    expect(compiled).toContain(assetPath("hearth.js"));
    expect(compiled).toBe(Bun.spawnSync(["bun", probe]).stdout.toString());
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("addresses escape what git and people put into names", () => {
  const repo = { owner: "o", name: "r" };
  expect(refHref(repo, "src", { kind: "branch", name: "a/b#c?d%e+f" }, "ä b/c.txt")).toBe(
    "/o/r/src/branch/a/b%23c%3Fd%25e%2Bf/%C3%A4%20b/c.txt",
  );
  expect(repoHref({ owner: "..", name: "a/b" })).toBe("/../a%2Fb");
  expect(refHref(repo, "raw", { kind: "tag", name: "\ud800" })).toBe("/o/r/raw/tag/%EF%BF%BD");
  expect(withQuery("/x?a=1&b=2", { a: undefined, c: "ö&" })).toBe("/x?b=2&c=%C3%B6%26");
  expect(pageHref("/x?page=4", 1)).toBe("/x");
  expect(signInHref("/a?b=c")).toBe("/user/login?redirect_to=%2Fa%3Fb%3Dc");
});
