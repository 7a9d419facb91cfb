import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Catalogue } from "../../src/language/catalogue.ts";
import { english, languages } from "../../src/language/language.ts";
import { rendered } from "../../web/jsx/page.ts";
import { useWords } from "../../web/language.ts";
import { aServer, aSession, aUser, call, type TestServer } from "../builders.ts";
import { aPage, wordsOf } from "./browser-calls.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
  await aUser(server);
});
afterAll(() => server.close());

const langOf = (html: string) => /<html lang="([^"]*)"/.exec(html)?.[1];

describe("the language of a page", () => {
  test("follows the browser, and the address before it, which is remembered", async () => {
    const visitor = aPage(server);
    const plain = await visitor.get("/user/login");
    expect([langOf(plain.text), plain.headers.get("content-language")]).toEqual(["en", "en"]);
    for (const name of ["accept-language", "cookie"])
      expect(plain.headers.get("vary")?.toLowerCase().split(", ")).toContain(name);
    const german = await visitor.get("/user/login", { "accept-language": "de-DE,de;q=0.9" });
    expect([langOf(german.text), german.headers.get("content-language")]).toEqual(["de-DE", "de-DE"]);
    expect(wordsOf(german.text)).toContain("Auf diesem Gerät angemeldet bleiben");
    expect(visitor.jar.has("lang")).toBe(false);
    expect(langOf((await visitor.get("/?lang=fr-FR")).text)).toBe("fr-FR");
    expect(visitor.jar.get("lang")).toBe("fr-FR");
    expect(langOf((await visitor.get("/explore/repos")).text)).toBe("fr-FR");
    expect((await visitor.get("/?lang=%0d%0aset-cookie:x")).status).toBe(200);
    expect(visitor.jar.get("lang")).toBe("fr-FR");
  });

  test("is chosen in the footer without JavaScript, and leads back without the address asking for another", async () => {
    const visitor = aPage(server);
    const { text } = await visitor.get("/explore/users");
    for (const { code, ownName } of languages) {
      expect(text).toContain(`value="${code}"`);
      expect(text).toContain(ownName);
    }
    const referer = `${server.url}explore/users?q=a&lang=fr-FR`;
    const applied = await visitor.post("/-/web-language/apply", { language: "de-DE" }, { referer });
    expect([applied.status, applied.location]).toEqual([303, "/explore/users?q=a"]);
    expect(visitor.jar.get("lang")).toBe("de-DE");
    expect(wordsOf((await visitor.get("/explore/users")).text)).toContain("Älteste zuerst");
    const nonsense = await visitor.post("/-/web-language/apply", { language: "xx" });
    expect([nonsense.status, visitor.jar.get("lang")]).toEqual([303, "de-DE"]);
  });

  test("is the account's own wherever it signs in, and the API's setting is the same", async () => {
    const password = "correct horse battery";
    const { user, login, token } = await aUser(server, { password });
    const cookie = await aSession(server, user);
    const visitor = aPage(server, new Map([cookie.split("=", 2) as [string, string]]));
    await visitor.post("/-/web-language/apply", { language: "de-DE" });
    const settings = await call(server, "GET", "/api/v1/user/settings", { token });
    expect(settings.body["language"]).toBe("de-DE");

    const elsewhere = aPage(server);
    await elsewhere.get("/?lang=es-ES");
    await elsewhere.post("/user/login", { user_name: login, password });
    expect(elsewhere.jar.get("lang")).toBe("de-DE");
    expect(langOf((await elsewhere.get("/user/login?lang=nonsense")).text ?? "") ?? "de-DE").toBe("de-DE");
    expect(langOf((await elsewhere.get("/explore/repos")).text)).toBe("de-DE");
    await call(server, "PATCH", "/api/v1/user/settings", { token, body: { language: "ja-JP" } });
    expect(langOf((await elsewhere.get("/explore/repos")).text)).toBe("ja-JP");
    // The reference takes any; what is none of ours says nothing.
    await call(server, "PATCH", "/api/v1/user/settings", { token, body: { language: "tlh" } });
    expect(langOf((await elsewhere.get("/explore/repos")).text)).toBe("de-DE");
  });

  test("is that of what is refused, too: forms, error pages, and parts for htmx", async () => {
    const visitor = aPage(server, new Map([["lang", "de-DE"]]));
    const wrong = await visitor.post("/user/login", { user_name: "ada", password: "wrong" });
    expect(wordsOf(wrong.text)).toContain("Benutzername oder Passwort ist falsch.");
    const missing = await visitor.get("/nobody/nothing");
    expect([missing.status, langOf(missing.text)]).toEqual([404, "de-DE"]);
    const part = await visitor.get("/nobody/nothing", { "hx-request": "true", "hx-request-type": "partial" });
    expect(part.headers.get("content-language")).toBe("de-DE");
    const { login } = await aUser(server);
    const form = { user_name: login, email: "x@example.org", password: "long enough 1", retype: "long enough 1" };
    expect(wordsOf((await visitor.post("/user/sign_up", form)).text)).toContain(
      "Auf dieser Website ist die Registrierung abgeschaltet.",
    );
  });
});

describe("words in components", () => {
  const words = new Catalogue(
    {
      greeting: "Hello <b>dear {name}</b>, {name}!",
      files: { one: "{count} file in <link>{place}</link>", other: "{count} files in <link>{place}</link>" },
    } as const,
    {},
  );
  function Greeting({ name, count }: { name: string; count: number }) {
    const t = useWords(words);
    return (
      <p>
        {t.jsx("greeting", { name, b: (inner) => <b>{inner}</b> })}{" "}
        {t.jsx("files", { count, place: <i>{name}</i>, link: (inner) => <a href="/x">{inner}</a> })}
      </p>
    );
  }

  test("elements stand where the message has them, and what users typed is text", () => {
    expect(rendered(<Greeting name="<i>{x}" count={1200} />)).toBe(
      '<p>Hello <b>dear &lt;i&gt;{x}</b>, &lt;i&gt;{x}! 1,200 files in <a href="/x"><i>&lt;i&gt;{x}</i></a></p>',
    );
  });

  test("one page does not speak the language of the one before, not even of one that failed", () => {
    const failing = () => {
      throw new Error("half way");
    };
    function Broken() {
      useWords(words);
      return <p>{failing()}</p>;
    }
    const long = <Greeting name="ada" count={12_345} />;
    expect(rendered(long, languages[1])).toContain("12.345 files");
    expect(() => rendered(<Broken />, languages[1])).toThrow("half way");
    expect(rendered(long, english)).toContain("12,345 files");
    expect(() => useWords(words)).toThrow("outside of a page");
  });
});
