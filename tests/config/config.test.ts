import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configAsEnvironment, configAsMarkdown, rootUrl } from "../../src/config/describe.ts";
import { BadSetting, loadConfig } from "../../src/config/load.ts";
import { environmentName, settingNames } from "../../src/config/schema.ts";

const folder = mkdtempSync(join(tmpdir(), "hearth-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (flags: Record<string, string> = {}, environment: Record<string, string> = {}, toml?: string) => {
  const file = join(folder, `${Math.random()}.toml`);
  if (toml !== undefined) writeFileSync(file, toml);
  return loadConfig({ flags, environment, file: toml === undefined ? undefined : file });
};

test("flags win over environment, environment over file, file over defaults", () => {
  const toml = 'listen = "127.0.0.1:1"\nname = "From file"\n[log]\nlevel = "warn"\n';
  const { config, origins } = load(
    { listen: "127.0.0.1:3" },
    { HEARTH_LISTEN: "127.0.0.1:2", HEARTH_NAME: "From environment" },
    toml,
  );
  expect([config.listen, config.name, config["log.level"], config.registration]).toEqual([
    "127.0.0.1:3",
    "From environment",
    "warn",
    "first",
  ]);
  expect([origins.listen, origins.name, origins["log.level"], origins.registration]).toEqual([
    "flag",
    "environment",
    "file",
    "default",
  ]);
});

test("a token for runners may have the name that set-ups of runners know", () => {
  const token = "t".repeat(32);
  const file = join(folder, "token");
  writeFileSync(file, `${token}\n`);
  const of = (environment: Record<string, string>) => load({}, environment).config["actions.registration_token"];
  expect(of({ GITEA_RUNNER_REGISTRATION_TOKEN: token })).toBe(token);
  expect(of({ GITEA_RUNNER_REGISTRATION_TOKEN_FILE: file })).toBe(token);
  expect(() => of({ GITEA_RUNNER_REGISTRATION_TOKEN: "short" })).toThrow("must have 32 characters or more");
  expect(() => of({ GITEA_RUNNER_REGISTRATION_TOKEN_FILE: join(folder, "none") })).toThrow("cannot be read");
});

test.each([
  ["an unknown key in the file", () => load({}, {}, "listne = 'x'"), "listne"],
  ["an unknown variable", () => load({}, { HEARTH_NETWORK_ALOW: "x" }), "did you mean HEARTH_NETWORK_ALLOW?"],
  ["an unknown flag", () => load({ "no.such": "1" }), "--no.such"],
  [
    "a bad choice",
    () => load({}, { HEARTH_REGISTRATION: "maybe" }),
    "HEARTH_REGISTRATION: must be one of open, first, closed",
  ],
  ["a bad address", () => load({ listen: "3000" }), "--listen: must be HOST:PORT"],
  ["a number out of range", () => load({}, {}, "[api]\npage_size = 0"), "api.page_size"],
  ["a text where a list belongs", () => load({}, {}, '[network]\nallow = "external"'), "network.allow"],
  ["a bad list entry", () => load({}, { HEARTH_NETWORK_ALLOW: "external,ho st/" }), "HEARTH_NETWORK_ALLOW"],
  [
    "a range that is none",
    () => load({}, { HEARTH_NETWORK_ALLOW: "10.0.0.0/33" }),
    "HEARTH_NETWORK_ALLOW: 10.0.0.0/33",
  ],
  ["an address that is none", () => load({}, { HEARTH_NETWORK_ALLOW: "127.1" }), "HEARTH_NETWORK_ALLOW: 127.1"],
  ["a proxy by name", () => load({}, {}, '[proxy]\ntrusted = ["proxy.lan"]'), "proxy.trusted"],
  [
    "a proxy range that is none",
    () => load({}, { HEARTH_PROXY_TRUSTED: "private 10.0.0.0/40" }),
    "HEARTH_PROXY_TRUSTED: 10.0.0.0/40",
  ],
  ["broken TOML", () => load({}, {}, "= ="), "not valid TOML"],
  ["a root URL with a query", () => load({}, { HEARTH_ROOT_URL: "http://x/?a" }), "HEARTH_ROOT_URL"],
])("%s is refused by name", (_, act, message) => {
  expect(act).toThrow(BadSetting);
  expect(act).toThrow(message);
});

test("a named file must exist", () => {
  expect(() => loadConfig({ flags: {}, environment: {}, file: join(folder, "none.toml") })).toThrow("there is no file");
});

test("every setting is printed as a variable that is read back to the same value", () => {
  const { config } = load();
  const environment = Object.fromEntries(
    configAsEnvironment(config)
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  expect(Object.keys(environment)).toEqual(settingNames.map(environmentName));
  expect(load({}, environment).config).toEqual(config);
});

test("docs/operations.md has the settings as the schema has them", async () => {
  const text = await Bun.file(join(import.meta.dir, "../../docs/operations.md")).text();
  expect(text).toContain(configAsMarkdown());
});

test("links are made from root_url, else from the address listened on", () => {
  expect(rootUrl(load({}, { HEARTH_ROOT_URL: "https://git.example.org/forge" }).config)).toBe(
    "https://git.example.org/forge/",
  );
  expect(rootUrl(load({ listen: "0.0.0.0:80" }).config)).toBe("http://localhost/");
  expect(rootUrl(load({ listen: "[::1]:3000" }).config)).toBe("http://[::1]:3000/");
});
