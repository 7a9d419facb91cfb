import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Browser, chromium, type Page } from "playwright-core";
import { allRoutes } from "../../src/routes.ts";
import { aRepo, aServer, call, type TestServer } from "../builders.ts";
import { eachOf } from "./compare.ts";
import { type Row, table } from "./route-table.ts";
import { aPerson, type Person } from "./world.ts";

/** Generated test 9 and group G: hostile texts everywhere a text can stand, opened in a real browser. */

let server: TestServer;
let mallory: Person;
let browser: Browser;

/** Any of these that works opens a dialog, breaks the policy or asks for /planted. */
const SCRIPT = `<script>alert(1)</script><img src=x onerror=alert(2)><svg/onload=alert(3)>`;
const HX = `<div hx-get="/planted" hx-trigger="load" data-hx-get="/planted2" hx-on:load="alert(4)" hx-vals="js:{a:alert(5)}" hx-swap-oob="true" hx-ext="x" hx-live="alert(6)" hx-boost="true"><a href="/planted3" hx-trigger="load">x</a></div>`;
const BREAK = `"'><b hx-get=/planted4 hx-trigger=load onclick=alert(7) onfocus=alert(8) autofocus tabindex=0>\`\${alert(9)}{{alert(10)}}`;

const readme = `# ${SCRIPT}

${SCRIPT}
${HX}
${BREAK}

[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](data:text/html,<script>alert(1)</script>) [d](vbscript:x)
[e](&#106;avascript:alert(1)) [f](java&#x0A;script:alert(1)) <javascript:alert(1)> [g]( javascript:alert(1))
[h]: javascript:alert(1)
[h] ![i](javascript:alert(1)) ![j](x"onerror=alert(1)) ![k](data:image/svg+xml,<svg/onload=alert(1)>)

<a href="javascript:alert(1)">x</a><a href=" &#14; javascript:alert(1)">x</a><a xlink:href="javascript:alert(1)">x</a>
<iframe src="javascript:alert(1)"></iframe><iframe srcdoc="<script>alert(1)</script>"></iframe>
<object data="/planted5"></object><embed src="/planted5"><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=/planted6">
<form action="/planted7" method="post"><input name=x autofocus onfocus=alert(1)><button formaction="javascript:alert(1)">x</button></form>
<math><mi xlink:href="javascript:alert(1)">x</mi></math><svg><script>alert(1)</script><use href="data:image/svg+xml,x#a"/></svg>
<style>@import "/planted8"; * { background: url(/planted9) }</style><link rel=stylesheet href="/planted10">
<p style="background:url(/planted11)" class="hx-get" id="main">x</p><noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>
<details open ontoggle=alert(1)><summary>x</summary></details><video src=x onerror=alert(1)></video><audio src onloadstart=alert(1)></audio>
<template><script>alert(1)</script></template><textarea autofocus onfocus=alert(1)></textarea><select onfocus=alert(1) autofocus></select>
<img src="x" srcset="/planted12 2x" loading=eager onload=alert(1)><script nonce="x">alert(1)</script><x onclick=alert(1) hx-on::load=alert(1)>

| a | ${SCRIPT} |
| - | - |
| ${HX} | \`${SCRIPT}\` |

\`\`\`html
${SCRIPT}${HX}
\`\`\`
\`\`\`"><script>alert(1)</script>
x
\`\`\`
\`\`\`mermaid
graph TD; A["<img src=x onerror=alert(1)>"]
\`\`\`
- [x] ${SCRIPT}
[^1]: ${SCRIPT}
x[^1] :"><script>alert(1)</script>: @"><script> #1<script>alert(1)</script>
<!-- --!><script>alert(1)</script> -->
<![CDATA[<script>alert(1)</script>]]><?php alert(1) ?>
`;

