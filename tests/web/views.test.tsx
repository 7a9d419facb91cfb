import { describe, expect, test } from "bun:test";
import { assetPath, CLIENT_MODULES, ICON_ADDRESS, modulePath } from "../../web/assets/index.ts";
import { DiffFileBody, diffAnchor } from "../../web/components/diff-file.tsx";
import { markedText } from "../../web/components/diff-rows.ts";
import type { FileDiff } from "../../web/components/diff-types.ts";
import { Pagination } from "../../web/components/navigation.tsx";
import { Time } from "../../web/components/time.tsx";
import { BranchesPage, TagsPage } from "../../web/content/branches.tsx";
import { CommitPage } from "../../web/content/commit.tsx";
import { CommitsPage } from "../../web/content/commits.tsx";
import { FilePage } from "../../web/content/file.tsx";
import { RepoHomePage } from "../../web/content/home.tsx";
import { ActivityCard, DashboardPage, ReposCard } from "../../web/home/dashboard.tsx";
import { page, rendered } from "../../web/jsx/page.ts";
import { NewRepoPage } from "../../web/repos/new.tsx";
import { RepoGeneralSettingsPage } from "../../web/repos/settings.tsx";
import { GALLERY } from "./gallery-pages.tsx";
import * as sample from "./samples.ts";

interface Found {
  tag: string;
  attributes: Map<string, string>;
}

/** The elements of a page as a browser would see them. */
function elements(html: string): Found[] {
  const found: Found[] = [];
  new HTMLRewriter()
    .on("*", {
      element(element) {
        found.push({ tag: element.tagName, attributes: new Map(element.attributes) });
      },
    })
    .transform(html);
  return found;
}

const MODULES = Object.keys(CLIENT_MODULES).map(modulePath);

/** Everything in a page that could run. */
function dangers(html: string): string[] {
  const found: string[] = [];
  for (const { tag, attributes } of elements(html)) {
    if (tag === "script" && attributes.get("src") !== assetPath("hearth.js")) found.push("script");
    const module = attributes.get("data-module");
    if (module !== undefined && !MODULES.includes(module)) found.push("module");
    if (attributes.get("href") === ICON_ADDRESS) continue;
    for (const [name, value] of attributes) {
      if (name.startsWith("on") || name === "style") found.push(`${tag} ${name}`);
      if (/^(?:href|src|action)$/.test(name) && /^\s*(?:javascript|data|vbscript):/i.test(value))
        found.push(`${name}=${value}`);
      if (name === "src" && value === "x") found.push("planted image");
    }
  }
  return found;
}

