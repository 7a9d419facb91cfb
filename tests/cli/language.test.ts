import { afterAll, beforeAll, expect, test } from "bun:test";
import { aServer, aUser, type TestServer } from "../builders.ts";
import { hearth } from "./run.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const speaking = (locale: Readonly<Record<string, string>>, ...words: string[]) =>
  hearth(server.dataDir, words, "", locale);

test("the terminal speaks the language of its locale: help, results, refusals", async () => {
  const german = { LANG: "de_AT.UTF-8" };
  expect((await speaking(german, "--help")).out).toContain("Den Server starten");
  expect((await speaking(german, "admin", "user", "delete", "--help")).out).toContain(
    "Auch die Repositorys des Kontos löschen",
  );
  await aUser(server, { login: "ada" });
  expect((await speaking(german, "admin", "user", "change-password", "-u", "ada", "-p", "pass-word-3")).out).toBe(
    "Passwort von ada geändert.\n",
  );
  expect((await speaking(german, "admin", "user", "delete")).err).toStartWith("Fehler: gib ID, Namen oder");
  // A service's refusal comes in the words of the pages.
  expect((await speaking(german, "admin", "user", "change-password", "-u", "ada", "-p", "x")).err).toMatch(
    /^Fehler: .*Passwort.*\n$/,
  );
  expect((await speaking({ LANG: "ja_JP.UTF-8" }, "doctor")).out).toContain("正常");
});

test("LC_ALL goes before LC_MESSAGES before LANG; C and unknown languages mean English", async () => {
  const helpIn = async (locale: Readonly<Record<string, string>>) => (await speaking(locale, "version", "--help")).out;
  expect(await helpIn({ LANG: "fr_FR.UTF-8", LC_MESSAGES: "es_MX" })).toContain("Mostrar la versión");
  expect(await helpIn({ LANG: "fr_FR.UTF-8", LC_ALL: "C" })).toContain("Print the version");
  expect(await helpIn({ LANG: "tlh" })).toContain("Print the version");
});

test("what programs read is the same in every language", async () => {
  const english = await speaking({}, "admin", "user", "list");
  expect(await speaking({ LANG: "zh_CN.UTF-8" }, "admin", "user", "list")).toEqual(english);
  expect(
    (await speaking({ LANG: "fr_FR" }, "admin", "user", "generate-access-token", "-u", "ada", "--raw")).out,
  ).toMatch(/^[0-9a-f]{40}\n$/);
});