const HTML = `<!doctype html><html><body>${SCRIPT}${HX}<script src="/assets/x.js"></script></body></html>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1);fetch("/planted13")</script></svg>`;
const XHTML = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>`;
const files: Record<string, string> = {
  "README.md": readme,
  "evil.html": HTML,
  "evil.svg": SVG,
  "evil.xml": `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#x"?>${XHTML.slice(21)}`,
  "evil.xhtml": XHTML,
  "evil.js": "alert(1)",
  "evil.pdf": "%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj",
  "evil.csv": `a,b\n"=1+1","${SCRIPT.replaceAll('"', '""')}"\n`,
  "evil.ipynb": JSON.stringify({ cells: [{ cell_type: "markdown", source: [SCRIPT], outputs: [] }], nbformat: 4 }),
  "evil.mht": `MIME-Version: 1.0\nContent-Type: text/html\n\n${HTML}`,
  "evil.gif": `GIF89a/*<script>alert(1)</script>*/=1;${SCRIPT}`,
  "evil.txt": `${SCRIPT}${HX}${BREAK}\u202e reversed \u2066`,
  "evil.json": JSON.stringify({ a: SCRIPT }),
  "evil.md": readme,
  "<img src=x onerror=alert(1)>.txt": "x",
  [`"onmouseover=alert(1) x=".txt`]: "x",
  "d<script>alert(1)<": "x",
  "javascript:alert(1)": "x",
  "?a=b#c&d;e.txt": "x",
  "%2e%2e%2f.txt": "x",
  "dir'\"><b hx-get=x>/in side.txt": "x",
  ".gitmodules": `[submodule "s"]\n\tpath = s\n\turl = javascript:alert(1)\n`,
};

beforeAll(async () => {
  server = await aServer({ registration: "open" });
  mallory = await aPerson(server, {
    login: "mallory",
    fullName: `${SCRIPT}${BREAK}`.slice(0, 100),
    isAdmin: true,
  });
  const token = mallory.token;
  const put = async (method: string, path: string, body: unknown) => {
    const answer = await call<unknown>(server, method, path, { token, body });
    expect([path, answer.status, answer.status < 300 ? "" : answer.text]).toEqual([path, answer.status, ""]);
  };
  await put("PATCH", "/api/v1/user/settings", {
    description: `${SCRIPT}${HX}`.slice(0, 250),
    location: BREAK.slice(0, 50),
    website: "https://example.org/?x=%22onclick=alert(1)",
  });
  aRepo(server, mallory.user, {
    name: "evil",
    description: `${SCRIPT}${HX}`.slice(0, 500),
    files,
    message: `${SCRIPT} ${HX}\n\n${BREAK}\n${SCRIPT}`,
  });
  const at = "/api/v1/repos/mallory/evil";
  const branch = `b"><img/src=x/onerror=alert(1)>'&<script>alert(1)</script>`;
  await put("POST", `${at}/branches`, { new_branch_name: branch, old_ref_name: "main" });
  await put("POST", `${at}/tags`, { tag_name: `t"><svg/onload=alert(1)>`, message: SCRIPT, target: "main" });
  await put("POST", `${at}/contents/src/new.txt`, {
    content: Buffer.from(SCRIPT).toString("base64"),
    message: `${BREAK}\n\n${SCRIPT}`,
    author: { name: "x' onmouseover=alert(1) y='", email: "a@example.org" },
    branch: "main",
  });
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
  });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

