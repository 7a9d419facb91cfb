import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { aChromium } from "./chromium.ts";
import { serveGallery } from "./gallery.ts";

/**
 * Photographs of the vocabulary and of the pages people see most, wide and on a phone, light and dark. They are kept
 * where HEARTH_PICTURES says, to be examined; the test itself checks what a photograph would show as broken.
 */

const PATHS = ["/vocabulary", "/repo", "/file", "/commits", "/commit", "/branches", "/tags", "/repo-settings"];
const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } } as const;
const folder = process.env["HEARTH_PICTURES"];

let browser: Browser;
const server = serveGallery(0);

beforeAll(async () => {
  browser = await aChromium();
  if (folder) mkdirSync(folder, { recursive: true });
});
afterAll(async () => {
  await browser.close();
  await server.stop(true);
});

for (const size of ["wide", "phone"] as const)
  for (const colorScheme of ["light", "dark"] as const)
    test(`${size}, ${colorScheme}: nothing is cut off, covered or too wide`, async () => {
      const context = await browser.newContext({ viewport: SIZES[size], colorScheme });
      const page = await context.newPage();
      for (const path of PATHS) {
        await page.goto(new URL(path, server.url).href);
        const picture = await page.screenshot({
          fullPage: true,
          ...(folder ? { path: join(folder, `${path.slice(1)}-${size}-${colorScheme}.png`) } : {}),
        });
        expect(picture.byteLength).toBeGreaterThan(10_000);
        const found = await page.evaluate(() => {
          const left = (selector: string) => document.querySelector(selector)?.getBoundingClientRect().left;
          return {
            sideways: Math.max(0, document.documentElement.scrollWidth - innerWidth),
            // The one left edge of every page: that of the site's name.
            edge: (left(".brand") ?? 0) - (left("main > *") ?? 0),
            empty: [...document.querySelectorAll("main .btn, main .badge")].filter(
              (element) => element.checkVisibility() && element.getBoundingClientRect().width < 8,
            ).length,
            background: getComputedStyle(document.body).backgroundColor,
          };
        });
        expect({ path, ...found }).toEqual({
          path,
          sideways: 0,
          edge: 0,
          empty: 0,
          background: colorScheme === "dark" ? "rgb(20, 23, 28)" : "rgb(255, 255, 255)",
        });
      }
      await context.close();
    });