describe("every page", () => {
  test.each(Object.keys(GALLERY))("%s is whole and sound", async (path) => {
    const html = await page(GALLERY[path]!()).text();
    const all = elements(html);
    // A README brings headings of its own.
    const headings = all.filter(
      ({ tag, attributes }) => tag === "h1" && !attributes.get("id")?.startsWith("user-content-"),
    );
    const count = (tag: string) => all.filter((element) => element.tag === tag).length;
    expect({ main: count("main"), h1: headings.length, title: count("title"), footer: count("footer") > 0 }).toEqual({
      main: 1,
      h1: 1,
      title: 1,
      footer: true,
    });
    expect(dangers(html)).toEqual([]);
    const ids = all.flatMap((element) => element.attributes.get("id") ?? []);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    for (const { tag, attributes } of all) {
      if (attributes.get("method") === "post") expect(attributes.get("action")).toStartWith("/");
      if (tag === "button") expect(attributes.get("type")).toBeString();
      // Every htmx element also works as a link or a form.
      if (tag === "a" && attributes.has("hx-get")) expect(attributes.get("href")).toBe(attributes.get("hx-get")!);
      for (const [name, value] of attributes) {
        if (name === "for" || name === "popovertarget") expect(ids).toContain(value);
        if (name === "aria-describedby" || name === "aria-labelledby")
          for (const id of value.split(" ")) expect(ids).toContain(id);
        if (!name.endsWith("nonce")) expect(value).not.toMatch(/undefined|\[object|NaN/);
      }
    }
    expect(html).not.toMatch(/nonce-[0-9a-f]{32}|elapsed-[0-9a-f]{32}/);
  });

  test("pages stay within their elements and their bytes", () => {
    const size = (path: string) => {
      const html = rendered(GALLERY[path]!());
      return { elements: elements(html).length, gzip: Bun.gzipSync(Buffer.from(html)).byteLength };
    };
    expect(size("/dashboard").elements).toBeLessThan(300);
    expect(size("/repo").elements).toBeLessThan(900);
    expect(size("/repo-200").elements).toBeLessThan(1800);
    expect(size("/commits").elements).toBeLessThan(900);
    expect(size("/file-7281").elements).toBeLessThan(20_000);
    expect(size("/dashboard").gzip).toBeLessThan(8 * 1024);
    expect(size("/repo-200").gzip).toBeLessThan(16 * 1024);
  });
});

describe("hostile names", () => {
  const evil = sample.EVIL;
  const person = { name: evil, href: `javascript:${evil}` };
  const repo = {
    ...sample.repo,
    name: evil,
    owner: evil,
    description: evil,
    defaultBranch: evil,
    mirrorOf: { address: evil, syncedAt: undefined },
  };
  const at = { kind: "branch", name: evil } as const;
  const refs = { branches: [evil], tags: [evil], hasMore: true };
  const commit = sample.commit(0, {
    subject: evil,
    body: evil,
    author: person,
    committer: person,
    tags: [evil],
    sha: evil,
  });
  const file: FileDiff = {
    ...sample.files[0]!,
    oldPath: `${evil}1`,
    newPath: evil,
    status: "renamed",
    hunks: [
      {
        oldStart: 1,
        oldLines: 1,
        newStart: 1,
        newLines: 1,
        heading: evil,
        lines: [
          {
            kind: "add",
            text: evil,
            newNo: 1,
            marks: [
              [0, 5],
              [7, 90],
            ],
          },
        ],
      },
    ],
  };
  const pages = { page: 1, perPage: 20, total: 50, href: `/x?q=${evil}` };
  const VIEWS = {
    home: () => (
      <RepoHomePage
        shell={{ ...sample.shell, path: evil, flash: { kind: "error", text: evil } }}
        repo={repo}
        at={at}
        refs={refs}
        latest={commit}
        entries={(["dir", "file", "symlink", "submodule"] as const).map((kind) => ({
          name: evil,
          kind,
          target: evil,
          targetHref: `javascript:${evil}`,
          last: { sha: evil, subject: evil, at: 0 },
        }))}
        lastCommitsHref={`/${evil}`}
        readme={{ name: evil, href: `javascript:${evil}`, text: evil }}
        about={{
          website: `javascript:${evil}`,
          topics: [evil],
          sizeBytes: 1,
          licenses: [{ name: evil, href: evil }],
          languages: [{ name: evil, share: 50, colour: `${evil};x` }],
        }}
      />
    ),
    commits: () => (
      <CommitsPage
        shell={sample.shell}
        repo={repo}
        at={at}
        path={`a/${evil}`}
        refs={refs}
        commits={[commit]}
        older={`/${evil}`}
      />
    ),
    commit: () => (
      <CommitPage
        shell={sample.shell}
        repo={repo}
        commit={{
          ...commit,
          body: { text: evil },
          authoredAt: Number.NaN,
          committedAt: 9e15,
          parents: [evil],
          branches: [evil],
          coAuthors: [person],
          signature: { by: { name: evil, key: evil, trust: "unmatched" }, reason: evil },
        }}
        diff={{ files: [file], style: "split", href: "/" }}
      />
    ),
    file: () => (
      <FilePage
        shell={sample.shell}
        repo={repo}
        at={at}
        commitSha={evil}
        path={evil}
        refs={refs}
        sizeBytes={1}
        language={evil}
        body={{ kind: "symlink", target: evil }}
      />
    ),
    branches: () => (
      <BranchesPage
        from={{ kind: "branch", name: evil }}
        shell={sample.shell}
        repo={repo}
        branches={[
          { name: evil, sha: evil, subject: evil, at: 0, isProtected: false, mayDelete: true, mayRename: true },
        ]}
        query={evil}
        pages={pages}
      />
    ),
    tags: () => (
      <TagsPage
        shell={sample.shell}
        repo={repo}
        tags={[{ name: evil, sha: evil, at: 0, message: evil, mayDelete: true }]}
        query={evil}
        pages={pages}
      />
    ),
    dashboard: () => (
      <DashboardPage
        shell={{
          ...sample.shell,
          viewer: { name: evil, isSiteAdmin: false },
          site: { ...sample.shell.site, name: evil },
        }}
        main={[
          <ActivityCard
            items={[
              {
                principal: person,
                repo: { owner: evil, name: evil },
                at: 0,
                event: { kind: "push", branch: evil, total: 9, commits: [{ sha: evil, subject: evil }] },
              },
            ]}
          />,
        ]}
        side={[
          <ReposCard
            repos={{
              items: sample.repos.map((item) => ({ ...item, name: evil, owner: evil })),
              total: 99,
              query: evil,
              page: 2,
              perPage: 4,
            }}
          />,
        ]}
      />
    ),
    settings: () => (
      <RepoGeneralSettingsPage
        shell={sample.shell}
        repo={repo}
        form={{
          values: { repo_name: evil, description: evil, website: evil },
          errors: { repo_name: evil, form: evil },
        }}
        isTemplate
        picture={{ action: "/x", name: evil, avatarUrl: evil }}
        binDays={7}
        trustModel="default"
        features={{ on: new Set(), projectsMode: "all" }}
        isOwner
        isFork
        hasWiki
      />
    ),
    create: () => (
      <NewRepoPage
        shell={sample.shell}
        form={{ values: { repo_name: evil }, errors: { repo_name: evil } }}
        owners={[{ value: evil, label: evil }]}
        isPrivate
        autoInit
        gitignores={[evil]}
        licenses={[evil]}
        labelSets={["Default"]}
      />
    ),
  };
  test.each(Object.entries(VIEWS))("%s shows them as text", (_name, view) => {
    const html = rendered(view());
    expect(dangers(html)).toEqual([]);
    expect(elements(html).filter((element) => element.tag === "script")).toHaveLength(1);
    expect(html).toContain("&lt;script&gt;");
  });
});

describe("small parts", () => {
  test("a time says the date as text and the moment as attribute", () => {
    expect(rendered(<Time at={Date.UTC(2026, 10, 21, 20, 5)} />)).toMatch(
      /^<time datetime="2026-11-21T20:05:00\.000Z" title="2026-11-21 20:05:00 UTC" data-rel="">21 Nov 2026<\/time>$/,
    );
    expect(rendered(<Time at={Number.NaN} />)).toContain("unknown date");
  });

  test("changed words are marked between escaped text, whatever the ranges", () => {
    const text = "a<b>c";
    expect(markedText({ kind: "add", text, marks: [[1, 4]] })).toBe("a<b>&lt;b&gt;</b>c");
    expect(markedText({ kind: "add", text, marks: [[0, 99]] })).toBe("<b>a&lt;b&gt;c</b>");
    expect(
      markedText({
        kind: "add",
        text,
        marks: [
          [3, 1],
          [2, 3],
        ],
      }),
    ).not.toContain("undefined");
  });

  test("a diff's anchors are the ones people have bookmarked", () => {
    expect(diffAnchor("README.md")).toBe(`diff-${new Bun.CryptoHasher("sha1").update("README.md").digest("hex")}`);
    const html = rendered(<DiffFileBody file={sample.files[0]!} of={{ style: "unified", href: "/x" }} />);
    expect(html).toContain(`id="${diffAnchor("src/mill/columns.ts")}R11"`);
    expect(html).toContain(`id="${diffAnchor("src/mill/columns.ts")}L11"`);
  });

  test("unified and split show the same text", () => {
    const text = (style: "unified" | "split", sign: "add" | "del") =>
      [
        ...rendered(<DiffFileBody file={sample.files[0]!} of={{ style, href: "/x" }} />).matchAll(
          new RegExp(`<td class="${sign}">(.*?)</td>`, "g"),
        ),
      ].map((match) => match[1]);
    for (const sign of ["add", "del"] as const) {
      expect(text("split", sign)).toEqual(text("unified", sign));
      expect(text("split", sign).length).toBeGreaterThan(1);
    }
  });

  test("a large file waits behind a link that works without script", () => {
    const large = sample.files[3]!;
    expect(
      rendered(<DiffFileBody file={large} of={{ style: "unified", href: "/o/r/commit/1?whitespace=ignore-all" }} />),
    ).toContain(
      'href="/o/r/commit/1?whitespace=ignore-all&amp;style=unified&amp;files=cards%2Fall.txt&amp;file-only=true"',
    );
    expect(
      rendered(<DiffFileBody file={large} of={{ style: "unified", href: "/x", whole: true }} />).match(/<tr/g),
    ).toHaveLength(1201);
  });

  test("pagination keeps the filters and leaves page 1 without a number", () => {
    const html = rendered(<Pagination of={{ page: 2, perPage: 20, total: 200, href: "/explore/repos?q=a&page=2" }} />);
    expect(html).toContain('href="/explore/repos?q=a" rel="prev"');
    expect(html).toContain('href="/explore/repos?q=a&amp;page=3" rel="next"');
    expect(html).toContain("21–40 of 200");
    expect(rendered(<div>{<Pagination of={{ page: 1, perPage: 20, total: 20, href: "/x" }} />}</div>)).toBe(
      "<div></div>",
    );
  });

  test("passwords are never sent back", () => {
    expect(rendered(GALLERY["/register"]!())).not.toMatch(/type="password"[^>]*value=/);
  });
});
