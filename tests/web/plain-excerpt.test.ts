import { expect, test } from "bun:test";
import { plainExcerpt } from "../../web/home/plain-excerpt.ts";
import { anApi, aRepo, aServer, aUser, settled } from "../builders.ts";
import { aPageOf, wordsOf } from "./browser-calls.ts";

test.each([
  ["a heading, a list and a task", "# Hello\n\n- [x] **done** it\n1. next", "Hello done it next"],
  ["a quotation before what answers it", "> they *said*\n\nno", "they said no"],
  [
    "links and images",
    'see [the docs](https://a.example/b "t") ![cat](c.png) <https://d.example>',
    "see the docs cat https://d.example",
  ],
  ["a link that was cut", "see [the docs](https://a.example/lon…", "see the docs…"],
  ["code", "use `make` or\n```sh\nmake all\n```", "use make or make all"],
  [
    "names that only look like emphasis",
    "snake_case_name and 2*3*4 and __init__",
    "snake_case_name and 2*3*4 and init",
  ],
  ["elements and comments", "a <b>bold</b> <!-- hidden --> word", "a bold word"],
  ["escapes and lines", "1\\* and\n\n---\n\nmore", "1* and more"],
  ["what is no markup", "1 < 2 and a > b [x]", "1 < 2 and a > b [x]"],
])("a feed shows %s as plain text", (_, markdown, shown) => {
  expect(plainExcerpt(markdown)).toBe(shown);
});

test("dashboards and feeds show a comment without its marks, and the code of a title as code", async () => {
  await using server = await aServer();
  const api = anApi(() => server);
  const ada = await aUser(server, { login: "ada" });
  aRepo(server, ada.user, { name: "engine" });
  expect((await api("POST", "/repos/ada/engine/issues", ada, { title: "Fix `run`" })).status).toBe(201);
  const body = "## Look\n\n- see **[the docs](https://docs.example/)**";
  expect((await api("POST", "/repos/ada/engine/issues/1/comments", ada, { body })).status).toBe(201);
  await settled(server);
  const page = await aPageOf(server, ada.user);
  const { text } = await page.get("/");
  expect(wordsOf(text)).toContain("Look see the docs");
  expect(text).toContain("Fix <code>run</code>");
  expect((await page.get("/ada/engine.atom")).text).toContain(": Look see the docs");
});
