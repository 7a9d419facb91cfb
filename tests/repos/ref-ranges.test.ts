import { expect, test } from "bun:test";
import { afterPrefix } from "../../src/repos/refs/store.ts";
import { aRepo, aServer, aUser, call } from "../builders.ts";

const bytes = (text: string) => Buffer.from(text);

test.each([
  "refs/heads/",
  "refs/heads/a",
  "refs/tags/\u{10FFFF}",
  "refs/\ud7ff",
  "refs/heads/\u{10FFFF}\u{10FFFF}/",
  "",
])("whatever begins with %p comes before the end of its range, and nothing else does", (prefix) => {
  const end = bytes(afterPrefix(prefix));
  for (const rest of ["", "a", "\u{10FFFF}", "\u{10FFFF}\u{10FFFF}", "~"])
    if (prefix !== "") expect(Buffer.compare(bytes(prefix + rest), end)).toBeLessThan(0);
  expect(end.toString().startsWith(prefix) && prefix !== "").toBe(false);
});

test("a branch at the end of the code space is listed, and is in the way of a folder of its name", async () => {
  await using server = await aServer();
  const ada = await aUser(server);
  const repo = aRepo(server, ada.user, { files: { "README.md": "x" } });
  const last = "\u{10FFFF}";
  const branches = `/api/v1/repos/${ada.login}/${repo.name}/branches`;
  const make = async (name: string) =>
    (await call(server, "POST", branches, { token: ada.token, body: { new_branch_name: name } })).status;
  expect([await make(last), await make(`a/${last}`), await make(`${last}/b`), await make("a")]).toEqual([
    201, 201, 409, 409,
  ]);
  const { body } = await call<{ name: string }[]>(server, "GET", branches);
  expect(body.map(({ name }) => name)).toEqual(["a/\u{10FFFF}", "main", last]);
});
