import type { User } from "../../src/access/user.ts";
import { aSession, call, type TestServer } from "../builders.ts";

/** A browser without a screen: keeps cookies, follows nothing, sends forms as a page of ours would. */
export interface Visitor {
  readonly jar: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<PageAnswer>;
  post(path: string, form?: Record<string, string>, headers?: Record<string, string>): Promise<PageAnswer>;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where it leads, as a path of this site when it is one. */
  readonly location: string;
}

export function aPage(server: TestServer, jar = new Map<string, string>()): Visitor {
  const visit = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await call(server, method, path, {
      headers: { accept: "text/html", ...(cookie ? { cookie } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return { ...answer, location: answer.headers.get("location") ?? "" };
  };
  return {
    jar,
    get: (path, headers = {}) => visit("GET", path, headers),
    post: (path, form = {}, headers = {}) =>
      visit(
        "POST",
        path,
        {
          "content-type": "application/x-www-form-urlencoded",
          origin: server.url.replace(/\/$/, ""),
          "sec-fetch-site": "same-origin",
          ...headers,
        },
        new URLSearchParams(form).toString(),
      ),
  };
}

/** The same, signed in. */
export async function aPageOf(server: TestServer, user: User): Promise<Visitor> {
  const [name = "", secret = ""] = (await aSession(server, user)).split("=");
  return aPage(server, new Map([[name, secret]]));
}

/** The text of a page without its tags, with one space between words. */
export function wordsOf(html: string): string {
  return html
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ");
}