test("G1 to G5, G14, G16, G17: no page runs, asks for or breaks its policy for anything that was planted", async () => {
  const context = await browser.newContext();
  const { origin, hostname } = new URL(server.url);
  const [name = "", value = ""] = mallory.cookie.split("=");
  await context.addCookies([{ name, value, domain: hostname, path: "/" }]);
  const found: string[] = [];
  const visited = new Set<string>();
  const queue = [
    "/",
    "/mallory",
    "/mallory?tab=repositories",
    "/mallory?tab=activity",
    "/explore/repos",
    "/explore/users",
    "/-/admin/users",
    "/user/settings",
    "/mallory/evil",
    "/mallory/evil/branches",
    "/mallory/evil/tags",
    "/mallory/evil/commits/branch/main",
    "/mallory/evil/settings",
    "/mallory/evil/settings/branches",
    "/mallory/evil/settings/collaboration",
    `/user/login?user_name=${encodeURIComponent(BREAK)}&redirect_to=${encodeURIComponent(`/${SCRIPT}`)}`,
    `/explore/repos?q=${encodeURIComponent(BREAK)}&sort=${encodeURIComponent(SCRIPT)}`,
    `/explore/users?q=${encodeURIComponent(SCRIPT)}`,
    `/-/admin/users?q=${encodeURIComponent(BREAK)}`,
    `/no/such/${encodeURIComponent(SCRIPT)}`,
    `/mallory/evil/src/branch/${encodeURIComponent(SCRIPT)}`,
    ...Object.keys(files).map(
      (path) => `/mallory/evil/src/branch/main/${path.split("/").map(encodeURIComponent).join("/")}`,
    ),
  ];
  const visit = async (page: Page, path: string) => {
    const say = (what: string) => found.push(`${decodeURIComponent(path).slice(0, 100)}: ${what.slice(0, 300)}`);
    page.on("dialog", (dialog) => {
      say(`dialog ${dialog.message()}`);
      dialog.dismiss().catch(() => {});
    });
    page.on("pageerror", (error) => say(`error ${error}`));
    page.on("console", (message) => {
      // Pictures that are not there are no harm.
      if (message.type() === "error" && !/Failed to load resource/.test(message.text())) say(message.text());
    });
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (/planted|evil\.example/.test(url.pathname + url.hostname)) say(`asked for ${request.url()}`);
    });
    const answer = await page.goto(origin + path, { waitUntil: "load" });
    const status = answer?.status() ?? 0;
    if (status >= 500) say(`status ${status}`);
    const inPage = await page.evaluate(() => ({
      links: [...document.querySelectorAll("a[href]")].map((link) => link.getAttribute("href") ?? ""),
      bad: [...document.querySelectorAll("*")].flatMap((element) =>
        [...element.attributes]
          .filter(
            ({ name, value }) =>
              /^on/i.test(name) ||
              (/^(href|src|action|formaction|data|xlink:href)$/i.test(name) &&
                /^\s*(javascript|vbscript|data:text)/i.test(value)) ||
              // A page's own address, escaped, may hold the name of a branch.
              (/^(data-)?hx-/i.test(name) &&
                /planted|alert/.test(value) &&
                !/^\/mallory\/[\w%./?&=()'~:@,-]*$/.test(value)),
          )
          .map(({ name, value }) => `<${element.tagName} ${name}="${value}">`),
      ),
      bases: document.querySelectorAll("base,iframe[srcdoc],object,embed,meta[http-equiv=refresh],script:not([nonce])")
        .length,
    }));
    for (const bad of inPage.bad) say(bad);
    if (inPage.bases > 0 && answer?.headers()["content-type"]?.includes("html"))
      say(`${inPage.bases} elements that must not be`);
    // What a click or a focus would start.
    await page.evaluate(() => {
      for (const element of document.querySelectorAll("main [tabindex], main details, main summary, main b"))
        (element as HTMLElement).focus();
    });
    for (const link of inPage.links) {
      const url = URL.canParse(link, origin + path) ? new URL(link, origin + path) : undefined;
      if (!url || url.origin !== origin || /logout|\/raw\/|\/media\/|\/archive\/|planted|\/events$/.test(url.pathname))
        continue;
      const next = url.pathname + url.search;
      if (
        url.pathname.startsWith("/mallory/evil/") &&
        visited.size + queue.length < 60 &&
        !visited.has(next) &&
        !queue.includes(next)
      )
        queue.push(next);
    }
    page.removeAllListeners();
  };
  const worker = async () => {
    const page = await context.newPage();
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (visited.has(path)) continue;
      visited.add(path);
      await visit(page, path);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  expect(found).toEqual([]);
  // That a dialog would have been noticed.
  const control = await context.newPage();
  const asked = new Promise<string>((resolve) => {
    control.on("dialog", (dialog) => {
      resolve(dialog.message());
      dialog.dismiss().catch(() => {});
    });
  });
  await control.goto(`${origin}/mallory/evil`);
  await Promise.all([control.evaluate(() => alert("noticed")), asked]);
  expect(await asked).toBe("noticed");
  console.log(`pages opened: ${visited.size}`);
  await context.close();
});

describe("G8: raw files are inert", () => {
  const addresses = (path: string) => {
    const encoded = path.split("/").map(encodeURIComponent).join("/");
    return [
      `/mallory/evil/raw/branch/main/${encoded}`,
      `/mallory/evil/media/branch/main/${encoded}`,
      `/api/v1/repos/mallory/evil/raw/${encoded}`,
      `/api/v1/repos/mallory/evil/media/${encoded}`,
    ];
  };

  test("by their headers: no type a browser runs, nosniff, a sandbox", async () => {
    for (const path of Object.keys(files))
      for (const address of addresses(path)) {
        const { status, headers } = await call<unknown>(server, "GET", address);
        const type = headers.get("content-type") ?? "";
        expect([address, status]).toEqual([address, 200]);
        expect(headers.get("x-content-type-options")).toBe("nosniff");
        expect([address, /html|javascript|css|text\/xml|application\/xml|multipart|xhtml/.test(type)]).toEqual([
          address,
          false,
        ]);
        const policy = headers.get("content-security-policy") ?? "";
        expect([address, policy.includes("default-src 'none'")]).toEqual([address, true]);
        if (type !== "application/pdf") expect([address, policy.includes("sandbox")]).toEqual([address, true]);
        expect(headers.get("content-disposition") ?? "").not.toMatch(/[\r\n]/);
      }
  });

  test("in a browser: opened by themselves, framed and as scripts and styles of the site", async () => {
    const context = await browser.newContext();
    const found: string[] = [];
    const origin = server.url.replace(/\/$/, "");
    for (const path of ["evil.html", "evil.svg", "evil.xhtml", "evil.xml", "evil.mht", "evil.gif"]) {
      const page = await context.newPage();
      page.on("dialog", (dialog) => {
        found.push(`${path}: ${dialog.message()}`);
        dialog.dismiss().catch(() => {});
      });
      page.on("request", (request) => {
        if (request.url().includes("planted")) found.push(`${path} asked for ${request.url()}`);
      });
      await page.goto(`${origin}/mallory/evil/raw/branch/main/${path}`).catch(() => {});
      await page.close();
    }
    expect(found).toEqual([]);
    await context.close();
  });
});

test("G17, H3: every answer has its headers, every page a policy with a nonce of its own", async () => {
  const routes = (await allRoutes(server.services)).filter(
    ({ method, path }) => method === "GET" && !path.endsWith("/events"),
  );
  const nonces: string[] = [];
  const wrong: string[] = [];
  await eachOf(routes, async (route) => {
    const rows = table[`GET ${route.path}`] ?? [];
    const row = (Array.isArray(rows) ? rows[0] : rows) as Row | undefined;
    const at = (row?.at ?? "x").replace(/<\w+>/, "main").replace("README.md", "evil.txt");
    const path = route.path
      .split("/")
      .map((part) =>
        part === ":owner" || part === ":username"
          ? "mallory"
          : part === ":repo"
            ? "evil"
            : /^[:*]/.test(part)
              ? at
              : part,
      )
      .join("/");
    for (const options of [
      {},
      { headers: { cookie: mallory.cookie, accept: "text/html" } },
      { token: mallory.token },
    ]) {
      const { headers, status } = await call<unknown>(server, "GET", path, options);
      const say = (what: string) => wrong.push(`${path} (${status}): ${what}`);
      if (headers.get("x-content-type-options") !== "nosniff") say("no nosniff");
      if (!/^(SAMEORIGIN|DENY)$/.test(headers.get("x-frame-options") ?? "")) say("may be framed");
      if (!/^(same-origin|no-referrer)$/.test(headers.get("referrer-policy") ?? "")) say("no referrer policy");
      if (headers.has("server") || headers.has("x-powered-by")) say("names its software");
      if (headers.get("access-control-allow-credentials")) say("credentials for other sites");
      if (options.headers && /public/.test(headers.get("cache-control") ?? "") && route.surface === "page")
        say("kept by caches");
      if (
        (/text\/html/.test(headers.get("content-type") ?? "") && status < 300) ||
        (status >= 400 && /html/.test(headers.get("content-type") ?? ""))
      ) {
        const policy = headers.get("content-security-policy") ?? "";
        if (/script-src[^;]*unsafe-(inline|eval|hashes)/.test(policy)) say("unsafe scripts");
        if (!/default-src 'none'|default-src 'self'/.test(policy)) say(`policy ${policy}`);
        if (!/base-uri 'none'/.test(policy) && !path.includes("swagger")) say("no base-uri");
        if (!/frame-ancestors/.test(policy)) say("no frame-ancestors");
        const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
        if (nonce) nonces.push(nonce);
        // Where no script may run at all there is none to name.
        else if (/script-src/.test(policy) && !path.includes("swagger")) say("no nonce");
      }
    }
  });
  expect(wrong).toEqual([]);
  expect(new Set(nonces).size).toBe(nonces.length);
  expect(nonces.length).toBeGreaterThan(50);
});

test("G2: what the API says of hostile texts is JSON and never markup, and errors repeat nothing as HTML", async () => {
  for (const path of [
    "/api/v1/repos/mallory/evil",
    "/api/v1/users/mallory",
    "/api/v1/repos/mallory/evil/branches",
    `/api/v1/users/${encodeURIComponent(SCRIPT)}`,
    `/api/v1/repos/mallory/evil/contents/${encodeURIComponent(SCRIPT)}`,
    `/mallory/evil/raw/branch/main/${encodeURIComponent(SCRIPT)}`,
    `/mallory/evil/info/refs?service=${encodeURIComponent(SCRIPT)}`,
    `/no-such-${encodeURIComponent(SCRIPT)}`,
  ]) {
    const { headers } = await call<unknown>(server, "GET", path, { headers: { accept: "*/*" } });
    expect([path, /json|text\/plain/.test(headers.get("content-type") ?? "")]).toEqual([path, true]);
  }
});
