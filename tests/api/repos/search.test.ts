import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aUser, call, type TestServer } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("every order answers, also those that nothing tells apart yet (a constant was taken for a column's number)", async () => {
  const { user } = await aUser(server);
  for (const name of ["b", "a"]) aRepo(server, user, { name });
  for (const sort of ["alpha", "created", "updated", "size", "git_size", "lfs_size", "stars", "forks", "id"]) {
    for (const order of ["asc", "desc"]) {
      const answer = await call<{ data: { name: string }[] }>(
        server,
        "GET",
        `/api/v1/repos/search?sort=${sort}&order=${order}`,
      );
      expect([sort, order, answer.status, answer.body.data.length]).toEqual([sort, order, 200, 2]);
    }
  }
  const byName = await call<{ data: { name: string }[] }>(server, "GET", "/api/v1/repos/search?sort=alpha");
  expect(byName.body.data.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("a search finds what a look at every name would find, by index or without, and knows of each change at once", async () => {
  const ada = await aUser(server, { login: "ada-lovelace" });
  const eve = await aUser(server, { login: "eve", fullName: 'Äva "Quote" O\'Neil' });
  const names = ["analytical-engine", "engine.2", "notes_on-engines", "x", "difference"];
  const repos = new Map(
    names.map((name) => [name, aRepo(server, ada.user, { name, description: `All of “${name}”` })]),
  );
  const hidden = aRepo(server, ada.user, { name: "secret-engine", isPrivate: true });
  const search = async (q: string, who?: { token: string }, more = "") => {
    const path = `/api/v1/repos/search?uid=${ada.user.id}&q=${encodeURIComponent(q)}${more}`;
    const answer = await call<{ data: { name: string }[] }>(server, "GET", path, { token: who?.token });
    expect(Number(answer.headers.get("x-total-count"))).toBe(answer.body.data.length);
    return answer.body.data.map(({ name }) => name).sort();
  };
  const words = [
    "engine",
    "ENGINE",
    "gin",
    "en",
    "e",
    ".2",
    "s_on",
    '"',
    "engine\0",
    "nothing",
    "*",
    "a OR b",
    "Ä",
    "{}",
  ];
  for (const word of [
    ...words,
    "engine,difference",
    "x,nothing",
    "ada/engine",
    "ADA-love/x",
    "bob/engine",
    "/",
    "a/",
  ]) {
    const parts = word.toLowerCase().split(",");
    const matches = (name: string) =>
      parts.some((part) => {
        const [owner, rest] = part.split("/");
        if (name.includes(part)) return true;
        return (
          part.split("/").length === 2 &&
          owner !== "" &&
          "ada-lovelace".includes(owner ?? "") &&
          name.includes(rest ?? "")
        );
      });
    expect([word, await search(word)]).toEqual([word, names.filter(matches).sort()]);
  }
  expect(await search("of “diff", undefined, "&includeDesc=true")).toEqual(["difference"]);
  expect(await search("engine", ada)).toContain("secret-engine");
  const edit = (name: string, body: object) =>
    call(server, "PATCH", `/api/v1/repos/ada-lovelace/${name}`, { token: ada.token, body });
  await edit("secret-engine", { private: false });
  expect(await search("engine", eve)).toContain("secret-engine");
  await edit("secret-engine", { private: true });
  expect(await search("engine", eve)).not.toContain("secret-engine");
  await edit("difference", { name: "sum", description: "of polynomials" });
  expect([await search("difference"), await search("sum")]).toEqual([[], ["sum"]]);
  expect(await search("polynomials", eve, "&includeDesc=true")).toEqual(["sum"]);
  await call(server, "PUT", "/api/v1/repos/ada-lovelace/x/topics/polynomials", { token: ada.token });
  expect(await search("polynomials", eve)).toEqual(["x"]);
  await call(server, "DELETE", "/api/v1/repos/ada-lovelace/sum", { token: ada.token });
  expect(await search("sum")).toEqual([]);
  expect([repos.size, hidden.isPrivate]).toEqual([5, true]);
});

test("a word that very many have is counted, and pages lead to all that may be seen", async () => {
  const { user } = await aUser(server, { login: "collector" });
  const series = (sql: string) =>
    server.core.db
      .query(`WITH RECURSIVE i(n) AS (SELECT 100001 UNION ALL SELECT n + 1 FROM i WHERE n < 100800) ${sql}`)
      .run({ owner: user.id });
  series("INSERT INTO repository_storage (id, state, changed_at) SELECT n, 'live', $owner FROM i");
  series(`INSERT INTO repositories (id, owner_id, name, lower_name, is_private, created_at, updated_at)
    SELECT n, $owner, 'pebble' || n, 'pebble' || n, n % 4 = 0, 1, 1 FROM i`);
  series(
    "INSERT INTO git_folders (id, repo_id, kind, default_branch) SELECT n, n, 'code', 'main' FROM i WHERE $owner > 0",
  );
  for (const word of ["pebble", "collector/pebble", "bb"]) {
    const found = new Set<string>();
    const totals: number[] = [];
    for (let page = 1, total = 1; found.size < total; page++) {
      const path = `/api/v1/repos/search?q=${encodeURIComponent(word)}&limit=50&page=${page}`;
      const { body, headers } = await call<{ data: { name: string }[] }>(server, "GET", path);
      for (const { name } of body.data) found.add(name);
      total = Number(headers.get("x-total-count"));
      totals.push(total);
    }
    expect([word, found.size, new Set(totals)]).toEqual([word, 600, new Set([600])]);
  }
});

test("people are found by parts of names of any script and length, and no longer by one they had", async () => {
  const zoe = await aUser(server, { login: "zoe-q", fullName: 'Zoë "Q" 王小明', email: "zoe.q@mail.example.org" });
  const root = await aUser(server, { isAdmin: true });
  const find = async (q: string, who = zoe) => {
    const path = `/api/v1/users/search?q=${encodeURIComponent(q)}`;
    const { body } = await call<{ data: { login: string }[] }>(server, "GET", path, { token: who.token });
    return body.data.map(({ login }) => login).includes("zoe-q");
  };
  for (const q of ["zoe", "oe-", "e-q", "q", '"Q"', "王小明", "小", "Zoë", "zoe.q@mail.example.org"])
    expect([q, await find(q)]).toEqual([q, true]);
  for (const q of ["zoe-qq", "mail.example", "王明", "zoe*"]) expect([q, await find(q)]).toEqual([q, false]);
  expect(await find("mail.example", root)).toBe(true);
  await call(server, "PATCH", "/api/v1/user/settings", { token: zoe.token, body: { full_name: "Somebody Else" } });
  expect([await find("王小明"), await find("somebody")]).toEqual([false, true]);
});
