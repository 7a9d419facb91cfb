import { expect, test } from "bun:test";
import {
  asks,
  choiceParam,
  flagParam,
  lists,
  numberParam,
  queryDocs,
  readQuery,
  searchParam,
  textParam,
  textsParam,
} from "../../src/http/query.ts";
import type { Call } from "../../src/http/route.ts";
import { ValidationFailed } from "../../src/kernel/errors.ts";

const parameters = {
  text: textParam("A text."),
  q: searchParam("Words."),
  paths: textsParam("Some texts."),
  count: numberParam("A number."),
  maybe: flagParam("Yes, no, or whatever."),
  on: flagParam("Yes unless said otherwise.", true),
  sort: choiceParam("name or id.", ["name", "id"], "sort mode"),
};

const read = (query: string) => readQuery(parameters, { query: new URLSearchParams(query) });
/** What a handler of a query looks at. */
const callOf = (query: string) =>
  ({ query: new URLSearchParams(query), pageSizes: { standard: 30, largest: 50 } }) as Call;

test("what is absent, empty or unreadable counts as not said", () => {
  const nothing = { text: "", q: "", paths: [], count: undefined, maybe: undefined, on: true, sort: undefined };
  expect(read("")).toEqual(nothing);
  expect(read("text=&q=%20&count=&maybe=&on=&sort=")).toEqual(nothing);
  expect(read("count=1e3").count).toBeUndefined();
  expect(read("count=9999999999999999").count).toBeUndefined();
});

test("values are read as Gitea's clients write them", () => {
  expect(read("text=%20a&q=%20b%20&paths=x&paths=&paths=y&count=-7&maybe=False&on=0&sort=id")).toEqual({
    text: " a",
    q: "b",
    paths: ["x", "", "y"],
    count: -7,
    maybe: false,
    on: false,
    sort: "id",
  });
  for (const yes of ["1", "t", "TRUE", "on"]) expect(read(`maybe=${yes}`).maybe).toBe(true);
});

test("a word that is no choice is refused with its parameter", () => {
  try {
    read("sort=size");
    throw new Error("it was taken");
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationFailed);
    expect(error).toMatchObject({ field: "sort", code: "list.bad-parameter", params: { given: '"size"' } });
  }
});

test("a list reads its page within the limits, and documents all it reads", async () => {
  const list = lists({ q: parameters.q }, ({ paging }, { q }) => Response.json({ paging, q }));
  expect(list.query.map(({ name }) => name)).toEqual(["q", "page", "limit"]);
  const answer = await list.handle(callOf("q=x&page=3&limit=1000"));
  expect(await answer.json()).toEqual({ q: "x", paging: { page: 3, limit: 50, offset: 100 } });
  const large = lists({}, ({ paging }) => Response.json(paging), {
    sizes: { standard: 1000, largest: 1000 },
    sizeName: "per_page",
  });
  expect(large.query.map(({ name }) => name)).toEqual(["page", "per_page"]);
  expect(await (await large.handle(callOf("limit=5&per_page=0"))).json()).toMatchObject({ page: 1, limit: 1000 });
});

test("a route that is no list documents what it asks for, and nothing else", () => {
  const { query } = asks(parameters, () => new Response());
  expect(query).toEqual(queryDocs(parameters));
  expect(query.map(({ name }) => name)).toEqual(Object.keys(parameters));
});
