import { describe, expect, test } from "bun:test";
import { jsx } from "../../web/jsx/jsx-runtime.ts";
import { fragment, page } from "../../web/jsx/page.ts";
import { raw, trustHtml } from "../../web/jsx/raw.ts";
import { safeHref } from "../../web/jsx/safe-href.ts";

const html = (node: { toString(): string }) => node.toString();

describe("the JSX runtime", () => {
  test("escapes text and attributes", () => {
    const evil = `"><script>alert(1)</script>`;
    expect(html(<p title={evil}>{evil}</p>)).toBe(
      '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    );
  });

  test("writes what is there as HTML has it, and nothing for what is absent", () => {
    const none = undefined;
    const fields = [0, "a<b", null, false, true, [<br />, [<b>x</b>]]];
    expect(html(<p>{fields}</p>)).toBe("<p>0a&lt;b<br/><b>x</b></p>");
    expect(html(<input name="a" disabled checked={false} value={0} title={none} aria-busy={true} />)).toBe(
      '<input name="a" disabled="" value="0" aria-busy="true"/>',
    );
    expect(html(<textarea name="a" />)).toBe('<textarea name="a"></textarea>');
  });

  test.each(["a promise", "an object"])("refuses %s between tags", (name) => {
    const child: unknown = name === "a promise" ? Promise.resolve("x") : { toString: () => "<b>" };
    expect(() => html(jsx("p", { children: child as string }))).toThrow("waits for nothing");
  });

  test.each([
    ["name of an element", () => jsx("p onclick=x", {})],
    ["name of an attribute", () => jsx("p", { 'a="b': "x" })],
    ["value of an attribute", () => jsx("p", { title: { toString: () => "x" } })],
  ])("refuses what is no %s", (_name, make) => {
    expect(make).toThrow();
  });

  test("raw() passes safe HTML through, inside and at the top", () => {
    expect(html(<div>{raw(trustHtml("<b>x</b>"))}</div>)).toBe("<div><b>x</b></div>");
  });

  test("links lose dangerous schemes without being asked", () => {
    const href = ["javascript", "alert(1)"].join(":");
    expect(html(<a href={href}>x</a>)).toBe('<a href="#">x</a>');
    expect(html(<img src="data:image/svg+xml,<svg onload=alert(1)>" alt="" />)).toContain('src="#"');
  });

  test("stamps a nonce on htmx elements and only on them", async () => {
    const answer = fragment(
      <div>
        <b hx-post="/x">a</b>
        <i>b</i>
      </div>,
    );
    const nonce = /script-src 'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1];
    expect(nonce).toBeString();
    expect(await answer.text()).toBe(`<div><b hx-post="/x" hx-nonce="${nonce}">a</b><i>b</i></div>`);
  });

  test.each([
    ["inline style", { style: "color:red" }],
    ["event handler", { onclick: "x()" }],
    ["unknown hx attribute", { "hx-gett": "/x" }],
    ["evaluated values", { "hx-post": "/x", "hx-vals": "js:{a:1}" }],
    ["target without a request", { "hx-target": "#x" }],
  ])("refuses %s", (_name, props) => {
    expect(() => jsx("div", props)).toThrow();
  });
});

describe("safeHref", () => {
  test.each([
    ["/a/b", "/a/b"],
    ["#x", "#x"],
    ["docs/a.md", "docs/a.md"],
    ["https://example.org", "https://example.org"],
    ["mailto:a@b.c", "mailto:a@b.c"],
    ["javascript:alert(1)", "#"],
    ["JaVaScRiPt:alert(1)", "#"],
    [" \u0001javascript:alert(1)", "#"],
    ["java\nscript:alert(1)", "#"],
    ["vbscript:x", "#"],
    ["data:text/html,x", "#"],
    ["\u200bjavascript:alert(1)", "#"],
  ])("%j gives %j", (given, expected) => {
    expect(safeHref(given)).toBe(expected);
  });
});

describe("page()", () => {
  const long = <html lang="en">{"text ".repeat(1000)}</html>;

  test("carries the headers of the site", async () => {
    const answer = page(<html lang="en" />, { status: 404 });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("vary")).toContain("HX-Request-Type");
    expect(answer.headers.get("cache-control")).toBe("max-age=0, private, must-revalidate");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    const policy = answer.headers.get("content-security-policy") ?? "";
    expect(policy).not.toContain("unsafe");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(await answer.text()).toBe('<!doctype html><html lang="en"></html>');
  });

  test("compresses long bodies for whom accepts it", async () => {
    const answer = page(long, { acceptEncoding: "br;q=1, gzip" });
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const text = new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(await answer.arrayBuffer())));
    expect(text).toStartWith('<!doctype html><html lang="en">text text');
    expect(page(long, { acceptEncoding: "gzip;q=0" }).headers.get("content-encoding")).toBeNull();
    expect(page(long).headers.get("content-encoding")).toBeNull();
  });

  test("two pages never share a nonce", () => {
    const policies = [page(long), page(long)].map((answer) => answer.headers.get("content-security-policy"));
    expect(policies[0]).not.toBe(policies[1]);
  });
});
