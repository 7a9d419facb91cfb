import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const PATH = process.env["CHROMIUM"] ?? "/usr/bin/chromium";

/** A real browser. Without one these tests cannot say anything, so they fail and say how to get it. */
export function aChromium(): Promise<Browser> {
  if (!existsSync(PATH))
    throw new Error(`there is no browser at ${PATH}: install Debian's chromium, or name another with CHROMIUM`);
  return chromium.launch({
    executablePath: PATH,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"],
  });
}
